package rl

import (
	"fmt"
	"slices"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/gridworld"
	"operator-omm/ommlx/internal/say"
)

// Protocol says by which protocol a row of figure 1 or a part of Table 2 was trained.
type Protocol string

// The protocols.
const (
	PublicProtocol  Protocol = "public code" // [May] and [July]
	PrintedProtocol Protocol = "text"        // [Paper]
)

// variant is a way to train that figures and tables show.
type variant struct {
	label    string
	protocol Protocol // "" where the label tells it
	beyond   bool     // not in the paper
	runs     int
	in       recipe
	part     string // of Table 2: "a", "b" and "c", and "beyond" for what goes beyond the paper
}

// recipe is a way to train in any environment, in so many runs.
type recipe func(environment string, runs int) Experiment

func byText(method string, k int, change func(Experiment) Experiment) recipe {
	return func(environment string, runs int) Experiment { return change(Paper(environment, method, k, runs)) }
}

func asItIs(e Experiment) Experiment { return e }

func withoutShift(e Experiment) Experiment {
	e.Shift = 0
	return e
}

func byMay(method string) recipe {
	return func(environment string, runs int) Experiment { return May(environment, method, runs) }
}

// byJuly is [July]; the pair is ALLO's.
func byJuly(method string, pair BarrierPair) recipe {
	return func(environment string, runs int) Experiment {
		return July(environment, method, runs, pair.Barrier, pair.Rate)
	}
}

func byDifferences(k int, kappa float64, w Weights) recipe {
	return func(environment string, runs int) Experiment { return ByDifferences(environment, k, runs, kappa, w) }
}

// row is a variant in an environment, and the experiment behind it.
type row struct {
	variant
	experiment Experiment
	run        bool // false where the profile leaves it out
}

func experimentsOf(rows []row) (list []Experiment) {
	for _, r := range rows {
		if r.run {
			list = append(list, r.experiment)
		}
	}
	return list
}

// shown are rows with the result of each, nil where there is none.
type shown struct {
	rows    []row
	results []*Result
	origin  report.Origin
}

// entry completes a figure or table of trainings in grid worlds: plan are its rows, and write gets what it shows.
func entry(e report.Entry, plan func(lab.Profile) []row, write func(*lab.Lab, shown) error) report.Entry {
	e.Partial, e.Data = true, mazes
	list := func(p lab.Profile) []Experiment { return experimentsOf(plan(p)) }
	return report.Of(e, list, func(l *lab.Lab, results []*Result, origin report.Origin) error {
		s := shown{rows: plan(l.Profile), origin: origin}
		for _, r := range s.rows {
			var result *Result
			if r.run {
				result, results = results[0], results[1:]
			}
			s.results = append(s.results, result)
		}
		return write(l, s)
	})
}

// TableHead is what the JSON of a table that is not the paper's begins with.
type TableHead struct {
	Table      string        `json:"table"`
	Title      string        `json:"title"`
	Note       string        `json:"note"`
	Provenance report.Origin `json:"provenance"`
}

// smokeRuns is the number of runs of figure 1 in the smoke profile; tables have one.
const smokeRuns = 2

// under scales an experiment of the paper's down to the quick profile, with so many runs, all of the paper's for 0, and
// steps; or to the smoke profile, with so many runs.
func (e Experiment) under(p lab.Profile, quickRuns, quickSteps, smokeRuns int) Experiment {
	switch p {
	case lab.Quick:
		if quickRuns > 0 {
			e.Seeds = lab.Seeds(quickRuns)
		}
		return e.Here().WithSteps(quickSteps)
	case lab.Smoke:
		return e.smoke(smokeRuns)
	}
	return e
}

// quickTrialSteps is the number of steps of the quick profile in tables that are not the paper's.
const quickTrialSteps = 2_000

// quickSteps gives the steps of one run of the quick profile in an environment, such that all of figure 1 takes three
// minutes on two cores. A step is the dearer the more states there are, so larger environments get fewer steps.
func quickSteps(environment string) int {
	switch n := states(environment); {
	case n <= 161:
		return 3_000
	case n <= 300:
		return 2_500
	case n <= 600:
		return 1_600
	}
	return 1_000
}

// states is the number of states of an environment; 0 of an unknown one, which is refused elsewhere.
func states(environment string) int {
	g, err := gridworld.Load(environment)
	if err != nil {
		return 0
	}
	return g.N()
}

// Reading is what the paper's text leaves open in its reinforcement-learning experiment; see the table choices_k50.
type Reading struct {
	Gamma   float64 // discount of the pair law
	Shift   float64 // κ in T = P + κI
	Overlap Overlap // what M[f] is estimated from
}

// ChosenReading is the reading of the text behind the rows of figure 1 and Table 2 by the text's protocol: pairs with
// the geometric discount 0.9 of the code that the paper builds on, the shift by I of the text, and M[f] from the two
// batches of states that the code draws for ALLO's constraint. The text says transitions, and does not say what M[f] is
// estimated from.
var ChosenReading = Reading{Gamma: 0.9, Shift: 1, Overlap: OverlapStates}

// dataNote says what the runs of the two protocols share.
const dataNote = " By the public code's protocol all runs of an environment have the data of its seed 1234, and " +
	"by the text's each its own."

// standIn follows the name of an environment whose maze is ours, since the official layout was not at hand.
const standIn = "(stand-in)"

// placed names an environment in the row of a table.
func placed(environment string, generated bool) string {
	if generated {
		return environment + " " + standIn
	}
	return environment
}

func isStandIn(r *Result) bool { return r != nil && r.Config.Generated }

// note is the sentence under a figure or table that keeps a quick run from passing for the paper's. runs says how many
// runs the paper has for what is shown.
func (s shown) note(p lab.Profile, runs string) string {
	text := p.Note(fmt.Sprintf("fewer runs or steps than the paper's protocol (%s steps; %s)",
		say.Thousands(paperSteps), runs))
	if p == lab.Paper {
		text += fmt.Sprintf(" The paper has %s steps; %s.", say.Thousands(paperSteps), runs)
	}
	var list []Experiment
	var planned []*Result
	for i, r := range s.results {
		if s.rows[i].run {
			planned = append(planned, r)
		}
		if r != nil {
			list = append(list, r.Config)
		}
	}
	return text + fmt.Sprintf(" Here: %s.", extent(list)) + report.NotRun(planned)
}

// extent tells the runs and steps of the experiments that are shown.
func extent(list []Experiment) string {
	if len(list) == 0 {
		return "0 runs of 0 steps"
	}
	var steps, runs []int
	for _, e := range list {
		steps, runs = append(steps, e.Train.Steps), append(runs, len(e.Seeds))
	}
	if slices.Max(runs) == 1 {
		return fmt.Sprintf("1 run of %s steps", span(steps))
	}
	return fmt.Sprintf("%s runs of %s steps", span(runs), span(steps))
}

// span writes the range of counts, as "4" or "1 to 4".
func span(counts []int) string {
	from, to := slices.Min(counts), slices.Max(counts)
	if from == to {
		return say.Thousands(from)
	}
	return fmt.Sprintf("%s to %s", say.Thousands(from), say.Thousands(to))
}
