package rl

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
)

// trial is a training in some environments: one beyond the paper, or a possible reading of its text.
type trial struct {
	label        string
	environments []string
	runs         int
	train        Experiment // without an environment
	others       bool       // on the data of seeds 1 to 4, one run each except in [weighed], not on the data of train
}

// Labels of rows that claims use.
const (
	labelText     = "OMM-seq, the text as it stands: transitions, M[f] from the pairs"
	labelProducts = "OMM-seq, products, κ = 1" // the text read as in ALLO's code
	labelNoShift  = "OMM-seq, products, κ = 0"
	// labelTransitions is the text with its transitions, and M[f] as in ALLO's code.
	labelTransitions = "OMM-seq, transitions, M[f] from two batches of states"
	byAuthors        = "authors' settings: " // begins the labels of rows by [May] and [July]
	labelFullShift   = byAuthors + "OMM-seq, κ = 1"
	labelJointShift  = byAuthors + "OMM-joint, κ = 1"
	labelLarge       = "OMM-seq, products, κ = 1, batch 4,096"
	labelLargeALLO   = "ALLO, differences, batch 4,096"
)

// byDifferences is OMM-seq beyond the paper: M[f,Pf] from differences, M[f] from two batches of states.
func byDifferences(k int, kappa float64) Experiment {
	e := shifted(Paper("", "omm_seq", k, 1), kappa)
	e.Estimator = Differences
	return e
}

func shifted(e Experiment, kappa float64) Experiment {
	e.Shift = kappa
	return e
}

// trials lists the rows of [Beyond]. They include the paper's runs of figure 1 and Table 2 for comparison.
func trials() []trial {
	text11, text50 := Paper("", "omm_seq", spectrumModes, 1), Paper("", "omm_seq", tab2Modes, 1)
	asItStands := text50
	asItStands.Gamma, asItStands.Overlap = 0, OverlapPairs
	weighted := byDifferences(spectrumModes, 0)
	weighted.Weights = LinearWeights
	allo := Paper("", "allo", spectrumModes, 1)
	products := allo
	products.Estimator = Products
	// The pair law of long episodes, γ = 0.9, has no eigenvalue below −(1−γ)/(1+γ): with this κ all are positive.
	const leastShift = 0.053

	// In three of the environments with several data sets the authors' histories have both κ = ½ and κ = 1.
	halfShift, fullShift := hardInstances[:3], []string{"GridRoomSym-4", "GridRoom-16", "GridRoom-64"}
	may, mayALLO := May("", "omm_seq"), May("", "allo")
	joint := shifted(May("", "omm_jnt"), 1)
	logged := append(slices.Clone(fullShift), "GridRoom-1") // the environments with logged runs of joint nesting
	large, largeALLO, fromPairs, transitions := text11, allo, text11, text50
	large.Batch, largeALLO.Batch, fromPairs.Overlap, transitions.Gamma = 4096, 4096, OverlapPairs, 0
	both := slices.Concat(fullShift, halfShift)
	all, read := tab2Environments(), []string{"GridRoom-4", "GridMaze-17", "GridRoom-16"} // read: of the readings
	return []trial{
		{labelProducts, hardInstances, 4, text11, false},
		{labelNoShift, hardInstances, 3, shifted(text11, 0), false},
		{"OMM-seq, differences, κ = 1", hardInstances, 3, byDifferences(spectrumModes, 1), false},
		{"OMM-seq, differences, κ = 0.053", hardInstances, 3, byDifferences(spectrumModes, leastShift), false},
		{"OMM-seq, differences, κ = 0", hardInstances, 4, byDifferences(spectrumModes, 0), false},
		{"OMM-seq, differences, κ = 0, weights k − i + 1", hardInstances, 3, weighted, false},
		{"ALLO, products", hardInstances, 3, products, false},
		{"ALLO, differences", hardInstances, 10, allo, false},
		{"OMM-seq, products, κ = 1, M[f] from the pairs", hardInstances, 2, fromPairs, false},
		{labelLarge, hardInstances, 2, large, false},
		{labelLargeALLO, hardInstances, 2, largeALLO, false},

		{labelFullShift, logged, 4, shifted(may, 1), false},
		{labelJointShift, logged, 3, joint, false},
		{byAuthors + "OMM-seq, κ = 1, other data sets", fullShift, 1, shifted(may, 1), true},
		{byAuthors + "OMM-seq, κ = ½", halfShift, 4, may, false},
		{byAuthors + "OMM-seq, κ = ½, other data sets", halfShift, 1, may, true},
		{byAuthors + "ALLO", both, 4, mayALLO, false},
		{byAuthors + "ALLO, other data sets", both, 1, mayALLO, true},

		{labelProducts, all, 2, text50, false},
		{labelNoShift, all, 2, shifted(text50, 0), false},
		{"OMM-seq, differences, κ = 0", all, 2, byDifferences(tab2Modes, 0), false},
		{labelText, read, 2, asItStands, false},
		{labelTransitions, read, 2, transitions, false},
		{byAuthors + "OMM-seq, warm-up", read, 2, julyWarm(), false},
		{byAuthors + "OMM-seq", read, 3, July("", "omm_seq"), false},
	}
}

// weighed are the environments in which each of the first three data sets has runs from three initial weights.
var weighed = []string{"GridRoom-32", "GridRoom-64"}

