package rl

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/ledger"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/internal/say"
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

// leeway is what counts as comparable in an average cosine similarity: the paper prints no numbers for its figure 1.
const leeway = 0.05

// atPaperScale tells whether every row of the paper's figure by the public code's protocol was run as that says.
func (d Fig1Data) atPaperScale() bool {
	for _, env := range d.Environments {
		for _, label := range []string{labelSequential, labelJoint, labelALLO} {
			if v := env.Row(PublicProtocol, label); v.Result == nil || !v.Result.Config.atPaperScale() {
				return false
			}
		}
	}
	return true
}

// isComparable compares ALLO with both nestings by the public code's protocol, paired over the environments. What the
// text's protocol gives is noted.
func isComparable(d Fig1Data, e *claims.Evidence) error {
	ledger.Small(e, d.atPaperScale())
	all := []string{labelSequential, labelJoint, labelALLO}
	public := d.environmentsWith(PublicProtocol, all...)
	if len(public.Environments) == 0 {
		e.Outcome, e.Reason = claims.Skipped, "no environment has a run of each method yet"
		return nil
	}
	for _, label := range all[:2] {
		atMost(e, "ALLO's average over the environments less that of "+label,
			public.leads(PublicProtocol, labelALLO, label), leeway)
	}
	var each []string
	var shown []Experiment
	for _, env := range public.Environments {
		var means []string
		for _, label := range all {
			v := env.Row(PublicProtocol, label)
			means, shown = append(means, fmt.Sprintf("%.2f", report.OrNaN(v.Mean))), append(shown, v.Result.Config)
		}
		each = append(each, env.Name+" "+strings.Join(means, "/"))
	}
	e.Note("%s, OMM-seq/OMM-joint/ALLO by the public code's protocol: %s", extent(shown), strings.Join(each, ", "))
	for _, label := range all {
		public.beside(e, label)
	}
	if text := d.environmentsWith(PrintedProtocol, all...); len(text.Environments) > 0 {
		e.Note("by the text's protocol, with its own data for each run: OMM-seq %.3f, OMM-joint %.3f, ALLO %.3f over "+
			"%d environments", text.average(PrintedProtocol, labelSequential),
			text.average(PrintedProtocol, labelJoint), text.average(PrintedProtocol, labelALLO), len(text.Environments))
	}
	return nil
}

// leads are, environment by environment, the mean of a method less that of another.
func (d Fig1Data) leads(p Protocol, label, other string) (leads []float64) {
	leads = d.means(p, label)
	floats.Sub(leads, d.means(p, other))
	for i, lead := range leads {
		if math.IsNaN(lead) {
			leads[i] = 1 // one of them always diverged, which is not comparable
		}
	}
	return leads
}

// beside notes how far the rows of a method are from the public code's own runs.
func (d Fig1Data) beside(e *claims.Evidence, label string) {
	var apart []float64
	most, where := 0.0, ""
	for _, env := range d.Environments {
		v := env.Row(PublicProtocol, label)
		if v.Theirs == nil || v.Mean == nil {
			continue
		}
		difference := *v.Mean - *v.Theirs
		if apart = append(apart, difference); math.Abs(difference) >= math.Abs(most) {
			most, where = difference, env.Name
		}
	}
	if len(apart) > 0 {
		e.Note("%s less the public code's own runs: %+.3f over %d environments, %+.3f at most (%s)", label,
			stat.Mean(apart, nil), len(apart), most, where)
	}
}

// nestingsAgree compares sequential with joint nesting over the environments by the public code's protocol.
func nestingsAgree(d Fig1Data, e *claims.Evidence) error {
	ledger.Small(e, d.atPaperScale())
	public := d.environmentsWith(PublicProtocol, labelSequential, labelJoint)
	if len(public.Environments) == 0 {
		e.Outcome, e.Reason = claims.Skipped, "no environment has a run of each method yet"
		return nil
	}
	leads := public.leads(PublicProtocol, labelJoint, labelSequential)
	atMost(e, "joint nesting's average over the environments less that of sequential nesting", leads, leeway)
	e.Note("sequential %.3f, joint %.3f; sequential ahead in %d of %d environments",
		public.average(PublicProtocol, labelSequential), public.average(PublicProtocol, labelJoint),
		floats.Count(func(lead float64) bool { return lead <= 0 }, leads), len(leads))
	return nil
}

