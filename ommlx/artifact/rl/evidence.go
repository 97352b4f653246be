package rl

import (
	"fmt"
	"math"
	"slices"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/internal/say"
)

var verdicts = map[Protocol]claims.Protocol{PrintedProtocol: claims.AsPrinted, PublicProtocol: claims.AsCode}

// from returns a source of a claim, for the verdict by a protocol or, with "", for every verdict.
func from[T any](claim string, entry report.Entry, p Protocol, measure func(T, *claims.Evidence)) claims.Source {
	s := claims.From(claim, entry, func(d T, e *claims.Evidence) error {
		measure(d, e)
		return nil
	})
	s.Protocol = verdicts[p]
	return s
}

// Evidence lists the claims that use figure 1, Table 2, the sweep or [Beyond].
func Evidence() []claims.Source {
	all := []claims.Source{
		from("pair-law", Beyond(), "", textAsItStands),
		from("allo-sweep", Sweep(), "", printedPairIsBest),
		from("omm-has-no-hyperparameters", Beyond(), "", func(d BeyondData, e *claims.Evidence) {
			near(e, "change of OMM-seq's mean score by the shift, κ = 1 to 0", d.scores(tab2Modes, labelNoShift),
				d.scores(tab2Modes, labelProducts), "")
		}),
	}
	for _, p := range protocols {
		all = append(all,
			from("seq-vs-joint", Figure1(), p, func(d Fig1Data, e *claims.Evidence) {
				atMost(e, "lead of joint over sequential nesting, average over the environments",
					d.scores(p, labelJoint), d.scores(p, labelSequential), leeway, ", the paper 4")
			}),
			from("fig1-comparable", Figure1(), p, func(d Fig1Data, e *claims.Evidence) { d.alloComparable(p, e) }))
		for i, part := range paperParts {
			all = append(all, from("tab2-"+part, Table2(), p, func(d Tab2Data, e *claims.Evidence) {
				rows := d.scores(part, p)
				near(e, "distance of our mean over the environments from the printed one", rows, rows.printed(),
					fmt.Sprintf(", the paper %d", paperRuns[i]))
			}))
		}
		all = append(all,
			from("tab2-retuning-jump", Table2(), p, func(d Tab2Data, e *claims.Evidence) {
				atMost(e, "average lead of ALLO before re-tuning over ALLO after it", d.scores("a", p),
					d.scores("b", p), -leeway, ", the paper 3 and 4")
			}),
			from("tab2-omm-comparable", Table2(), p, func(d Tab2Data, e *claims.Evidence) {
				atMost(e, "average lead of re-tuned ALLO over OMM", d.scores("b", p), d.scores("c", p), leeway,
					", the paper 3 and 5")
			}))
	}
	return all
}

// alloComparable compares ALLO with both nestings, on average over the environments and in each environment. Where the
// authors' logged runs are known, which the paper calls comparable, ALLO may lead as far as it does in them.
func (d Fig1Data) alloComparable(p Protocol, e *claims.Evidence) {
	for _, label := range []string{labelSequential, labelJoint} {
		rows := []scores{d.scores(p, labelALLO), d.scores(p, label)}
		atMost(e, "ALLO's lead over "+label+", average over the environments", rows[0], rows[1], leeway,
			", the paper 4 and 10")
		rows = common(rows...)
		allo, omm := rows[0], rows[1]
		certain := 0
		for i := range allo {
			lead, half := allo[i].Minus(omm[i].Spread)
			if math.IsNaN(omm[i].Mean) { // all runs diverged
				lead, half = allo[i].Mean, 0
			}
			switch theirs := allo[i].paper - omm[i].paper; {
			case !(lead-half > leeway):
			case lead-half > theirs || math.IsNaN(theirs):
				certain++
			default:
				e.Note("%s: ALLO's lead over %s is %.3f, in the authors' logged runs %.3f", allo[i].environment, label,
					lead, theirs)
			}
		}
		what := fmt.Sprintf("environments, of %d, in which ALLO's lead over %s is certainly above %g", len(allo), label,
			leeway)
		if p == PublicProtocol {
			what += " and above the authors' own"
		}
		e.Printed(what, float64(certain), 0)
	}
}

// atMost measures whether the score of row a less the score of row b is at most a limit on average over the
// environments. If the 95% interval of the average contains the limit, the measurement is open. paper describes the
// paper's runs.
func atMost(e *claims.Evidence, what string, a, b scores, limit float64, paper string) {
	if mean, half, ok := difference(e, a, b, paper); ok {
		e.Uncertain(what, mean, limit, math.Abs(mean-limit) <= half)
	}
}

// near measures whether the averages of two rows differ by at most the leeway.
func near(e *claims.Evidence, what string, a, b scores, paper string) {
	if mean, half, ok := difference(e, a, b, paper); ok {
		e.Uncertain(what, math.Abs(mean), leeway, math.Abs(math.Abs(mean)-leeway) <= half)
	}
}

// difference returns the average over the environments of the score of row a less the score of row b, and half of its
// 95% interval. The evidence is skipped without a common environment, and small if an environment is missing.
func difference(e *claims.Evidence, a, b scores, paper string) (mean, half float64, ok bool) {
	rows := common(a, b)
	n := len(rows[0])
	if n == 0 {
		e.Outcome, e.Reason = claims.Skipped, "no environment has a run of both rows"
		return 0, 0, false
	}
	e.AtScale(n == len(a) && n == len(b))
	e.Runs = runsOf(rows...) + paper
	mean, half = less(rows[0], rows[1])
	e.Note("averages over %d environments: %.3f and %.3f, difference %+.3f ± %.3f (95%% interval)", n, rows[0].mean(),
		rows[1].mean(), mean, half)
	return mean, half, true
}

// textAsItStands counts the environments in which the text's protocol, read literally, is more than the leeway below
// the printed mean of part (c) of Table 2.
func textAsItStands(d BeyondData, e *claims.Evidence) {
	below, text := 0, d.scores(tab2Modes, labelText)
	for _, one := range text {
		if !(one.Mean >= one.paper-leeway) { // NaN if all runs diverged
			below++
		}
		e.Note("%s: %s, printed %.3f", one.environment, one.Text(3), one.paper)
	}
	if e.AtScale(len(text) > 0); e.Outcome == claims.Done {
		e.Printed(fmt.Sprintf("environments, of %d, in which the text as it stands is more than %g below the "+
			"printed mean", len(text), leeway), float64(below), 0)
	}
}

// printedPairIsBest counts the pairs of the whole sweep that certainly beat the paper's best pair: the 95% interval of
// their lead over the environments is above 0. If other pairs lead by less, the measurement is open. The paper's pair
// scores 0 where it diverged.
func printedPairIsBest(d SweepData, e *claims.Evidence) {
	for _, env := range d.Environments {
		e.AtScale(!slices.ContainsFunc(env.Cells, func(c SweepCell) bool { return c.NotRun }))
	}
	ahead, certain := 0, 0
	for _, c := range d.Environments[0].Cells {
		var leads []float64
		for _, env := range d.Environments {
			best := env.Score(retunedPair)
			if math.IsNaN(best) {
				best = 0
			}
			leads = append(leads, env.Score(c.BarrierPair)-best)
		}
		mean, half := interval(leads)
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
}
