package rl

import (
	"fmt"
	"slices"
	"strings"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/internal/say"
)

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

func (r Reading) describe() string {
	return fmt.Sprintf("γ = %g, κ = %g, M[f] from %s", r.Gamma, r.Shift, r.Overlap.words())
}

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

// latin writes a reading in the letters that a PDF has.
var latin = strings.NewReplacer("γ", "gamma", "κ", "kappa")

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
		return "0 run(s) of 0 steps"
	}
	var steps, runs []int
	for _, e := range list {
		steps, runs = append(steps, e.Train.Steps), append(runs, len(e.Seeds))
	}
	return fmt.Sprintf("%s run(s) of %s steps", span(runs), span(steps))
}

// span writes the range of counts, as "4" or "1 to 4".
func span(counts []int) string {
	from, to := slices.Min(counts), slices.Max(counts)
	if from == to {
		return say.Thousands(from)
	}
	return fmt.Sprintf("%s to %s", say.Thousands(from), say.Thousands(to))
}