// Beyond is the table of grid-world results beyond the paper: OMM-seq and ALLO with products and with differences of
// pairs, other shifts and weights, other data sets, and the settings that decide the score at k = 50.
func Beyond() report.Exhibit {
	return exhibit(report.Exhibit{Kind: report.Table, Name: "beyond_laplacian_rl", ShortName: "beyond_rl",
		Description: "section 3.1 beyond the paper: estimators, shifts, weights, data sets and protocols"},
		"80,000 steps; 4 runs OMM, 10 runs ALLO at k = 11; 5 and 3 to 4 at k = 50", planBeyond, drawBeyond)
}

// planBeyond returns the rows, trial by trial and then one per data set. Smaller profiles run each trial once, in its
// first environment.
func planBeyond(p run.Profile) (rows []row) {
	for _, t := range trials() {
		environments := t.environments
		if p != run.Paper {
			environments = environments[:1]
		}
		for _, name := range environments {
			plan := func(runs int, e Experiment) {
				rows = append(rows, newRow(t.label, "", "", runs, e).in(name).under(p, 1, quickTrialSteps))
			}
			if !t.others {
				plan(t.runs, t.train)
				continue
			}
			for _, seed := range run.Seeds(4) {
				e, runs := t.train, t.runs
				e.Walks, e.DataSeed = "", seed
				if slices.Contains(weighed, name) && seed <= 3 {
					runs = 3
				}
				plan(runs, e)
			}
		}
	}
	return rows
}

// BeyondRow is a trial in an environment, with the spread over all its runs.
type BeyondRow struct {
	Environment string `json:"environment"`
	K           int    `json:"k"`
	Name        string `json:"name"`
	MeanCosines
	// Standard deviations between data sets and between initial weights, see effects.
	DataStd    *float64  `json:"data_std,omitempty"`
	WeightsStd *float64  `json:"weights_std,omitempty"`
	Printed    *float64  `json:"printed,omitempty"` // part (c) of Table 2
	Results    []*Result `json:"results"`           // one per data set
}

// BeyondData is tables/beyond_laplacian_rl.json.
type BeyondData struct {
	report.Head
	Rows []BeyondRow `json:"rows"`
}

func drawBeyond(rows []row, head report.Head) (report.Content, error) {
	d := BeyondData{Head: head, Rows: beyondRows(rows)}
	d.Title, d.Note = "Section 3.1 beyond the paper: average cosine similarity", report.Prose(head.Note, beyondText)
	return report.Content{Data: d, Text: d.Text()}, nil
}

// beyondRows joins the rows of a trial in an environment. It omits rows without a result.
func beyondRows(rows []row) (all []BeyondRow) {
	for _, r := range rows {
		if r.result == nil {
			continue
		}
		e, last := r.experiment, len(all)-1
		if last < 0 || all[last].Name != r.label || all[last].K != e.K || all[last].Environment != e.Environment {
			all = append(all, BeyondRow{Environment: e.Environment, K: e.K, Name: r.label})
			last++
		}
		all[last].Results = append(all[last].Results, r.result)
	}
	for i, r := range all {
		all[i].MeanCosines = meanCosines(r.Result())
		data, weights := effects(r.Results)
		all[i].DataStd, all[i].WeightsStd = report.Number(data), report.Number(weights)
		if r.K == tab2Modes {
			printed, _ := tab2Printed("c", r.Environment)
			all[i].Printed = &printed
		}
	}
	return all
}

// effects returns the standard deviations of two random effects in scores, between data sets and between the initial
// weights on one data set, by one-way analysis of variance over the data sets with the most runs, n:
//
//	weights = √W,  data = √max(0, V − W/n),
//
// where W is the mean over the data sets of the variance over weights, and V the variance of the data sets' means. Both
// are NaN with fewer than two such data sets or n < 2.
func effects(results []*Result) (data, weights float64) {
	var means, variances []float64
	n := 0
	for _, r := range results {
		scores := averages(r, Run.own)
		if len(scores) > n {
			n, means, variances = len(scores), nil, nil
		}
		if len(scores) == n {
			mean, variance := stat.MeanVariance(scores, nil)
			means, variances = append(means, mean), append(variances, variance)
		}
	}
	if n < 2 || len(means) < 2 {
		return math.NaN(), math.NaN()
	}
	within := stat.Mean(variances, nil)
	return math.Sqrt(max(0, stat.Variance(means, nil)-within/float64(n))), math.Sqrt(within)
}

// Result joins the runs of all results under the configuration of the first.
func (r BeyondRow) Result() *Result {
	all := &Result{Config: r.Results[0].Config}
	for _, one := range r.Results {
		all.Runs = append(all.Runs, one.Runs...)
	}
	return all
}

// Where returns the rows whose configuration satisfies keep.
func (d BeyondData) Where(keep func(Experiment) bool) BeyondData {
	d.Rows = slices.DeleteFunc(slices.Clone(d.Rows), func(r BeyondRow) bool { return !keep(r.Results[0].Config) })
	return d
}

// Text returns the table as text.
func (d BeyondData) Text() report.Text {
	t := report.Text{Title: d.Title, Note: d.Note, Header: []string{"k", "Environment", "Training", "Runs", "Average",
		"between data sets / weights",
		"by ALLO's metric", "after a Ritz step", "eigenfunctions of the data", "Paper, Table 2 (c)"}}
	for _, r := range d.Rows {
		deviations := ""
		if r.DataStd != nil {
			deviations = report.Optional(4, r.DataStd) + " / " + report.Optional(4, r.WeightsStd)
		}
		t.Rows = append(t.Rows, []string{strconv.Itoa(r.K), r.Environment, r.Name, tally(r.Result()),
			report.FromNumbers(r.Mean, r.Std).Text(4), deviations,
			report.Optional(4, r.Rotated), report.Optional(4, r.Ritz), report.Optional(4, r.Data),
			report.Optional(4, r.Printed)})
	}
	return t
}
