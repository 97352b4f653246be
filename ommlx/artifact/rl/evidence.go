package rl

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/gomlx/support/xslices"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/internal/say"
)

var verdicts = map[Protocol]claims.Protocol{PrintedProtocol: claims.AsPrinted, PublicProtocol: claims.AsCode}

// from returns a source of a claim, for the verdict by a protocol or, with "", for every verdict. of returns the points
// of the exhibit.
func from[D any](claim string, exhibit report.Exhibit, p Protocol, of func(D) points,
	measure func(points, Protocol, *claims.Evidence)) claims.Source {
	s := claims.From(claim, exhibit, func(d D, e *claims.Evidence) error {
		measure(of(d), p, e)
		return nil
	})
	s.Protocol = verdicts[p]
	return s
}

// Evidence lists the claims that use figure 1, Table 2, the sweep or [Beyond].
func Evidence() []claims.Source {
	hard := func(d BeyondData) points { return d.points(spectrumModes) }
	at50 := func(d BeyondData) points { return d.points(tab2Modes) }
	all := []claims.Source{
		from("pair-law", Beyond(), "", at50, textAsItStands),
		from("rl-protocol-50", Table2(), PublicProtocol, Tab2Data.points, difference{
			"distance of the mean by the authors' recipe of k = 11 from the printed one", partSame, "", leeway, true,
			", the paper 5"}.measure),
		claims.From("allo-sweep", Sweep(), printedPairIsBest),
		from("seq-vs-joint", Beyond(), PublicProtocol, hard, jointAtFullShift),
		from("fig1-comparable", Beyond(), PrintedProtocol, hard, difference{
			"ALLO's lead over OMM-seq with batches of 4,096, average over the hard environments", labelLargeALLO,
			labelLarge, leeway, false, ""}.measure),
		from("omm-has-no-hyperparameters", Beyond(), "", at50, shiftMatters),
	}
	for _, p := range protocols {
		all = append(all,
			from("seq-vs-joint", Figure1(), p, Fig1Data.points, difference{
				"lead of joint over sequential nesting, average over the environments", labelJoint, labelSequential,
				leeway, false, ", the paper 4"}.measure),
			from("fig1-comparable", Figure1(), p, Fig1Data.points, alloComparable),
			from("tab2-retuning-jump", Table2(), p, Tab2Data.points, difference{
				"average lead of ALLO before re-tuning over ALLO after it", "a", "b", -leeway, false,
				", the paper 3 and 4"}.measure),
			from("allo-untuned-fails", Table2(), p, Tab2Data.points, untunedFails),
			from("tab2-omm-comparable", Table2(), p, Tab2Data.points, difference{
				"average lead of re-tuned ALLO over OMM", "b", "c", leeway, false, ", the paper 3 and 5"}.measure))
		for _, part := range paperParts {
			all = append(all, from("tab2-"+part, Table2(), p, Tab2Data.points, difference{
				"distance of our mean over the environments from the printed one", part, "", leeway, true,
				fmt.Sprintf(", the paper %d", paperRuns[part])}.measure))
		}
	}
	return all
}

// difference bounds the score of a row less the score of another one, on average over the environments.
type difference struct {
	what     string
	row      string // see [point]
	less     string // the other row; "": the paper's numbers
	limit    float64
	absolute bool   // the limit is on the absolute value
	paper    string // describes the paper's runs
}

// measure records the difference. If its 95% interval for these environments contains the limit, the measurement is
// open. The evidence is skipped without a common environment, and small if an environment is missing.
func (c difference) measure(d points, p Protocol, e *claims.Evidence) {
	a := d.of(p, c.row)
	b := a.printed()
	if c.less != "" {
		b = d.of(p, c.less)
	}
	rows := common(a, b)
	n := len(rows[0])
	if n == 0 {
		e.Outcome, e.Reason = claims.Skipped, "no environment has a run of both rows"
		return
	}
	e.AtScale(n == len(a) && n == len(b))
	e.Runs = runsOf(rows...) + c.paper
	by := rows[0].minus(rows[1], d.noise())
	note := fmt.Sprintf("averages over %d environments: %.3f and %.3f, difference %+.3f ± %.3f (95%% interval for "+
		"these environments; over environments ± %.3f)", n, by.Ours, by.Printed, by.Difference, by.Within, by.Elsewhere)
	if slices.ContainsFunc(rows[0], func(one point) bool { return one.Spread.Runs == 1 }) {
		note += "; a single run has the deviation pooled over the other cells"
	}
	e.Note("%s", note)
	value := by.Difference
	if c.absolute {
		value = math.Abs(value)
	}
	e.Between(c.what, value, c.limit, by.Within, by.Elsewhere)
}

