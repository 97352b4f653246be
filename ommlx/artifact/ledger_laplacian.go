package artifact

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"operator-omm/ommlx/claims"
)

// keptLaplacian are the claims about grid worlds that rest on figure 1, Table 2 and the table of readings.
var keptLaplacian = []kept{
	{"fig1-comparable", "figures/fig1_laplacian_rl.json", "make figures PROFILE=paper ONLY=fig1", reading(comparable)},
	{"tab2", "tables/tab2_ablation_k50.json", "make tables PROFILE=paper ONLY=tab2", reading(tab2PartOf("a"))},
	{"tab2", "tables/tab2_ablation_k50.json", "make tables PROFILE=paper ONLY=tab2", reading(tab2PartOf("b"))},
	{"tab2", "tables/tab2_ablation_k50.json", "make tables PROFILE=paper ONLY=tab2", reading(tab2PartOf("c"))},
	{"pair-law", "tables/choices_k50.json", "make tables PROFILE=paper ONLY=choices", reading(readingsOfTheProtocol)},
}

// reading decodes a result and lets measure fill in what it says.
func reading[T any](measure func(T, *claims.Evidence) error) func([]byte, *claims.Evidence) error {
	return func(text []byte, e *claims.Evidence) error {
		var data T
		if err := json.Unmarshal(text, &data); err != nil {
			return fmt.Errorf("it does not have the form that this version writes (%w); make it again", err)
		}
		return measure(data, e)
	}
}

// bar returns the mean of a method's runs in an environment; NaN where all diverged or none was done.
func (e Fig1Environment) bar(label string) float64 {
	for _, v := range e.Bars {
		if v.Label == label && !v.NotRun {
			return valueOrNaN(v.Mean)
		}
	}
	return math.NaN()
}

// average returns the mean of a method over the environments.
func (d Fig1Data) average(label string) float64 {
	mean := 0.0
	for _, env := range d.Environments {
		mean += env.bar(label) / float64(len(d.Environments))
	}
	return mean
}

// ahead counts the environments in which a method is at least as good as another.
func (d Fig1Data) ahead(label, other string) (count int) {
	for _, env := range d.Environments {
		if env.bar(label) >= env.bar(other) {
			count++
		}
	}
	return count
}

// leeway is what counts as comparable in an average cosine similarity: the paper prints no numbers for its figure 1.
const leeway = 0.05

// comparable compares ALLO with both nestings, by the average over the environments and one by one.
func comparable(d Fig1Data, e *claims.Evidence) error {
	allo := d.average("ALLO")
	for _, label := range []string{"OMM-seq", "OMM-joint"} {
		e.Printed("ALLO's average over the environments less that of "+label, allo-d.average(label), leeway)
		e.Note("%s %.3f, ALLO %.3f; %s ahead in %d of %d environments", label, d.average(label), allo, label, d.ahead(label, "ALLO"), len(d.Environments))
	}
	var each []string
	runs, steps := map[int]bool{}, map[int]bool{}
	for _, env := range d.Environments {
		each = append(each, fmt.Sprintf("%s %.2f/%.2f/%.2f", env.Name, env.bar("OMM-seq"), env.bar("OMM-joint"), env.bar("ALLO")))
		for _, v := range env.Bars {
			if v.Result != nil && !v.Beyond {
				steps[v.Result.Config.Train.Steps], runs[len(v.Result.Runs)] = true, true
			}
		}
	}
	e.Note("%s runs of %s steps; OMM-seq/OMM-joint/ALLO: %s", spanOf(runs), spanOf(steps), strings.Join(each, ", "))
	return nil
}

// spanOf writes the range of counts.
func spanOf(counts map[int]bool) string {
	from, to := math.MaxInt, 0
	for n := range counts {
		from, to = min(from, n), max(to, n)
	}
	if from == to {
		return itoa(from)
	}
	return fmt.Sprintf("%d to %d", from, to)
}

// meanStd writes a mean with its spread over runs in three digits; one run has no spread.
func meanStd(mean, std *float64) string {
	switch {
	case mean == nil:
		return "all runs diverged"
	case std == nil:
		return fmt.Sprintf("%.3f", *mean)
	}
	return fmt.Sprintf("%.3f ± %.3f", *mean, *std)
}

// tab2PartOf puts our means beside the printed ones of a part of Table 2 and counts those that the rule calls different.
func tab2PartOf(part string) func(Tab2Data, *claims.Evidence) error {
	return func(d Tab2Data, e *claims.Evidence) error {
		var beside []string
		differ, cells, runs, steps := 0, 0, map[int]bool{}, map[int]bool{}
		for _, c := range d.Cells {
			if c.Part != part {
				continue
			}
			cells++
			if c.Verdict == Differs {
				differ++
			}
			ours := "not run"
			if c.Result != nil {
				steps[c.Result.Config.Train.Steps], runs[len(c.Result.Runs)] = true, true
				ours = meanStd(c.Mean, c.Std)
			}
			beside = append(beside, fmt.Sprintf("%s %s against %s", c.Environment, ours, meanStd(&c.PaperMean, &c.PaperStd)))
		}
		if cells == 0 {
			return fmt.Errorf("it has no part (%s)", part)
		}
		if part != "a" {
			e.Seconds = 0 // the time in the file is that of the whole table
		}
		if e.Outcome == claims.Done { // of fewer steps, or of a single run, the rule says nothing
			e.Printed(fmt.Sprintf("(%s) means that differ from the printed ones, of %d", part, cells), float64(differ), 0)
		}
		e.Note("(%s), %s run(s) of %s steps; ours against the paper's: %s", part, spanOf(runs), spanOf(steps), strings.Join(beside, ", "))
		return nil
	}
}

// readingsOfTheProtocol says which reading comes nearest to the printed mean, and how far the text's own is off.
func readingsOfTheProtocol(d ChoicesData, e *claims.Evidence) error {
	nearest := map[string]ChoiceRow{}
	var environments []string
	for _, r := range d.Rows {
		off := math.Abs(r.All - r.PaperMean)
		if best, ok := nearest[r.Environment]; !ok || off < math.Abs(best.All-best.PaperMean) {
			if !ok {
				environments = append(environments, r.Environment)
			}
			nearest[r.Environment] = r
		}
		if r.Choice == (Choice{Gamma: 0, Shift: 1}) && r.Expectation == Minibatch {
			std := 0.0 // of one run there is none
			if r.Std != nil {
				std = *r.Std
			}
			e.Printed(fmt.Sprintf("%s: distance of the text's reading from the printed %s", r.Environment, meanStd(&r.PaperMean, &r.PaperStd)),
				off, max(0.01, 2*math.Hypot(std, r.PaperStd)))
		}
	}
	for _, name := range environments {
		var all []string
		for _, r := range d.Rows {
			if r.Environment == name {
				all = append(all, fmt.Sprintf("%s with %s", meanStd(&r.All, r.Std), r.reading()))
			}
		}
		best := nearest[name]
		e.Note("%s, %d run(s) of %d steps: %s; nearest to the printed mean: %s", name, len(best.Result.Runs), best.Result.Config.Train.Steps,
			strings.Join(all, ", "), best.reading())
	}
	return nil
}

// reading names a reading of the protocol.
func (r ChoiceRow) reading() string {
	how := map[Expectation]string{Minibatch: "", AllPairs: " (all pairs in every step)", Exact: " (exact P)"}[r.Expectation]
	return fmt.Sprintf("γ = %g, κ = %g%s", r.Choice.Gamma, r.Choice.Shift, how)
}
