package rl

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/say"
)

// Evidence lists the claims that rest on figure 1, Table 2 and the tables of variants.
func Evidence() []claims.Source {
	all := []claims.Source{
		claims.From("pair-law", Beyond(), textAsItStands),
		claims.From("allo-sweep", Sweep(), printedPairIsBest),
		claims.From("omm-has-no-hyperparameters", Beyond(), shiftMatters),
	}
	for _, p := range protocols {
		for _, s := range []claims.Source{
			claims.From("seq-vs-joint", Figure1(), nestingsAgree(p)),
			claims.From("fig1-comparable", Figure1(), isComparable(p)),
			claims.From("tab2-a", Table2(), tab2PartOf("a", p)),
			claims.From("tab2-b", Table2(), tab2PartOf("b", p)),
			claims.From("tab2-c", Table2(), tab2PartOf("c", p)),
			claims.From("tab2-retuning-jump", Table2(), // a jump is more than what counts as comparable
				lead("a", "b", p, "ALLO's average before re-tuning less that after it", -leeway)),
			claims.From("tab2-omm-comparable", Table2(),
				lead("b", "c", p, "re-tuned ALLO's average over the environments less that of OMM", leeway)),
		} {
			all = append(all, s.Under(verdicts[p]))
		}
	}
	return all
}

// protocols are those that claims are judged by, and verdicts the verdict that each belongs to.
var protocols = []Protocol{PublicProtocol, PrintedProtocol}

var verdicts = map[Protocol]claims.Protocol{PrintedProtocol: claims.AsPrinted, PublicProtocol: claims.AsCode}

