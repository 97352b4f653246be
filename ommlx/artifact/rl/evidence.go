package rl

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/internal/say"
)

// protocols are the protocols by which claims are judged; verdicts maps each to its verdict.
var protocols = []Protocol{PublicProtocol, PrintedProtocol}

var verdicts = map[Protocol]claims.Protocol{PrintedProtocol: claims.AsPrinted, PublicProtocol: claims.AsCode}

// leeway is the largest difference of average cosine similarities that counts as comparable. The paper defines none.
const leeway = 0.05

// Evidence lists the claims that use figure 1, Table 2, the sweep or [Beyond].
func Evidence() []claims.Source {
	all := []claims.Source{
		claims.From("pair-law", Beyond(), textAsItStands),
		claims.From("allo-sweep", Sweep(), printedPairIsBest),
		claims.From("omm-has-no-hyperparameters", Beyond(), func(d BeyondData, e *claims.Evidence) error {
			d = d.Only(tab2Modes, labelProducts, labelNoShift)
			near(e, "change of OMM-seq's mean score by the shift, κ = 1 to 0", d.scores(labelNoShift),
				d.scores(labelProducts), "")
			return nil
		}),
	}
	for _, p := range protocols {
		fig1 := func(claim string, measure func(Fig1Data, *claims.Evidence)) claims.Source {
			return claims.From(claim, Figure1(), func(d Fig1Data, e *claims.Evidence) error {
				measure(d, e)
				return nil
			})
		}
		tab2 := func(claim string,
			measure func(of func(part string) scores, d Tab2Data, e *claims.Evidence)) claims.Source {
			return claims.From(claim, Table2(), func(d Tab2Data, e *claims.Evidence) error {
				measure(func(part string) scores { return d.scores(part, p) }, d, e)
				return nil
			})
		}
		printed := func(part, paper string) claims.Source {
			return tab2("tab2-"+part, func(of func(string) scores, d Tab2Data, e *claims.Evidence) {
				near(e, "distance of our mean over the environments from the printed one", of(part), d.printed(part, p),
					", the paper "+paper)
			})
		}
		for _, s := range []claims.Source{
			fig1("seq-vs-joint", func(d Fig1Data, e *claims.Evidence) {
				atMost(e, "joint nesting's average over the environments less that of sequential nesting",
					d.scores(p, labelJoint), d.scores(p, labelSequential), leeway, ", the paper 4 and 10")
			}),
			fig1("fig1-comparable", func(d Fig1Data, e *claims.Evidence) { d.alloComparable(p, e) }),
			printed("a", "4"), printed("b", "3"), printed("c", "5"),
			tab2("tab2-retuning-jump", func(of func(string) scores, _ Tab2Data, e *claims.Evidence) {
				atMost(e, "ALLO's average before re-tuning less that after it", of("a"), of("b"), -leeway,
					", the paper 3 to 5")
			}),
			tab2("tab2-omm-comparable", func(of func(string) scores, _ Tab2Data, e *claims.Evidence) {
				atMost(e, "re-tuned ALLO's average over the environments less that of OMM", of("b"), of("c"), leeway,
					", the paper 3 to 5")
			}),
		} {
			s.Protocol = verdicts[p]
			all = append(all, s)
		}
	}
	return all
}

// alloComparable compares ALLO with both nestings, on average over the environments and in each environment.
func (d Fig1Data) alloComparable(p Protocol, e *claims.Evidence) {
	allo := d.scores(p, labelALLO)
	for _, label := range []string{labelSequential, labelJoint} {
		omm := d.scores(p, label)
		atMost(e, "ALLO's average over the environments less that of "+label, allo, omm, leeway,
			", the paper 4 and 10")
		certain := 0
		for i := range allo {
			if lead, half, _ := allo[i].Minus(omm[i].Spread); lead-half > leeway {
				certain++
			}
		}
		e.Printed(fmt.Sprintf("environments, of %d, in which ALLO's lead over %s is certainly above %g", len(allo),
			label, leeway), float64(certain), 0)
		if a, b, _ := pairs(allo.hard(), omm.hard()); len(a) > 1 {
			floats.Sub(a, b)
			mean, half := interval(a)
			e.Note("the same in the %d hard environments: %.3f ± %.3f", len(a), mean, half)
		}
	}
}

// scores are the scores of one row of a figure or table, one per environment.
type scores []point

type point struct {
	environment   string
	report.Spread // NaN if all runs diverged
	runs          int
}

func (d Fig1Data) scores(p Protocol, label string) (all scores) {
	for _, env := range d.Environments {
		v, c := env.Row(p, label), point{environment: env.Name}
		if v.Result != nil {
			c.Spread, c.runs = report.FromNumbers(v.Mean, v.Std, len(v.Result.Finished())), len(v.Result.Runs)
		}
		all = append(all, c)
	}
	return all
}

