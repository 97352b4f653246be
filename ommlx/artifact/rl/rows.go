package rl

import (
	_ "embed"
	"strings"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/rl/gridworld"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/say"
)

// Protocol is the training protocol of a row of figure 1 or a part of Table 2.
type Protocol string

// The protocols.
const (
	PublicProtocol  Protocol = "authors' settings (our code)" // [May] and [July]
	PrintedProtocol Protocol = "as printed"                   // [Paper]
)

var protocols = []Protocol{PublicProtocol, PrintedProtocol}

// row is a training with its result, nil if not run.
type row struct {
	label      string
	protocol   Protocol
	part       string // of Table 2: "a", "b", "c" or a variant of one; [beyondPart] if not in the paper; otherwise ""
	experiment Experiment
	result     *Result
}

const beyondPart = "beyond"

func newRow(label string, protocol Protocol, part string, runs int, e Experiment) row {
	e.Seeds = run.Seeds(runs)
	return row{label: label, protocol: protocol, part: part, experiment: e}
}

// in returns the row in an environment.
func (r row) in(environment string) row {
	r.experiment.Environment = environment
	return r
}

// under scales the experiment down, except for the paper profile: to a number of runs, and of steps under the quick
// profile. A smoke run takes about a second.
func (r row) under(p run.Profile, runs, steps int) row {
	if p == run.Paper {
		return r
	}
	e := r.experiment
	e.Seeds = run.Seeds(runs)
	if p == run.Smoke {
		e.Transitions, e.Batch, e.Hidden, steps = 2_000, 64, []int{32, 32, 32}, 40
	}
	r.experiment = e.WithSteps(steps)
	return r
}

// quickTrialSteps is the number of steps of a quick run in exhibits other than figure 1 and Table 2.
const quickTrialSteps = 2_000

// quickSteps returns the number of steps of a quick run in an environment. Large environments have fewer, so that
// figure 1 takes three minutes on two cores.
func quickSteps(environment string) int {
	g, _ := gridworld.Load(environment) // a planned one is known
	switch n := g.N(); {
	case n <= 161:
		return 2_000
	case n <= 300:
		return 1_600
	case n <= 600:
		return 1_000
	}
	return 600
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

// exhibit completes a figure or table of planned rows, which leaves rows without a result blank. show draws the rows
// with their results under a head with a [note]; paper describes the paper's runs.
func exhibit(x report.Exhibit, paper string, plan func(run.Profile) []row,
	show func([]row, report.Head) (report.Content, error)) report.Exhibit {
	x.Partial = true
	return report.OfRows(x, plan, func(r row, _ run.Profile) Experiment {
		return r.experiment
	}, func(k report.Kept, planned []row, results []*Result) (report.Content, error) {
		for i, r := range results {
			planned[i].result = r
		}
		k.Head.Note = report.Prose(note(k.Profile, planned, paper), report.NotRun(results))
		return show(planned, k.Head)
	})
}

// Fixed sentences of notes; the ones of data.txt explain what the runs of each protocol share.
var (
	//go:embed data.txt
	dataText string
	//go:embed fig1.txt
	fig1Text string
	//go:embed tab2.txt
	tab2Text string
	//go:embed beyond.txt
	beyondText string
	//go:embed sweep.txt
	sweepText string // scripts/al_hyperparam_sweep.sh and al_hyperparam_sweep_2.sh at commit e0190be
)

// note states the scale of a figure or table and its runs by protocol. paper describes the paper's runs.
func note(p run.Profile, rows []row, paper string) string {
	var here []string
	for _, protocol := range []Protocol{PublicProtocol, PrintedProtocol, ""} {
		var counts []int
		for _, r := range rows {
			if r.result != nil && r.protocol == protocol {
				counts = append(counts, len(r.result.Runs))
			}
		}
		if runs := say.Runs(counts) + " each"; counts != nil && protocol != "" {
			here = append(here, string(protocol)+": "+runs)
		} else if counts != nil {
			here = append(here, runs)
		}
	}
	runs := strings.Join(here, "; ")
	if p == run.Paper {
		return "At the paper's scale, " + runs + " (the paper: " + paper + ")."
	}
	return p.Note("fewer runs or steps than the paper's protocol ("+paper+")") + " Here: " + runs + "."
}
