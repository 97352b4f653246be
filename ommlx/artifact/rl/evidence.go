package rl

import (
	"fmt"
	"math"
	"strings"

	"operator-omm/ommlx/artifact/ledger"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/claims"
)

// Evidence lists the claims that rest on figure 1, Table 2 and the table of readings.
func Evidence() []ledger.Source {
	return []ledger.Source{
		ledger.From("seq-vs-joint", Figure1(), nestingsAgree),
		ledger.From("fig1-comparable", Figure1(), isComparable),
		ledger.From("tab2-a", Table2(), tab2PartOf("a")),
		ledger.From("tab2-b", Table2(), tab2PartOf("b")),
		ledger.From("tab2-c", Table2(), tab2PartOf("c")),
		ledger.From("tab2-retuning-jump", Table2(), retuningJumps),
		ledger.From("tab2-omm-comparable", Table2(), ommKeepsUp),
		ledger.From("pair-law", Readings(), nearestReading),
		ledger.From("allo-sweep", Sweep(), printedPairIsBest),
	}
}

// leeway is what counts as comparable in an average cosine similarity: the paper prints no numbers for its figure 1.
const leeway = 0.05

// atPaperScale tells whether every bar of the paper's figure was run as the paper says.
func (d Fig1Data) atPaperScale() bool {
	for _, env := range d.Environments {
		for _, m := range fig1Methods() {
			if v := env.bar(m.label); !m.beyond && (v.Result == nil || !v.Result.Config.atPaperScale()) {
				return false
			}
		}
	}
	return true
}

// isComparable compares ALLO with both nestings in each environment, beyond the spread of the runs.
func isComparable(d Fig1Data, e *claims.Evidence) error {
	ledger.Small(e, d.atPaperScale())
	if d = d.of(labelSequential, labelJoint, labelALLO); len(d.Environments) == 0 {
		e.Outcome, e.Reason = claims.Skipped, "no environment has a run of each method yet"
		return nil
	}
	allo := d.average(labelALLO)
	for _, label := range []string{labelSequential, labelJoint} {
		beyond, upTo := math.Inf(-1), math.Inf(-1)
		for _, env := range d.Environments {
			lead, half, _ := env.bar(labelALLO).spread().Minus(env.bar(label).spread())
			if math.IsNaN(lead) {
				lead, half = 1, 0 // one of them always diverged, which is not comparable
			}
			beyond, upTo = max(beyond, lead-half), max(upTo, lead+half)
		}
		e.Uncertain("ALLO's largest lead over "+label+" in an environment, less half of its 95% interval", beyond,
			leeway, beyond <= leeway && upTo > leeway)
		e.Note("%s %.3f, ALLO %.3f; %s ahead in %d of %d environments",
			label, d.average(label), allo, label, d.ahead(label, labelALLO), len(d.Environments))
	}
	var each []string
	var shown []Experiment
	for _, env := range d.Environments {
		each = append(each, fmt.Sprintf("%s %.2f/%.2f/%.2f",
			env.Name, env.mean(labelSequential), env.mean(labelJoint), env.mean(labelALLO)))
		for _, v := range env.Bars {
			if v.Result != nil && !v.Beyond {
				shown = append(shown, v.Result.Config)
			}
		}
	}
	e.Note("%s; OMM-seq/OMM-joint/ALLO: %s", extent(shown), strings.Join(each, ", "))
	return nil
}

// nestingsAgree compares sequential with joint nesting over the environments.
func nestingsAgree(d Fig1Data, e *claims.Evidence) error {
	ledger.Small(e, d.atPaperScale())
	if d = d.of(labelSequential, labelJoint); len(d.Environments) == 0 {
		e.Outcome, e.Reason = claims.Skipped, "no environment has a run of each method yet"
		return nil
	}
	worst := math.Inf(1)
	var leads []float64
	for _, env := range d.Environments {
		leads = append(leads, env.mean(labelJoint)-env.mean(labelSequential))
		worst = min(worst, -leads[len(leads)-1])
	}
	sequential, joint := d.average(labelSequential), d.average(labelJoint)
	atMost(e, "joint nesting's average over the environments less that of sequential nesting", leads, leeway)
	e.Note("sequential %.3f, joint %.3f; sequential ahead in %d of %d environments, at worst behind by %.3f",
		sequential, joint, d.ahead(labelSequential, labelJoint), len(d.Environments), max(0, -worst))
	return nil
}

// atMost measures whether the mean of differences, one of each environment, is at most a limit. Where its 95% interval
// has the limit inside, nobody can tell.
func atMost(e *claims.Evidence, what string, differences []float64, limit float64) {
	mean, half, _ := report.SpreadOf(differences).Minus(report.Spread{Runs: len(differences)})
	e.Uncertain(what, mean, limit, math.Abs(mean-limit) <= half)
	e.Note("%s: %.3f ± %.3f, the 95%% interval over the environments", what, mean, half)
}