func (d Tab2Data) scores(part string, p Protocol) (all scores) {
	for _, c := range d.Judged(part, p) {
		one := point{environment: c.Environment}
		if c.Result != nil {
			one.Spread, one.runs = c.judged(), len(c.Result.Runs)
		}
		all = append(all, one)
	}
	return all
}

// printed returns the paper's numbers for [Tab2Data.scores].
func (d Tab2Data) printed(part string, p Protocol) (all scores) {
	for _, c := range d.Judged(part, p) {
		all = append(all, point{c.Environment, report.Spread{Mean: c.PaperMean, Std: c.PaperStd}, -1})
	}
	return all
}

func (d BeyondData) scores(name string) (all scores) {
	for _, r := range d.Rows {
		if r.Name == name {
			runs := len(r.Result().Runs)
			all = append(all, point{r.Environment, report.FromNumbers(r.Mean, r.Std, runs), runs})
		}
	}
	return all
}

func (c scores) hard() scores {
	return slices.DeleteFunc(slices.Clone(c), func(one point) bool {
		return !slices.Contains(hardInstances, one.environment)
	})
}

// pairs returns the scores of two rows in the environments in which both were run, and all numbers of runs. A row whose
// runs all diverged scores 0.
func pairs(a, b scores) (as, bs []float64, runs []int) {
	for _, x := range a {
		i := slices.IndexFunc(b, func(y point) bool { return y.environment == x.environment })
		if i < 0 || x.runs == 0 || b[i].runs == 0 {
			continue
		}
		as, bs = append(as, orZero(x.Mean)), append(bs, orZero(b[i].Mean))
		runs = append(runs, x.runs)
		if b[i].runs > 0 {
			runs = append(runs, b[i].runs)
		}
	}
	return as, bs, runs
}

func orZero(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return x
}

// atMost measures whether the score of row a less the score of row b is at most a limit on average over the
// environments. If the 95% interval of the average contains the limit, the measurement is open.
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
	as, bs, runs := pairs(a, b)
	if len(as) == 0 {
		e.Outcome, e.Reason = claims.Skipped, "no environment has a run of both rows"
		return 0, 0, false
	}
	e.AtScale(len(as) == len(a) && len(as) == len(b))
	each, _ := report.RunsEach(runs)
	e.Runs = strings.TrimSuffix(each, " each") + paper
	averages := fmt.Sprintf("%.3f and %.3f", stat.Mean(as, nil), stat.Mean(bs, nil))
	floats.Sub(as, bs)
	mean, half = interval(as)
	e.Note("averages over %d environments: %s, difference %+.3f ± %.3f (95%% interval)", len(as), averages, mean, half)
	return mean, half, true
}

// textAsItStands counts the environments in which the text's protocol, read literally, is more than the leeway below
// the printed mean of part (c) of Table 2, and notes the results of other protocols there.
func textAsItStands(d BeyondData, e *claims.Evidence) error {
	below, of := 0, 0
	var all []string
	for _, r := range d.Only(tab2Modes, labelText, labelProducts, labelSettings, labelScripts).Rows {
		if !slices.Contains(readEnvironments, r.Environment) || r.Printed == nil {
			continue
		}
		if r.Name == labelText {
			if of++; report.OrNaN(r.Mean) < *r.Printed-leeway {
				below++
			}
		}
		all = append(all, fmt.Sprintf("%s, %s: %s, printed %.3f", r.Environment, r.Name, r.text(3), *r.Printed))
	}
	if e.AtScale(of > 0); e.Outcome == claims.Done {
		e.Printed(fmt.Sprintf("environments, of %d, in which the text as it stands is more than %g below the "+
			"printed mean", of, leeway), float64(below), 0)
	}
	e.Note("%s", strings.Join(all, "; "))
	return nil
}

// printedPairIsBest counts the pairs of the whole sweep that certainly beat the paper's best pair: the 95% interval of
// their lead over the environments is above 0. If other pairs lead by less, the measurement is open.
func printedPairIsBest(d SweepData, e *claims.Evidence) error {
	all := len(d.Barriers) * len(d.Rates)
	for _, env := range d.Environments {
		if len(env.Cells) != all {
			return fmt.Errorf("sweep: %d pairs in %s, want %d; make the figure again", len(env.Cells), env.Name, all)
		}
		e.AtScale(!slices.ContainsFunc(env.Cells, func(c SweepCell) bool { return c.NotRun }))
	}
	ahead, certain := 0, 0
	for _, c := range d.averages() {
		var leads []float64
		for _, env := range d.Environments {
			leads = append(leads, env.Score(c.BarrierPair)-env.Score(retunedPair))
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
		e.Uncertain(fmt.Sprintf("pairs certainly ahead of %s, of %d", retunedPair, all), float64(certain), 0,
			certain == 0 && ahead > 0)
	}
	e.Note("%s", d.summary())
	e.Note("ahead of %s on average over the environments: %s, %d of them certainly", retunedPair,
		say.Count(ahead, "pair"), certain)
	return nil
}
