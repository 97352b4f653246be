package rl

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
)

// trial is one way to train.
type trial struct {
	name string
	in   recipe
	runs int // where there are more of it than the table asks for, as rows of figure 1; else 0
}

// trials is a table of several ways to train with k functions, in a few environments; for k = 50 beside part (c) of
// Table 2.
type trials struct {
	name, short, about, title string
	k, runs                   int
	environments              []string
	list                      []trial
}

// Choices shows what decides the score at k = 50 under the shift by κ = 1: the text as it stands, with the pairs and
// batches of the code that the paper builds on, and the protocol of the public code, with and without warm-up.
func Choices() report.Entry { return choices().entry() }

func choices() trials {
	public := byJuly("omm_seq", BarrierPair{})
	return trials{
		name: "choices_k50", short: "choices", k: tab2Modes, runs: 2,
		about:        "k = 50: the protocol of the text and that of the public code, beside Table 2",
		title:        "OMM-seq at k = 50 by several protocols, beside Table 2 (c): average cosine similarity",
		environments: []string{"GridRoom-4", "GridMaze-17", "GridRoom-16"},
		list: []trial{
			{"text: transitions, M[f] from the pairs", byText("omm_seq", tab2Modes, func(e Experiment) Experiment {
				return e.As(Reading{0, 1, OverlapPairs})
			}), 0},
			{"text, γ = 0.9, M[f] from two batches of states", byText("omm_seq", tab2Modes, asItIs), 0},
			{"public code", public, 0},
			{"public code, no warm-up", func(environment string, runs int) Experiment {
				return public(environment, runs).WithoutWarmUp()
			}, 0},
		},
	}
}

// hardInstances are the environments of figure 1 that its caption calls hard.
var hardInstances = []string{"GridMaze-26", "GridMaze-32", "GridRoom-32", "GridRoom-64"}

// leastShift is the κ that makes every eigenvalue of the pair law positive, γ = 0.9 and long episodes: the smallest one
// is above −(1−γ)/(1+γ).
const leastShift = 0.053

// Beyond11 is the cross of OMM-seq and ALLO with products and with differences of pairs, at k = 11 where figure 1 is
// hard; with the shifts and weights of OMM-seq.
func Beyond11() report.Entry {
	products := func(e Experiment) Experiment {
		e.Estimator = Products
		return e
	}
	return trials{
		name: "beyond_k11", short: "hard", k: spectrumModes, runs: 3,
		about:        "k = 11, beyond the paper: OMM-seq and ALLO by products and by differences of pairs",
		title:        "Beyond the paper, k = 11: OMM-seq and ALLO by products and by differences of pairs",
		environments: hardInstances,
		list: []trial{
			{"OMM-seq, products, κ = 1", byText("omm_seq", spectrumModes, asItIs), 4},
			{"OMM-seq, products, κ = 0", byText("omm_seq", spectrumModes, withoutShift), 0},
			{"OMM-seq, differences, κ = 1", byDifferences(spectrumModes, 1, TextWeights), 0},
			{fmt.Sprintf("OMM-seq, differences, κ = %g", leastShift), byDifferences(spectrumModes, leastShift,
				TextWeights), 0},
			{"OMM-seq, differences, κ = 0", byDifferences(spectrumModes, 0, TextWeights), 4},
			{"OMM-seq, differences, κ = 0, weights k − i + 1", byDifferences(spectrumModes, 0, LinearWeights), 0},
			{"ALLO, products", byText("allo", spectrumModes, products), 0},
			{"ALLO, differences", byText("allo", spectrumModes, asItIs), 10},
		},
	}.entry()
}

// Beyond50 tries what the paper does not at k = 50: no shift, and differences.
func Beyond50() report.Entry {
	return trials{
		name: "beyond_k50", short: "beyond", k: tab2Modes, runs: 2,
		about:        "k = 50, beyond the paper: OMM-seq without the shift and by differences of pairs",
		title:        "Beyond the paper, k = 50: OMM-seq without the shift and by differences of pairs",
		environments: tab2Environments(),
		list: []trial{
			{"products, κ = 1", byText("omm_seq", tab2Modes, asItIs), 0},
			{"products, κ = 0", byText("omm_seq", tab2Modes, withoutShift), 0},
			{"differences, κ = 1", byDifferences(tab2Modes, 1, TextWeights), 0},
			{"differences, κ = 0", byDifferences(tab2Modes, 0, TextWeights), 0},
		},
	}.entry()
}

