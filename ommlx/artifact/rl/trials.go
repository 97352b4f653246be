package rl

import (
	"fmt"
	"slices"
	"strings"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/say"
)

// labelText is the row of the text as it stands, which a claim names.
const labelText = "the text: transitions, M[f] from the pairs"

// Choices shows what decides the score at k = 50 under the shift by κ = 1: the text as it stands, with the pairs and
// batches of the code that the paper builds on, and the protocol of the public code, with and without warm-up.
func Choices() report.Entry {
	text, public := byText("omm_seq", tab2Modes), byJuly("omm_seq", BarrierPair{})
	asItStands := text.but(func(e *Experiment) { *e = e.As(Reading{Shift: 1}) })
	return trials("choices_k50", "choices",
		"OMM-seq at k = 50 by several protocols, with Table 2 (c): average cosine similarity",
		[]string{"GridRoom-4", "GridMaze-17", "GridRoom-16"}, []variant{
			{label: labelText, runs: 2, train: asItStands},
			{label: "the text, read as in ALLO's code", runs: 2, train: text},
			{label: "the authors' settings (warm-up)", runs: 2, train: public},
			{label: "the authors' scripts (no warm-up)", runs: 2, train: JulyCold},
		})
}

// hardInstances are the environments of figure 1 that its caption calls hard.
var hardInstances = []string{"GridMaze-26", "GridMaze-32", "GridRoom-32", "GridRoom-64"}

// Beyond11 is the cross of OMM-seq and ALLO with products and with differences of pairs, at k = 11 where figure 1 is
// hard; with the shifts and weights of OMM-seq. Rows of figure 1 have its runs.
func Beyond11() report.Entry {
	omm, allo := byText("omm_seq", spectrumModes), byText("allo", spectrumModes)
	products := allo.but(func(e *Experiment) { e.Estimator = Products })
	differences := func(kappa float64, w Weights) recipe { return byDifferences(spectrumModes, kappa, w) }
	// The pair law of long episodes, γ = 0.9, has no eigenvalue below −(1−γ)/(1+γ): with this κ all are positive.
	const leastShift = 0.053
	return trials("beyond_k11", "hard",
		"Beyond the paper, k = 11: OMM-seq and ALLO by products and by differences of pairs", hardInstances, []variant{
			{label: "OMM-seq, products, κ = 1", runs: 4, train: omm},
			{label: "OMM-seq, products, κ = 0", runs: 3, train: omm.but(withoutShift)},
			{label: "OMM-seq, differences, κ = 1", runs: 3, train: differences(1, TextWeights)},
			{label: "OMM-seq, differences, κ = 0.053", runs: 3, train: differences(leastShift, TextWeights)},
			{label: "OMM-seq, differences, κ = 0", runs: 4, train: differences(0, TextWeights)},
			{label: "OMM-seq, differences, κ = 0, weights k − i + 1", runs: 3, train: differences(0, LinearWeights)},
			{label: "ALLO, products", runs: 3, train: products},
			{label: "ALLO, differences", runs: 10, train: allo},
		})
}

// Beyond50 tries what the paper does not at k = 50: no shift, differences, and the authors' recipe of k = 11 unchanged.
func Beyond50() report.Entry {
	omm := byText("omm_seq", tab2Modes)
	return trials("beyond_k50", "beyond",
		"Beyond the paper, k = 50: OMM-seq without the shift, by differences of pairs, and by the recipe of k = 11",
		tab2Environments(), []variant{
			{label: "products, κ = 1", runs: 2, train: omm},
			{label: "products, κ = 0", runs: 2, train: omm.but(withoutShift)},
			{label: "differences, κ = 1", runs: 2, train: byDifferences(tab2Modes, 1, TextWeights)},
			{label: "differences, κ = 0", runs: 2, train: byDifferences(tab2Modes, 0, TextWeights)},
			{label: labelSame, protocol: PublicProtocol, runs: 1,
				train: func(environment string) Experiment { return Same(environment, publicShift) }},
			{label: "authors' recipe of k = 11, κ = 0", protocol: PublicProtocol, runs: 1,
				train: func(environment string) Experiment { return Same(environment, 0) }},
		})
}

