package graphs

import (
	"fmt"
	"slices"
	"strings"

	"operator-omm/ommlx/artifact/ledger"
	"operator-omm/ommlx/claims"
)

// Evidence lists the claims that rest on Table 3: its numbers, and what the text says of them.
func Evidence() []ledger.Source {
	table := Table3()
	return []ledger.Source{
		ledger.From("tab3-omm", table, besidePrinted("omm")),
		ledger.From("tab3-eigenmaps", table, besidePrinted(eigenmaps)),
		ledger.From("tab3-lora-diverges", table, loraDiverges),
		ledger.From("omm-beats-lora-sparse", table, besideLoRA),
		ledger.From("omm-captures-eigenfunctions", table, capturedBy),
		ledger.From("tab3-embedding-better", table, embeddingIsBetter),
		ledger.From("eigenmaps-embedding-drops", table, embeddingDrops),
		ledger.From("tab3-smoothed-close", table, smoothedAreClose),
	}
}

// besidePrinted counts what the rule says of the accuracies of a method beside the printed ones, by both readings of
// the paper's epochs.
func besidePrinted(method string) func(Tab3Data, *claims.Evidence) error {
	return func(d Tab3Data, e *claims.Evidence) error {
		cells := 0
		var each []string
		for _, r := range d.Rows {
			for _, c := range []Cell{r.Probe, r.Smoothed} {
				if r.Method != method || c.Paper == nil {
					continue
				}
				cells++
				ledger.Compare(e, c.Verdict)
			}
			if r.Method == method && r.Probe.Ours != nil {
				each = append(each, fmt.Sprintf("%s (%s) %.1f", r.Label, r.Functions, *r.Probe.Ours))
			}
		}
		if cells == 0 {
			return fmt.Errorf("it has no row of the paper's; make it again")
		}
		e.Note("linear probes on %s, in per cent: %s", d.Graph, strings.Join(each, ", "))
		return nil
	}
}

// loraDiverges measures the share of the trainings that the paper says to diverge and that did not.
func loraDiverges(d Tab3Data, e *claims.Evidence) error {
	named, stayed := map[string]bool{}, map[string]bool{}
	for _, r := range d.Rows {
		if r.PaperDiverged {
			named[r.Label] = true
			stayed[r.Label] = stayed[r.Label] || r.Probe.Ours != nil
		}
	}
	if len(named) == 0 {
		return fmt.Errorf("it has no training of LoRA; make it again")
	}
	finite := 0
	for _, s := range stayed {
		if s {
			finite++
		}
	}
	e.Printed(fmt.Sprintf("trainings of LoRA, of %d, that did not diverge", len(named)), float64(finite), 0)
	e.Note("on %s", d.Graph)
	ledger.Small(e, atScale(d))
	return nil
}

// besideLoRA says where LoRA and OMM diverge, and what they reach.
func besideLoRA(d Tab3Data, e *claims.Evidence) error {
	found := 0
	for _, r := range d.Rows {
		if r.Method != "lora" && r.Method != "omm" || r.Functions == "representation" || r.Runs == 0 {
			continue
		}
		found++
		if r.Probe.Ours == nil {
			e.Note("%s: %s", r.Label, r.Note)
		} else {
			e.Note("%s: %.1f %% on the embedding", r.Label, *r.Probe.Ours)
		}
	}
	if found == 0 {
		return fmt.Errorf("it has neither OMM nor LoRA; make it again")
	}
	ledger.Small(e, atScale(d))
	return nil
}

// capturedBy records by how much others capture more of the leading eigenvalues than OMM does.
func capturedBy(d Tab3Data, e *claims.Evidence) error {
	sums := map[string]float64{}
	for _, r := range d.Rows {
		if r.Captured != nil && r.Functions == "embedding" {
			sums[r.Label] = *r.Captured
			e.Note("%s: %.2f", r.Label, *r.Captured)
		}
	}
	own, found := sums["OMM"]
	if !found {
		return fmt.Errorf("it does not say what OMM captures; make it again")
	}
	for _, other := range []string{"Neural Eigenmaps", "LoRA"} {
		if sum, found := sums[other]; found {
			e.Printed("sum of leading eigenvalues captured by "+other+" less that of OMM", sum-own, 0)
		}
	}
	ledger.Small(e, atScale(d))
	return nil
}