// Headlines are the lines of README.md on section 3.1, two for each experiment.
func Headlines() (all []claims.Headline) {
	for _, p := range protocols {
		name := func(format string) string { return fmt.Sprintf(format, p) }
		for _, h := range []claims.Headline{
			claims.NewHeadline(name("Figure 1, %s: k = 11, mean cosine"), "fig1-comparable", Figure1(),
				fig1Means(p, false)),
			claims.NewHeadline(name("Figure 1, %s: the four hard environments"), "fig1-comparable", Figure1(),
				fig1Means(p, true)),
			claims.NewHeadline(name("Table 2 (a), %s: k = 50, ALLO tuned for k = 11"), "tab2-a", Table2(),
				tab2Means("a", p)),
			claims.NewHeadline(name("Table 2 (b), %s: ALLO re-tuned"), "tab2-b", Table2(), tab2Means("b", p)),
			claims.NewHeadline(name("Table 2 (c), %s: OMM-seq"), "tab2-c", Table2(), tab2Means("c", p)),
		} {
			all = append(all, h.Under(verdicts[p]))
		}
	}
	return all
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

// tab2PartOf compares a part of Table 2 by a protocol with the print, see [Tab2Data.Apart]. A part that was not run
// everywhere marks the evidence as small. The time is that of the part.
func tab2PartOf(part string, p Protocol) func(Tab2Data, *claims.Evidence) error {
	return func(d Tab2Data, e *claims.Evidence) error {
		cells := d.Judged(part, p)
		if len(cells) == 0 {
			e.Outcome, e.Reason = claims.Skipped, fmt.Sprintf("it has no part (%s), %s", part, p)
			return nil
		}
		e.Seconds = 0
		for _, c := range cells {
			if e.AtScale(c.atPaperScale()); c.Result != nil {
				e.Seconds += c.Result.Provenance.Seconds
			}
		}
		a := d.Apart(part, p)
		if a.Environments == 0 {
			e.Outcome, e.Reason = claims.Skipped, "no environment has a run yet"
			return nil
		}
		e.Runs = runsOf(a.runs, part)
		off := math.Abs(a.Difference)
		e.Uncertain("distance of our mean over the environments from the printed one", off, leeway,
			math.Abs(off-leeway) <= a.Within)
		e.Note("ours less the printed mean: %+.3f ± %.3f, the 95%% interval over %d environments", a.Difference,
			a.Within, a.Environments)
		e.Note("%s, %s", cells[0].Name, beside(cells))
		return nil
	}
}

// runsOf writes how many runs the cells of a part have, and how many the paper's.
func runsOf(counts []int, part string) string {
	each, _ := report.RunsEach(counts) // there are some
	paper := map[byte]int{'a': 4, 'b': 3, 'c': 5}[part[0]]
	return fmt.Sprintf("%s, the paper %d", strings.TrimSuffix(each, " each"), paper)
}

// beside writes our means beside the printed ones.
func beside(cells []Tab2Cell) string {
	var all []string
	var shown []Experiment
	for _, c := range cells {
		ours := "not run"
		if c.Result != nil {
			ours, shown = c.judged().Text(3), append(shown, c.Result.Config)
		}
		all = append(all, fmt.Sprintf("%s %s against %s", c.Environment, ours, c.paper(3)))
	}
	return fmt.Sprintf("%s: ours against the paper's: %s", extent(shown), strings.Join(all, ", "))
}

// lead measures whether our mean of a part of Table 2 by a protocol less that of another is at most a limit on average
// over the environments in which both were run, where a part of which all runs diverged has 0. Their averages are noted
// beside the printed ones. A part that was not run everywhere marks the evidence as small.
func lead(first, second string, p Protocol, what string, limit float64) func(Tab2Data, *claims.Evidence) error {
	return func(d Tab2Data, e *claims.Evidence) error {
		others := map[string]Tab2Cell{}
		for _, c := range d.Judged(second, p) {
			others[c.Environment] = c
		}
		var means [4][]float64 // ours and the printed ones of both parts
		var counts []int
		for _, a := range d.Judged(first, p) {
			b := others[a.Environment]
			if e.AtScale(a.atPaperScale() && b.atPaperScale()); a.Result == nil || b.Result == nil {
				continue
			}
			counts = append(counts, len(a.Result.Runs), len(b.Result.Runs))
			for i, mean := range []float64{a.learned(), b.learned(), a.PaperMean, b.PaperMean} {
				means[i] = append(means[i], mean)
			}
		}
		if means[0] == nil {
			e.Outcome, e.Reason = claims.Skipped, "no environment has a run of both parts yet"
			return nil
		}
		each, _ := report.RunsEach(counts)
		e.Runs = strings.TrimSuffix(each, " each") + ", the paper 3 to 5"
		e.Note("averages over %d environments: (%s) %.3f, (%s) %.3f; printed %.3f, %.3f", len(means[0]), first,
			stat.Mean(means[0], nil), second, stat.Mean(means[1], nil), stat.Mean(means[2], nil),
			stat.Mean(means[3], nil))
		floats.Sub(means[0], means[1])
		atMost(e, what, means[0], limit)
		return nil
	}
}

// tab2Means are the means of [Tab2Data.Apart] for a part by a protocol, ours and the paper's.
func tab2Means(part string, p Protocol) func(Tab2Data) (paper, ours string, err error) {
	return func(d Tab2Data) (paper, ours string, err error) {
		a := d.Apart(part, p)
		if a.Environments == 0 {
			return "", "", fmt.Errorf("no environment of part (%s) has a run, %s", part, p)
		}
		return fmt.Sprintf("%.3f", a.Printed), fmt.Sprintf("%.3f; %d environments, %s", a.Ours, a.Environments,
			runsOf(a.runs, part)), nil
	}
}

// shiftMatters measures whether the shift, which OMM needs if an operator is not positive, moves its score at k = 50.
func shiftMatters(d BeyondData, e *claims.Evidence) error {
	means := map[string][]float64{}
	var counts []int
	for _, r := range d.Only(tab2Modes, labelProducts, labelNoShift).Rows {
		result := r.Result()
		if r.Mean == nil {
			return fmt.Errorf("it has a row of %s without a score; make it again", r.Environment)
		}
		e.AtScale(result.Config.atPaperScale())
		means[r.Name], counts = append(means[r.Name], *r.Mean), append(counts, len(result.Runs))
	}
	with, without := means[labelProducts], means[labelNoShift]
	if len(with) == 0 || len(with) != len(without) {
		return errors.New("it lacks OMM-seq with or without the shift; make it again")
	}
	each, _ := report.RunsEach(counts)
	e.Runs = strings.TrimSuffix(each, " each")
	e.Note("mean over %d environments: κ = 1 %.3f, κ = 0 %.3f", len(with), stat.Mean(with, nil),
		stat.Mean(without, nil))
	floats.Sub(without, with)
	mean, half := interval(without)
	e.Uncertain("change of OMM-seq's mean score by the shift, κ = 1 to 0", math.Abs(mean), leeway,
		math.Abs(math.Abs(mean)-leeway) <= half)
	e.Note("%+.3f ± %.3f, the 95%% interval over the environments", mean, half)
	return nil
}

// textAsItStands counts the environments in which the text's protocol, read as it stands, is more than the leeway below
// the printed mean of part (c) of Table 2, and notes what other protocols give there.
func textAsItStands(d BeyondData, e *claims.Evidence) error {
	below, of := 0, 0
	var all []string
	for _, r := range d.Only(tab2Modes, labelText, labelProducts, labelSettings, labelScripts).Rows {
		if !slices.Contains(readEnvironments, r.Environment) {
			continue
		}
		result := r.Result()
		if len(r.Results) == 0 || r.Printed == nil {
			return fmt.Errorf("it has a row of %s without a result; make it again", r.Environment)
		}
		e.AtScale(result.Config.atPaperScale())
		if r.Name == labelText {
			if of++; report.OrNaN(r.Mean) < *r.Printed-leeway {
				below++
			}
		}
		all = append(all, fmt.Sprintf("%s, %s: %s in %s%s, printed %.3f", r.Environment, r.Name, r.text(3),
			say.Count(len(result.Runs), "run"), alsoDiverged(result), *r.Printed))
	}
	if e.AtScale(of > 0); e.Outcome == claims.Done {
		e.Uncertain(fmt.Sprintf("environments, of %d, in which the text as it stands is more than %g below the "+
			"printed mean", of, leeway), float64(below), 0, false)
	}
	e.Note("%s", strings.Join(all, "; "))
	return nil
}

// paired is the two-sided p of a paired t-test of differences, one of each environment; NaN for a single one.
func paired(differences []float64) float64 {
	mean, std := stat.MeanStdDev(differences, nil)
	n := float64(len(differences))
	if n < 2 {
		return math.NaN()
	}
	return 2 * distuv.StudentsT{Sigma: 1, Nu: n - 1}.CDF(-math.Abs(mean)*math.Sqrt(n)/std)
}

// printedPairIsBest counts the pairs that are ahead of the paper's best one in the whole sweep: certainly, if the 95%
// interval of the lead over the environments lies above 0. Pairs that are ahead by less leave it open.
func printedPairIsBest(d SweepData, e *claims.Evidence) error {
	for _, env := range d.Environments {
		if got, want := len(env.Cells), len(d.Barriers)*len(d.Rates); got != want {
			return fmt.Errorf("it has %d pairs in %s where there must be %d; make it again", got, env.Name, want)
		}
	}
	whole := sweepOf(run.Paper)
	e.AtScale(len(d.Environments) == len(whole.environments) && slices.Equal(d.Barriers, whole.barriers) &&
		slices.Equal(d.Rates, whole.rates))
	for _, env := range d.Environments {
		e.AtScale(!slices.ContainsFunc(env.Cells, func(c SweepCell) bool { return c.NotRun }))
	}
	e.Note("%s", d.told())
	certain := 0
	var chances []float64 // p of the pairs that are ahead
	for _, c := range d.averages() {
		var leads []float64
		for _, env := range d.Environments {
			leads = append(leads, env.Score(c.BarrierPair)-env.Score(retunedPair))
		}
		mean, half := interval(leads)
		if mean > 0 {
			chances = append(chances, paired(leads))
		}
		if mean-half > 0 {
			certain++
		}
	}
	e.Runs = "1 run of each pair"
	if e.Outcome == claims.Done {
		e.Uncertain(fmt.Sprintf("pairs certainly ahead of %s, of %d", retunedPair, len(d.Barriers)*len(d.Rates)),
			float64(certain), 0, certain == 0 && chances != nil)
	}
	e.Note("ahead of %s on average over the environments: %s, %d of them certainly", retunedPair,
		say.Count(len(chances), "pair"), certain)
	if chances != nil && !math.IsNaN(chances[0]) {
		e.Note("their paired t-tests over the environments have p from %.2f to %.2f", slices.Min(chances),
			slices.Max(chances))
	}
	return nil
}
