package rl

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/lab"
	"omm-go/ommlx/artifact/ledger"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/claims"
	"omm-go/ommlx/internal/say"
)

// Evidence lists the claims that rest on figure 1, Table 2 and the table of readings.
func Evidence() []ledger.Source {
	return []ledger.Source{
		ledger.From("seq-vs-joint", Figure1(), nestingsAgree),
		ledger.From("fig1-comparable", Figure1(), isComparable),
		ledger.From("tab2-a", Table2(), tab2PartOf("a")),
		ledger.From("tab2-b", Table2(), tab2PartOf("b")),
		ledger.From("tab2-c", Table2(), tab2PartOf("c")),
		ledger.From("tab2-retuning-jump", Table2(), // a jump is more than what counts as comparable
			lead("a", "b", "ALLO's average before re-tuning less that after it", -leeway)),
		ledger.From("tab2-omm-comparable", Table2(),
			lead("b", "c", "re-tuned ALLO's average over the environments less that of OMM", leeway)),
		ledger.From("pair-law", Choices(), textAsItStands),
		ledger.From("allo-sweep", Sweep(), printedPairIsBest),
	}
}

// Headlines are the lines of README.md on section 3.1.
func Headlines() []report.Headline {
	return []report.Headline{
		report.NewHeadline("Figure 1: grid worlds, k = 11, mean cosine", "fig1-comparable", Figure1(), fig1Means),
		report.NewHeadline("Table 2 (a): k = 50, ALLO tuned for k = 11", "tab2-a", Table2(), tab2Means("a")),
		report.NewHeadline("Table 2 (b): k = 50, ALLO re-tuned", "tab2-b", Table2(), tab2Means("b")),
		report.NewHeadline("Table 2 (c): k = 50, OMM-seq", "tab2-c", Table2(), tab2Means("c")),
	}
}

// leeway is what counts as comparable in an average cosine similarity: the paper prints no numbers for its figure 1.
const leeway = 0.05

// atMost measures whether the mean of differences, one of each environment, is at most a limit. Where its 95% interval
// has the limit inside, nobody can tell.
func atMost(e *claims.Evidence, what string, differences []float64, limit float64) {
	mean, half := interval(differences)
	e.Uncertain(what, mean, limit, math.Abs(mean-limit) <= half)
	e.Note("%s: %.3f ± %.3f, the 95%% interval over the environments", what, mean, half)
}

// tab2PartOf compares a part of Table 2 by the public code's protocol with the print, see [Tab2Data.Apart]. A part that
// was not run everywhere marks the evidence as small. The time is that of the part.
func tab2PartOf(part string) func(Tab2Data, *claims.Evidence) error {
	return func(d Tab2Data, e *claims.Evidence) error {
		cells := d.Part(part, PublicProtocol)
		if len(cells) == 0 {
			return fmt.Errorf("it has no part (%s)", part)
		}
		e.Seconds = 0
		for _, c := range cells {
			if ledger.Small(e, c.atPaperScale()); c.Result != nil {
				e.Seconds += c.Result.Provenance.Seconds
			}
		}
		a := d.Apart(part, PublicProtocol)
		if a.Environments == 0 {
			e.Outcome, e.Reason = claims.Skipped, "no environment has a run yet"
			return nil
		}
		off := math.Abs(a.Difference)
		e.Uncertain("distance of our mean over the environments from the printed one", off, leeway,
			math.Abs(off-leeway) <= a.Within)
		e.Note("ours less the printed mean: %+.3f ± %.3f, the 95%% interval over %d environments", a.Difference,
			a.Within, a.Environments)
		for _, p := range []Protocol{PublicProtocol, PrintedProtocol} {
			if cells := d.Part(part, p); len(cells) > 0 {
				e.Note("(%s) by the %s, %s", part, p, beside(cells))
			}
		}
		return nil
	}
}

// beside writes our means beside the printed ones.
func beside(cells []Tab2Cell) string {
	var all []string
	var shown []Experiment
	for _, c := range cells {
		ours := "not run"
		if c.Result != nil {
			ours, shown = c.text(3), append(shown, c.Result.Config)
		}
		all = append(all, fmt.Sprintf("%s %s against %s", c.Environment, ours, c.paper(3)))
	}
	return fmt.Sprintf("%s: ours against the paper's: %s", extent(shown), strings.Join(all, ", "))
}