func (t trials) entry() report.Entry {
	return report.Entry{Kind: report.Table, Name: t.name, Short: t.short, About: t.about, Partial: true, Data: mazes,
		Plan: func(p lab.Profile) ([]lab.Job, error) {
			list, _ := t.plan(p)
			return lab.NewJobs[*Result](list)
		},
		Report: t.report,
	}
}

// plan returns the trainings, each way in all environments, with their names. The quick profile has one environment,
// one run and the steps of a quick figure 1.
func (t trials) plan(p lab.Profile) (list []Experiment, names []string) {
	for _, way := range t.list {
		for i, environment := range t.environments {
			if p != lab.Paper && i > 0 {
				break
			}
			e := way.in(environment, cmp.Or(way.runs, t.runs))
			if p == lab.Quick {
				e = e.with(1)
			}
			list, names = append(list, e.under(p, quickTrialSteps)), append(names, way.name)
		}
	}
	return list, names
}

// quickTrialSteps is the number of steps of a training of the quick profile.
const quickTrialSteps = 2_000

func (t trials) report(l *lab.Lab) error {
	list, names := t.plan(l.Profile)
	results, origin, err := report.Gather[*Result](l, list)
	if err != nil {
		return err
	}
	data := TrialsData{Table: t.name, Title: t.title, Provenance: origin,
		Note: note(l.Profile, "4 runs OMM, 10 runs ALLO at k = 11; 5 and 3 to 4 at k = 50", results)}
	for i, r := range results {
		if r == nil {
			continue
		}
		row := TrialRow{Environment: r.Config.Environment, Name: names[i], Result: r, OtherScores: r.otherScores()}
		row.Mean, row.Std = r.spread().Numbers()
		if t.k == tab2Modes {
			printed := tab2Printed("c", row.Environment)
			row.Printed = &printed.Mean
		}
		data.Rows = append(data.Rows, row)
	}
	return report.WriteTable(l, data.Table, data, data.Text())
}

// TrialRow is a way to train in an environment.
type TrialRow struct {
	Environment string   `json:"environment"`
	Name        string   `json:"name"`
	Mean        *float64 `json:"mean,omitempty"` // over the runs that did not diverge
	Std         *float64 `json:"std,omitempty"`
	OtherScores
	Printed *float64 `json:"printed,omitempty"` // of part (c) of Table 2
	Result  *Result  `json:"result"`
}

// TrialsData is tables/choices_k50.json, or one of tables/beyond_k50.json and tables/beyond_k11.json.
type TrialsData struct {
	Table      string        `json:"table"`
	Title      string        `json:"title"`
	Note       string        `json:"note"`
	Provenance report.Origin `json:"provenance"`
	Rows       []TrialRow    `json:"rows"`
}

// Ours is the spread of our runs.
func (r TrialRow) Ours() report.Spread {
	return report.FromNumbers(r.Mean, r.Std, len(r.Result.finished()))
}

// Row returns that of a way to train in an environment, and false where it was not run.
func (d TrialsData) Row(name, environment string) (TrialRow, bool) {
	i := slices.IndexFunc(d.Rows, func(r TrialRow) bool { return r.Name == name && r.Environment == environment })
	if i < 0 {
		return TrialRow{}, false
	}
	return d.Rows[i], true
}

// Means are the means of a way to train in the environments, NaN where it was not run.
func (d TrialsData) Means(name string, environments ...string) (means []float64) {
	for _, environment := range environments {
		mean := math.NaN()
		if r, ok := d.Row(name, environment); ok {
			mean = report.OrNaN(r.Mean)
		}
		means = append(means, mean)
	}
	return means
}

// Text is the table as it is written.
func (d TrialsData) Text() report.Text {
	t := report.Text{Title: d.Title, Note: d.Note,
		Header: slices.Concat([]string{"Environment", "Training", "Runs", "Average"}, otherHeader())}
	printed := slices.ContainsFunc(d.Rows, func(r TrialRow) bool { return r.Printed != nil })
	if printed {
		t.Header = append(t.Header, "Table 2 (c)")
	}
	for _, r := range d.Rows {
		row := slices.Concat([]string{r.Environment, r.Name, r.Result.tally(), r.Ours().Text(4)}, r.cells())
		if printed {
			row = append(row, optional(r.Printed))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