// atScale tells whether the table is on the paper's graph.
func atScale(d Tab3Data) bool { return d.Graph == Paper("omm", 1).Graph }

// accuracies are those of the probe by what one of the paper's methods learned, in per cent: ours and the printed one,
// before Correct & Smooth and after it.
type accuracies struct{ ours, paper, smoothed, paperSmoothed float64 }

// accuracies are by method, "omm" or that of Neural Eigenmaps, and "representation" or "embedding", with epochs of
// edges. The error tells that the table has no such row of the paper's with our numbers.
func (d Tab3Data) accuracies() (map[string]map[string]accuracies, error) {
	all := map[string]map[string]accuracies{"omm": {}, eigenmaps: {}}
	for _, r := range d.Rows {
		p, s := r.Probe, r.Smoothed
		if !r.Nodes && all[r.Method] != nil && p.Paper != nil && p.Ours != nil && s.Paper != nil && s.Ours != nil {
			all[r.Method][r.Functions] = accuracies{*p.Ours, *p.Paper, *s.Ours, *s.Paper}
		}
	}
	for method, found := range all {
		if len(found) != 2 {
			return nil, fmt.Errorf("it has not both accuracies of %s; make it again", method)
		}
	}
	return all, nil
}

// embeddingIsBetter measures how far OMM's embedding is behind its representation, and behind the others after Correct
// & Smooth.
func embeddingIsBetter(d Tab3Data, e *claims.Evidence) error {
	all, err := d.accuracies()
	if err != nil {
		return err
	}
	own, other := all["omm"]["embedding"], all["omm"]["representation"]
	best := other
	for _, a := range all[eigenmaps] {
		best.smoothed, best.paperSmoothed = max(best.smoothed, a.smoothed), max(best.paperSmoothed, a.paperSmoothed)
	}
	e.Printed("points by which the representation is ahead of the embedding", other.ours-own.ours, 0)
	e.Printed("points by which another one is ahead of it after Correct & Smooth", best.smoothed-own.smoothed, 0)
	e.Note("printed %+.2f and %+.2f", other.paper-own.paper, best.paperSmoothed-own.paperSmoothed)
	ledger.Small(e, atScale(d))
	return nil
}

// embeddingDrops measures what Neural Eigenmaps loses from its representation to its embedding.
func embeddingDrops(d Tab3Data, e *claims.Evidence) error {
	all, err := d.accuracies()
	if err != nil {
		return err
	}
	embedding, representation := all[eigenmaps]["embedding"], all[eigenmaps]["representation"]
	e.Printed("points by which its embedding is ahead of its representation", embedding.ours-representation.ours, 0)
	e.Note("printed %+.2f; one graph", embedding.paper-representation.paper)
	ledger.Small(e, atScale(d))
	return nil
}

// smoothedAreClose measures whether Correct & Smooth brings the accuracies closer together, which is what "relatively
// close" is read as, and whether it lowers one.
func smoothedAreClose(d Tab3Data, e *claims.Evidence) error {
	all, err := d.accuracies()
	if err != nil {
		return err
	}
	var before, after, printedBefore, printedAfter []float64
	for _, method := range []string{eigenmaps, "omm"} {
		for _, functions := range []string{"representation", "embedding"} {
			a := all[method][functions]
			before, after = append(before, a.ours), append(after, a.smoothed)
			printedBefore, printedAfter = append(printedBefore, a.paper), append(printedAfter, a.paperSmoothed)
			e.Printed("points lost by Correct & Smooth", a.ours-a.smoothed, 0)
		}
	}
	e.Printed("distance of the largest from the smallest after it over that before", width(after)/width(before), 1)
	e.Note("the largest is %.1f points above the smallest before it, and %.1f after; printed %.1f and %.1f",
		width(before), width(after), width(printedBefore), width(printedAfter))
	ledger.Small(e, atScale(d))
	return nil
}

// width is the distance of the largest from the smallest.
func width(all []float64) float64 { return slices.Max(all) - slices.Min(all) }