// lead measures whether our mean of a part of Table 2 less that of another is at most a limit on average over the
// environments in which both were run, where a part of which all runs diverged has 0. Their averages are noted beside
// the printed ones. A part that was not run everywhere marks the evidence as small.
func lead(first, second, what string, limit float64) func(Tab2Data, *claims.Evidence) error {
	return func(d Tab2Data, e *claims.Evidence) error {
		others := map[string]Tab2Cell{}
		for _, c := range d.Part(second, PublicProtocol) {
			others[c.Environment] = c
		}
		var means [4][]float64 // ours and the printed ones of both parts
		for _, a := range d.Part(first, PublicProtocol) {
			b := others[a.Environment]
			if ledger.Small(e, a.atPaperScale() && b.atPaperScale()); a.Result == nil || b.Result == nil {
				continue
			}
			for i, mean := range []float64{a.learned(), b.learned(), a.PaperMean, b.PaperMean} {
				means[i] = append(means[i], mean)
			}
		}
		if means[0] == nil {
			e.Outcome, e.Reason = claims.Skipped, "no environment has a run of both parts yet"
			return nil
		}
		e.Note("averages over %d environments: (%s) %.3f, (%s) %.3f; printed %.3f, %.3f", len(means[0]), first,
			stat.Mean(means[0], nil), second, stat.Mean(means[1], nil), stat.Mean(means[2], nil),
			stat.Mean(means[3], nil))
		floats.Sub(means[0], means[1])
		atMost(e, what, means[0], limit)
		return nil
	}
}

// tab2Means are the means of [Tab2Data.Apart] for a part by the public code's protocol, ours and the paper's.
func tab2Means(part string) func(Tab2Data) (paper, ours string, err error) {
	return func(d Tab2Data) (paper, ours string, err error) {
		a := d.Apart(part, PublicProtocol)
		runs, err := report.RunsEach(a.runs)
		if err != nil {
			return "", "", fmt.Errorf("no environment of part (%s) has a run: %w", part, err)
		}
		return fmt.Sprintf("%.3f", a.Printed), fmt.Sprintf("%.3f; %d of %d environments, %s", a.Ours, a.Environments,
			len(d.Part(part, PublicProtocol)), runs), nil
	}
}

// textAsItStands counts the environments in which the text's protocol, read as it stands, is more than the leeway below
// the printed mean of part (c) of Table 2, and notes what other protocols give there.
func textAsItStands(d TrialsData, e *claims.Evidence) error {
	below, of := 0, 0
	var all []string
	for _, r := range d.Rows {
		if r.Result == nil || r.Printed == nil {
			return fmt.Errorf("it has a row of %s without a result; make it again", r.Environment)
		}
		ledger.Small(e, r.Result.Config.atPaperScale())
		if r.Name == labelText {
			if of++; report.OrNaN(r.Mean) < *r.Printed-leeway {
				below++
			}
		}
		all = append(all, fmt.Sprintf("%s, %s: %s in %s%s, printed %.3f", r.Environment, r.Name, r.text(3),
			say.Count(len(r.Result.Runs), "run"), alsoDiverged(r.Result), *r.Printed))
	}
	if ledger.Small(e, of > 0); e.Outcome == claims.Done {
		e.Uncertain(fmt.Sprintf("environments, of %d, in which the text as it stands is more than %g below the "+
			"printed mean", of, leeway), float64(below), 0, false)
	}
	e.Note("%s", strings.Join(all, "; "))
	return nil
}

// printedPairIsBest counts the pairs that are ahead of the paper's best one in the whole sweep.
func printedPairIsBest(d SweepData, e *claims.Evidence) error {
	for _, env := range d.Environments {
		if got, want := len(env.Cells), len(d.Barriers)*len(d.Rates); got != want {
			return fmt.Errorf("it has %d pairs in %s where there must be %d; make it again", got, env.Name, want)
		}
	}
	whole := sweepOf(lab.Paper)
	ledger.Small(e, len(d.Environments) == len(whole.environments) && slices.Equal(d.Barriers, whole.barriers) &&
		slices.Equal(d.Rates, whole.rates))
	for _, env := range d.Environments {
		ledger.Small(e, !slices.ContainsFunc(env.Cells, func(c SweepCell) bool { return c.NotRun }))
	}
	e.Note("%s", d.told())
	averages := d.averages()
	at := slices.IndexFunc(averages, func(c SweepCell) bool { return c.BarrierPair == retunedPair })
	if at < 0 {
		return nil
	}
	ahead := 0
	for _, c := range averages {
		if *c.Average > *averages[at].Average {
			ahead++
		}
	}
	if e.Outcome == claims.Done {
		e.Printed(fmt.Sprintf("pairs ahead of %s, of %d", retunedPair, len(d.Barriers)*len(d.Rates)), float64(ahead), 0)
	}
	e.Note("%s has the mean %.3f over the environments; ahead of it: %s", retunedPair, *averages[at].Average,
		say.Count(ahead, "pair"))
	return nil
}