// alloComparable compares ALLO with both nestings, on average over the environments and in each environment. Where the
// authors' logged runs are known, which the paper calls comparable, ALLO may lead as far as it does in them.
func alloComparable(d points, p Protocol, e *claims.Evidence) {
	for _, label := range []string{labelSequential, labelJoint} {
		lead := "ALLO's lead over " + label
		difference{lead + ", average over the environments", labelALLO, label, leeway, false,
			", the paper 4 and 10"}.measure(d, p, e)
		rows := common(d.of(p, labelALLO), d.of(p, label))
		certain := 0
		for i, allo := range rows[0] {
			omm := rows[1][i]
			apart, half := allo.Minus(omm.Spread)
			if math.IsNaN(omm.Mean) { // all runs diverged
				apart, half = allo.Mean, 0
			}
			switch theirs := allo.paper - omm.paper; {
			case !(apart-half > leeway):
			case apart-half > theirs || math.IsNaN(theirs):
				certain++
			default:
				e.Note("%s: %s is %.3f, in the authors' logged runs %.3f", allo.environment, lead, apart, theirs)
			}
		}
		what := fmt.Sprintf("environments, of %d, in which %s is certainly above %g", len(rows[0]), lead, leeway)
		if p == PublicProtocol {
			what += " and above the authors' own"
		}
		e.Printed(what, float64(certain), 0)
	}
}

// shiftMatters bounds the change of OMM-seq's mean score by the shift: it is small as printed, and not as corrected.
func shiftMatters(d points, p Protocol, e *claims.Evidence) {
	difference{"change of OMM-seq's mean score by the shift, κ = 1 to 0", labelNoShift, labelProducts, leeway, true,
		""}.measure(d, p, e)
	for _, m := range e.Measured {
		e.Corrected(fmt.Sprintf("%g less that change", leeway), leeway-m.Value, 0)
	}
}

// jointAtFullShift notes the scores of joint nesting with κ = 1, the only setting in which the authors' logged runs
// have it, and its lead over sequential nesting. Four environments do not decide the claim.
func jointAtFullShift(d points, p Protocol, e *claims.Evidence) {
	joint := d.of(p, labelJointShift)
	for _, one := range joint {
		theirs := shifted(May(one.environment, "omm_jnt"), 1).publicRuns()
		e.Note("joint nesting with κ = 1 in %s: %s, the authors' logged runs %.3f", one.environment, one.Text(3),
			theirs.mean())
	}
	var lead claims.Evidence
	difference{row: labelJointShift, less: labelFullShift}.measure(d, p, &lead)
	e.Runs, e.Notes = runsOf(joint), append(e.Notes, lead.Notes...)
}

// untunedFails bounds the score of ALLO before re-tuning by the mean that the paper prints after it.
func untunedFails(d points, p Protocol, e *claims.Evidence) {
	a, b := d.of(p, "a"), d.of(p, "b")
	for i := range min(len(a), len(b)) {
		a[i].paper, a[i].paperVariance = b[i].paper, b[i].paperVariance
	}
	rows := common(a)
	if len(rows[0]) == 0 {
		e.Outcome, e.Reason = claims.Skipped, "no environment has a run"
		return
	}
	by := rows[0].minusPaper(d.noise())
	e.AtScale(len(rows[0]) == len(a))
	e.Runs = runsOf(rows...) + ", the paper 4"
	e.Note("averages over %d environments: %.3f, and %.3f printed for (b), difference %+.3f ± %.3f", by.Environments,
		by.Ours, by.Printed, by.Difference, by.Within)
	e.Between("ALLO with the pair of k = 11 less the printed mean of re-tuned ALLO", by.Difference, -leeway, by.Within,
		by.Elsewhere)
}

// textAsItStands counts the environments in which the text's protocol is more than the leeway below the printed mean of
// part (c) of Table 2: read literally, and with M[f] as in ALLO's code.
func textAsItStands(d points, p Protocol, e *claims.Evidence) {
	for _, reading := range [][2]string{{"the text as it stands", labelText},
		{"the text with M[f] from two batches of states", labelTransitions}} {
		what, below, text := reading[0], 0, d.of(p, reading[1])
		for _, one := range text {
			if !(one.Mean >= one.paper-leeway) { // NaN if all runs diverged
				below++
			}
			e.Note("%s, %s: %s, printed %.3f", what, one.environment, one.Text(3), one.paper)
		}
		if e.AtScale(len(text) > 0); e.Outcome == claims.Done {
			e.Printed(fmt.Sprintf("environments, of %d, in which %s is more than %g below the printed mean", len(text),
				what, leeway), float64(below), 0)
		}
	}
}

// printedPairIsBest counts the pairs of the whole sweep that certainly beat the paper's best pair: the 95% interval of
// their lead over the environments is above 0. If other pairs lead by less, the measurement is open. The paper's pair
// scores 0 where it diverged.
func printedPairIsBest(d SweepData, e *claims.Evidence) error {
	for _, env := range d.Environments {
		e.AtScale(!slices.ContainsFunc(env.Cells, func(c SweepCell) bool { return c.NotRun }))
	}
	ahead, certain := 0, 0
	for _, c := range d.Environments[0].Cells {
		mean, half := interval(xslices.Map(d.Environments, func(env SweepEnvironment) float64 {
			if best := env.Score(retunedPair); !math.IsNaN(best) {
				return env.Score(c.BarrierPair) - best
			}
			return env.Score(c.BarrierPair)
		}))
		if mean > 0 {
			ahead++
		}
		if mean-half > 0 {
			certain++
		}
	}
	e.Runs = "1 run of each pair"
	if e.Outcome == claims.Done {
		e.Uncertain(fmt.Sprintf("pairs certainly ahead of %s, of %d", retunedPair, len(d.Barriers)*len(d.Rates)),
			float64(certain), 0, certain == 0 && ahead > 0)
	}
	e.Note("ahead of %s on average over the environments: %s, %d of them certainly", retunedPair,
		say.Count(ahead, "pair"), certain)
	return nil
}
