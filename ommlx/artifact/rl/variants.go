package rl

import (
	"fmt"
	"slices"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/say"
)

// Protocol is the training protocol of a row of figure 1 or a part of Table 2.
type Protocol string

// The protocols.
const (
	PublicProtocol  Protocol = "authors' code" // [May] and [July]
	PrintedProtocol Protocol = "as printed"    // [Paper]
)

// variant is a recipe that figures and tables show.
type variant struct {
	label    string
	protocol Protocol // "" if the label includes it
	beyond   bool     // not in the paper
	runs     int
	train    recipe
	part     string // part of Table 2: "a", "b", "c", or "beyond" the paper
}

func (v variant) in(environment string) Experiment {
	return v.train(environment).With(run.Seeds(v.runs))
}

// recipe returns the experiment of a training method in an environment.
type recipe func(environment string) Experiment

func (r recipe) with(change func(*Experiment)) recipe {
	return func(environment string) Experiment {
		e := r(environment)
		change(&e)
		return e
	}
}

func byText(method string, k int) recipe {
	return func(environment string) Experiment { return Paper(environment, method, k, 1) }
}

func byMay(method string) recipe {
	return func(environment string) Experiment { return May(environment, method, 1) }
}

func byJuly(method string, pair BarrierPair) recipe {
	return func(environment string) Experiment { return July(environment, method, 1, pair.Barrier, pair.Rate) }
}

// byDifferences is OMM-seq beyond the paper: M[f,Pf] from differences, M[f] from two batches of states.
func byDifferences(k int, kappa float64, w Weights) recipe {
	return byText("omm_seq", k).with(func(e *Experiment) {
		e.Shift, e.Weights, e.Estimator = kappa, w, Differences
	})
}

// row is a variant in an environment with its experiment and, if it was run, its result.
type row struct {
	variant
	experiment Experiment
	run        bool    // false if the profile omits it
	result     *Result // nil if not run
}

func experimentsOf(rows []row) (list []Experiment) {
	for _, r := range rows {
		if r.run {
			list = append(list, r.experiment)
		}
	}
	return list
}

// byEnvironment groups consecutive rows of one environment.
func byEnvironment(rows []row) (all [][]row) {
	for i, r := range rows {
		if i == 0 || rows[i-1].experiment.Environment != r.experiment.Environment {
			all = append(all, nil)
		}
		all[len(all)-1] = append(all[len(all)-1], r)
	}
	return all
}

// exhibit is a figure or table of grid-world trainings.
type exhibit interface {
	plan(run.Profile) []row
	// draw writes the planned rows with their results.
	draw(*run.Lab, []row, report.Origin) error
}

// entry completes a figure or table that leaves rows without a result blank.
func entry(e report.Entry, x exhibit) report.Entry {
	e.Partial = true
	return report.Of[Experiment, Run](e, rows{x})
}

// rows is the [report.Exhibit] of an exhibit.
type rows struct{ exhibit }

// Experiments implements [report.Exhibit].
func (x rows) Experiments(p run.Profile) []Experiment { return experimentsOf(x.plan(p)) }

// Draw implements [report.Exhibit].
func (x rows) Draw(l *run.Lab, results []*Result, origin report.Origin) error {
	planned := x.plan(l.Profile)
	for i := range planned {
		if planned[i].run {
			planned[i].result, results = results[0], results[1:]
		}
	}
	return x.draw(l, planned, origin)
}

// under scales an experiment down: to quickRuns runs (0: all) of quickSteps steps in the quick profile, or to smokeRuns
// runs in the smoke profile.
func (e Experiment) under(p run.Profile, quickRuns, quickSteps, smokeRuns int) Experiment {
	switch p {
	case run.Quick:
		if quickRuns > 0 {
			e.Seeds = run.Seeds(quickRuns)
		}
		return e.WithSteps(quickSteps)
	case run.Smoke:
		return e.smoke(smokeRuns)
	}
	return e
}

// quickTrialSteps is the number of steps of a quick run in exhibits other than figure 1 and Table 2.
const quickTrialSteps = 2_000

// quickSteps returns the number of steps of a quick run in an environment. Large environments have fewer, so that
// figure 1 takes three minutes on two cores.
func quickSteps(environment string) int {
	switch n := grid(environment).N(); {
	case n <= 161:
		return 3_000
	case n <= 300:
		return 2_500
	case n <= 600:
		return 1_600
	}
	return 1_000
}

// dataNote explains what the runs of each protocol share, and how "as printed" was read.
const dataNote = " By the authors' code all runs of an environment share the data of seed 1234; as printed, each run " +
	"has its own. \"As printed\" is the text read as in ALLO's code, chosen among 22 readings with the printed " +
	"numbers in view (readings_k50)."

// note states the scale of a figure or table, the paper's, and the number of rows not run yet. runs describes the
// paper's runs.
func note(p run.Profile, rows []row, runs string) string {
	paper := fmt.Sprintf("%s steps; %s", say.Thousands(paperSteps), runs)
	var planned []*Result
	var shown []Experiment
	by := map[Protocol][]Experiment{}
	for _, r := range rows {
		if r.run {
			planned = append(planned, r.result)
		}
		if r.result != nil {
			shown = append(shown, r.result.Config)
			by[r.protocol] = append(by[r.protocol], r.result.Config)
		}
	}
	here := extent(shown)
	if public, printed := by[PublicProtocol], by[PrintedProtocol]; public != nil && printed != nil {
		here = fmt.Sprintf("%s: %s; %s: %s", PublicProtocol, extent(public), PrintedProtocol, extent(printed))
	}
	scale := fmt.Sprintf("At the paper's scale, %s (the paper: %s).", here, paper)
	if p != run.Paper {
		scale = p.Note("fewer runs or steps than the paper's protocol ("+paper+")") + " Here: " + here + "."
	}
	return scale + report.NotRun(planned)
}

// extent formats the runs and steps of experiments, such as "1 to 4 runs of 80,000 steps".
func extent(list []Experiment) string {
	if len(list) == 0 {
		return "0 runs of 0 steps"
	}
	var runs []int
	for _, e := range list {
		runs = append(runs, len(e.Seeds))
	}
	noun := "runs"
	if slices.Max(runs) == 1 {
		noun = "run"
	}
	return fmt.Sprintf("%s %s of %s", span(runs), noun, stepsOf(list))
}

// stepsOf formats the steps of experiments, such as "500 to 1,500 steps".
func stepsOf(list []Experiment) string {
	var steps []int
	for _, e := range list {
		steps = append(steps, e.Train.Steps)
	}
	if steps == nil {
		return "0 steps"
	}
	return span(steps) + " steps"
}

func span(counts []int) string {
	from, to := slices.Min(counts), slices.Max(counts)
	if from == to {
		return say.Thousands(to)
	}
	return say.Thousands(from) + " to " + say.Thousands(to)
}