// labelSame is the row of the claim that OMM at k = 50 has the recipe of k = 11.
const labelSame = "authors' recipe of k = 11, κ = ½"

func withoutShift(e *Experiment) { e.Shift = 0 }

// trials is a table of several ways to train in a few environments; for k = 50 beside part (c) of Table 2. The quick
// profile has one environment, one run and the steps of a quick figure 1.
func trials(name, short, title string, environments []string, list []variant) report.Entry {
	plan := func(p run.Profile) (rows []row) {
		for _, v := range list {
			for i, environment := range environments {
				if p == run.Paper || i == 0 {
					e := v.in(environment).under(p, 1, quickTrialSteps, 1)
					rows = append(rows, row{variant: v, experiment: e, run: true})
				}
			}
		}
		return rows
	}
	e := report.Entry{Kind: report.Table, Name: name, Short: short, About: title}
	return entry(e, plan, func(l *run.Lab, rows []row, origin report.Origin) error {
		data := TrialsData{TableHead: TableHead{name, title,
			note(l.Profile, rows, "4 runs OMM, 10 runs ALLO at k = 11; 5 and 3 to 4 at k = 50"), origin}}
		for _, r := range rows {
			if r.result == nil {
				continue
			}
			at := TrialRow{Environment: r.experiment.Environment, Name: r.label, Result: r.result,
				Scored: score(r.result)}
			if r.experiment.K == tab2Modes {
				printed, _ := tab2Printed("c", at.Environment)
				at.Printed = &printed
			}
			data.Rows = append(data.Rows, at)
		}
		return report.WriteTable(l, name, data, data.Text())
	})
}

// TrialRow is a way to train in an environment.
type TrialRow struct {
	Environment string `json:"environment"`
	Name        string `json:"name"`
	Scored
	Printed *float64 `json:"printed,omitempty"` // of part (c) of Table 2
	Result  *Result  `json:"result"`
}

// TrialsData is tables/choices_k50.json, or one of tables/beyond_k50.json and tables/beyond_k11.json.
type TrialsData struct {
	TableHead
	Rows []TrialRow `json:"rows"`
}