// tab2PartOf puts our means beside the printed ones of a part of Table 2 and counts what the rule says of them. The
// time is that of the part.
func tab2PartOf(part string) func(Tab2Data, *claims.Evidence) error {
	return func(d Tab2Data, e *claims.Evidence) error {
		cells := d.Part(part)
		if len(cells) == 0 {
			return fmt.Errorf("it has no part (%s)", part)
		}
		e.Seconds = 0
		for _, c := range cells {
			ledger.Compare(e, c.Verdict)
			if c.Result != nil {
				e.Seconds += c.Result.Provenance.Seconds
			}
		}
		e.Note("(%s), %s", part, beside(cells))
		for _, other := range tab2Parts() {
			if also := d.Part(other.part); other.ours > 0 && strings.HasPrefix(other.part, part) && len(also) > 0 {
				e.Note("%s, %s", other.label, beside(also))
			}
		}
		return nil
	}
}

// beside writes our means beside the printed ones, with their verdicts.
func beside(cells []Tab2Cell) string {
	var all []string
	var shown []Experiment
	for _, c := range cells {
		ours := "not run"
		if c.Result != nil {
			shown = append(shown, c.Result.Config)
			ours = c.Ours().Text(3)
		}
		all = append(all, fmt.Sprintf("%s %s against %s (%s)", c.Environment, ours, c.Paper().Text(3), c.Verdict))
	}
	return fmt.Sprintf("%s: ours against the paper's: %s", extent(shown), strings.Join(all, ", "))
}

// falls are, in those environments in which both parts of Table 2 were run, our mean of the first less that of the
// second, where a part of which all runs diverged has 0. Their averages are noted beside the printed ones. A part that
// was not run everywhere marks the evidence as small.
func (d Tab2Data) falls(e *claims.Evidence, first, second string) (differences []float64) {
	parts := []string{first, second}
	ours, printed := map[string]float64{}, map[string]float64{}
	for _, name := range tab2Environments() {
		cells := map[string]Tab2Cell{}
		for _, part := range parts {
			for _, c := range d.Part(part) {
				if c.Environment == name && c.Result != nil {
					cells[part] = c
					ledger.Small(e, c.Result.Config.atPaperScale())
				}
			}
		}
		if ledger.Small(e, len(cells) == len(parts)); len(cells) < len(parts) {
			continue
		}
		score := map[string]float64{}
		for part, c := range cells {
			if c.Mean != nil {
				score[part] = *c.Mean
			}
			ours[part], printed[part] = ours[part]+score[part], printed[part]+c.PaperMean
		}
		differences = append(differences, score[first]-score[second])
	}
	n := float64(len(differences))
	if n == 0 {
		e.Outcome, e.Reason = claims.Skipped, "no environment has a run of both parts yet"
		return nil
	}
	e.Note("averages over %d environments: (%s) %.3f, (%s) %.3f; printed %.3f, %.3f", len(differences),
		first, ours[first]/n, second, ours[second]/n, printed[first]/n, printed[second]/n)
	return differences
}

// retuningJumps measures by how much re-tuning lifts ALLO's average over the environments; a jump is more than the
// leeway of what counts as comparable.
func retuningJumps(d Tab2Data, e *claims.Evidence) error {
	if falls := d.falls(e, "a", "b"); falls != nil {
		atMost(e, "ALLO's average before re-tuning less that after it", falls, -leeway)
	}
	return nil
}

// ommKeepsUp measures how far OMM's average over the environments is from that of re-tuned ALLO.
func ommKeepsUp(d Tab2Data, e *claims.Evidence) error {
	if falls := d.falls(e, "b", "c"); falls != nil {
		atMost(e, "re-tuned ALLO's average over the environments less that of OMM", falls, leeway)
	}
	return nil
}

// nearestReading says which reading comes nearest to the printed mean in each environment, and counts those in which
// the text's own reading does not give it.
func nearestReading(d ReadingsData, e *claims.Evidence) error {
	text, unlike, open := 0, 0, 0
	for _, r := range d.Rows {
		if r.Result == nil {
			return fmt.Errorf("it has a row of %s without a result; make it again", r.Environment)
		}
		ledger.Small(e, r.Result.Config.atPaperScale() || r.variant().Transitions != 0)
		if r.variant() == textual {
			switch text++; r.Verdict {
			case report.Better, report.Worse, report.Diverged:
				unlike++
			case report.CannotTell:
				open++
			}
		}
	}
	if ledger.Small(e, text > 0); e.Outcome == claims.Done {
		what := fmt.Sprintf("environments, of %d, in which the text's reading does not give the printed mean", text)
		e.Uncertain(what, float64(unlike), 0, unlike == 0 && open > 0)
	}
	for _, name := range d.Environments() {
		var all []string
		for _, r := range d.Of(name) {
			all = append(all, fmt.Sprintf("%s with %s", r.Ours().Text(3), r.Name()))
		}
		best := "none"
		if r := d.Nearest(name); r.Result != nil {
			best = r.Name()
		}
		first := d.Of(name)[0].Result
		e.Note("%s, %d run(s) of %d steps, printed %s: %s; nearest: %s", name, len(first.Runs),
			first.Config.Train.Steps, tab2Paper("c", name).Text(3), strings.Join(all, "; "), best)
	}
	return nil
}