// atMost measures whether the mean of differences, one of each environment, is at most a limit. Where its 95% interval
// has the limit inside, nobody can tell.
func atMost(e *claims.Evidence, what string, differences []float64, limit float64) {
	mean, half, _ := report.SpreadOf(differences).Minus(report.Spread{Runs: len(differences)})
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
			ledger.Small(e, c.Result != nil && c.Result.Config.atPaperScale())
			if c.Result != nil {
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
			shown = append(shown, c.Result.Config)
			ours = c.Ours().Text(3)
		}
		all = append(all, fmt.Sprintf("%s %s against %s", c.Environment, ours, c.Paper().Text(3)))
	}
	return fmt.Sprintf("%s: ours against the paper's: %s", extent(shown), strings.Join(all, ", "))
}

// lead measures whether our mean of a part of Table 2 less that of another is at most a limit on average over the
// environments in which both were run, where a part of which all runs diverged has 0. Their averages are noted beside
// the printed ones. A part that was not run everywhere marks the evidence as small.
func lead(first, second, what string, limit float64) func(Tab2Data, *claims.Evidence) error {
	return func(d Tab2Data, e *claims.Evidence) error {
		others := d.Part(second, PublicProtocol)
		var differences []float64
		var ours, printed [2][]float64 // of each part
		for _, a := range d.Part(first, PublicProtocol) {
			i := slices.IndexFunc(others, func(c Tab2Cell) bool { return c.Environment == a.Environment })
			if i < 0 || a.Result == nil || others[i].Result == nil {
				ledger.Small(e, false)
				continue
			}
			for part, c := range []Tab2Cell{a, others[i]} {
				ledger.Small(e, c.Result.Config.atPaperScale())
				ours[part], printed[part] = append(ours[part], c.learned()), append(printed[part], c.PaperMean)
			}
			differences = append(differences, a.learned()-others[i].learned())
		}
		if len(differences) == 0 {
			e.Outcome, e.Reason = claims.Skipped, "no environment has a run of both parts yet"
			return nil
		}
		e.Note("averages over %d environments: (%s) %.3f, (%s) %.3f; printed %.3f, %.3f", len(differences),
			first, stat.Mean(ours[0], nil), second, stat.Mean(ours[1], nil), stat.Mean(printed[0], nil),
			stat.Mean(printed[1], nil))
		atMost(e, what, differences, limit)
		return nil
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
		if r.Name == choices().list[0].label {
			if of++; report.OrNaN(r.Mean) < *r.Printed-leeway {
				below++
			}
		}
		all = append(all, fmt.Sprintf("%s, %s: %s in %s%s, printed %.3f", r.Environment, r.Name,
			r.spread(r.Result).Text(3), say.Count(len(r.Result.Runs), "run"), diverged(r.Result), *r.Printed))
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
	all := len(d.Environments) == len(whole.environments) && slices.Equal(d.Barriers, whole.barriers) &&
		slices.Equal(d.Rates, whole.rates)
	averages := d.averages()
	at := slices.IndexFunc(averages, func(c SweepCell) bool { return c.BarrierPair == retunedPair })
	for _, env := range d.Environments {
		all = all && !slices.ContainsFunc(env.Cells, func(c SweepCell) bool { return c.NotRun })
	}
	ledger.Small(e, all)
	e.Note("%s", d.told())
	if at < 0 || !averages[at].finished() {
		return nil
	}
	ahead := 0
	for _, c := range averages {
		if c.finished() && *c.Average > *averages[at].Average {
			ahead++
		}
	}
	if e.Outcome == claims.Done {
		e.Printed(fmt.Sprintf("pairs ahead of %s, of %d", retunedPair, len(averages)), float64(ahead), 0)
	}
	e.Note("%s has the mean %.3f over the environments; ahead of it: %s", retunedPair, *averages[at].Average,
		say.Count(ahead, "pair"))
	return nil
}