// Text is the table as it is written.
func (d TrialsData) Text() report.Text {
	t := report.Text{Title: d.Title, Note: d.Note,
		Header: slices.Concat([]string{"Environment", "Training", "Runs", "Average"}, otherHeader)}
	printed := slices.ContainsFunc(d.Rows, func(r TrialRow) bool { return r.Printed != nil })
	if printed {
		t.Header = append(t.Header, "Paper, Table 2 (c)")
	}
	for _, r := range d.Rows {
		row := slices.Concat([]string{r.Environment, r.Name, tally(r.Result), r.text(4)},
			r.cells())
		if printed {
			row = append(row, report.Optional(4, r.Printed))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// spreadSeeds are the data sets, and the initial weights, over which the spread is taken.
var spreadSeeds = run.Seeds(4)

// spreadEnvironments are those in which the draw of the data was seen to matter, then the hard ones.
var spreadEnvironments = append([]string{"GridRoomSym-4", "GridRoom-16"}, hardInstances...)

// spreadFullShift are the environments of them in which OMM-seq was trained with κ = 1, as the authors' histories have
// it there in addition to κ = ½.
var spreadFullShift = []string{"GridRoomSym-4", "GridRoom-16", "GridRoom-64"}

// Spread tells the two sources of a spread apart: initial weights with batches, on the data of the public code's seed,
// and the draw of the data, with the weights of one seed. The public code's runs share both.
func Spread() report.Entry {
	return entry(report.Entry{Kind: report.Table, Name: "spread_k11", Short: "spread",
		About: "k = 11: scores on other draws of the data, and with other initial weights where these were run"},
		spreadPlan, spreadReport)
}

// spreadPlan lists, for each environment and method, the runs on the data of the public code, then those on each other
// data set.
func spreadPlan(p run.Profile) (rows []row) {
	for i, environment := range spreadEnvironments {
		for _, method := range []string{"omm_seq", "allo"} {
			if p != run.Paper && (i > 0 || method != "omm_seq") {
				continue
			}
			e := May(environment, method, len(spreadSeeds))
			if method == "omm_seq" && slices.Contains(spreadFullShift, environment) {
				e.Shift = 1
			}
			rows = append(rows, row{experiment: e.under(p, 0, quickTrialSteps, 1), run: true})
			for _, data := range spreadSeeds {
				e.Walks, e.DataSeed, e.Seeds = WalksOwn, data, run.Seeds(1)
				rows = append(rows, row{experiment: e.under(p, 0, quickTrialSteps, 1), run: true})
			}
		}
	}
	return rows
}

// SpreadRow is a method in an environment.
type SpreadRow struct {
	Environment string `json:"environment"`
	Method      string `json:"method"`
	// Weights are the scores of the runs on the data of the public code; Data are those on other data, one each with
	// the same initial weights. Runs that diverged are left out.
	Weights []float64 `json:"over_weights"`
	Data    []float64 `json:"over_data"`
	Results []*Result `json:"results"`
}

// SpreadData is tables/spread_k11.json.
type SpreadData struct {
	TableHead
	Rows []SpreadRow `json:"rows"`
}

func spreadReport(l *run.Lab, rows []row, origin report.Origin) error {
	d := SpreadData{TableHead: TableHead{Table: Spread().Name, Provenance: origin,
		Title: "Average cosine similarity at k = 11 by the authors' code: on the data of its seed 1234, a run for " +
			"each set of initial weights, and on other draws of the data, with one set of weights",
		Note: scale(l.Profile, rows, "4 runs OMM, 10 runs ALLO") + spreadNote(rows)}}
	for rows := range slices.Chunk(rows, 1+len(spreadSeeds)) {
		e := rows[0].experiment
		row := SpreadRow{Environment: e.Environment, Method: e.Method, Weights: averages(rows[0].result, Run.own)}
		for i, r := range rows {
			if r.result != nil {
				row.Results = append(row.Results, r.result)
			}
			if i > 0 {
				row.Data = append(row.Data, averages(r.result, Run.own)...)
			}
		}
		if row.Results != nil {
			d.Rows = append(d.Rows, row)
		}
	}
	return report.WriteTable(l, d.Table, d, d.Text())
}

// spreadNote counts the runs that are missing. A row has several of them.
func spreadNote(rows []row) string {
	planned, done := 0, 0
	for _, r := range rows {
		planned += len(r.experiment.Seeds)
		if r.result != nil {
			done += len(r.result.Runs)
		}
	}
	return fmt.Sprintf("%s OMM-seq has κ = 1 in %s, and κ = ½ elsewhere. ± is one sample standard deviation; a single "+
		"run has none.", run.If(done < planned, " Not run yet: %d of %s.", planned-done, say.Count(planned, "run")),
		strings.Join(spreadFullShift, ", "))
}

// Text is the table as it is written.
func (d SpreadData) Text() report.Text {
	t := report.Text{Title: d.Title, Note: d.Note, Header: []string{"Environment", "Method", "Data of seed 1234",
		"Runs (initial weights)", "Other draws of the data", "Data sets", "Each data set"}}
	spread := func(values []float64) string {
		if len(values) == 0 {
			return "not run"
		}
		return report.SpreadOf(values).Text(3)
	}
	for _, r := range d.Rows {
		var each []string
		for _, x := range r.Data {
			each = append(each, fmt.Sprintf("%.3f", x))
		}
		t.Rows = append(t.Rows, []string{r.Environment, r.Method, spread(r.Weights), fmt.Sprint(len(r.Weights)), spread(r.Data),
			fmt.Sprint(len(r.Data)), strings.Join(each, ", ")})
	}
	return t
}
