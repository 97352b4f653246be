package graphs

import (
	"fmt"
	"slices"

	"operator-omm/ommlx/artifact/ledger"
	"operator-omm/ommlx/claims"
)

// pair is a number of ours beside the printed one, in per cent.
type pair struct{ ours, paper float64 }

// accuracies returns the probe's accuracy by what one of the paper's methods learned, before Correct & Smooth and after
// it. The error tells that the table has no such row of the paper's with our numbers.
func (d Tab3Data) accuracies(method, functions string) (probe, smoothed pair, err error) {
	for _, r := range d.Rows {
		p, s := r.Probe, r.Smoothed
		if r.Method == method && r.Functions == functions && p.Paper != nil && p.Ours != nil && s.Paper != nil &&
			s.Ours != nil {
			return pair{*p.Ours, *p.Paper}, pair{*s.Ours, *s.Paper}, nil
		}
	}
	return pair{}, pair{}, fmt.Errorf("it has no accuracy by the %s of %s; make it again", functions, method)
}

// embeddingIsBetter measures how far OMM's embedding is behind its representation, and behind the others after Correct
// & Smooth.
func embeddingIsBetter(d Tab3Data, e *claims.Evidence) error {
	probe, smoothed, err := d.accuracies("omm", "embedding")
	if err != nil {
		return err
	}
	behind, smoothedBehind, err := d.accuracies("omm", "representation")
	if err != nil {
		return err
	}
	best := smoothedBehind
	for _, functions := range []string{"representation", "embedding"} {
		_, other, err := d.accuracies(eigenmaps, functions)
		if err != nil {
			return err
		}
		best = pair{max(best.ours, other.ours), max(best.paper, other.paper)}
	}
	e.Printed("points by which the representation is ahead of the embedding", behind.ours-probe.ours, 0)
	e.Printed("points by which another one is ahead of it after Correct & Smooth", best.ours-smoothed.ours, 0)
	e.Note("printed %+.2f and %+.2f", behind.paper-probe.paper, best.paper-smoothed.paper)
	ledger.Small(e, atScale(d))
	return nil
}

// embeddingDrops measures what Neural Eigenmaps loses from its representation to its embedding.
func embeddingDrops(d Tab3Data, e *claims.Evidence) error {
	embedding, _, err := d.accuracies(eigenmaps, "embedding")
	if err != nil {
		return err
	}
	representation, _, err := d.accuracies(eigenmaps, "representation")
	if err != nil {
		return err
	}
	e.Printed("points by which its embedding is ahead of its representation", embedding.ours-representation.ours, 0)
	e.Note("printed %+.2f; one graph", embedding.paper-representation.paper)
	ledger.Small(e, atScale(d))
	return nil
}

// smoothedAreClose measures whether Correct & Smooth brings the accuracies closer together, which is what "relatively
// close" is read as, and whether it lowers one.
func smoothedAreClose(d Tab3Data, e *claims.Evidence) error {
	var before, after, printedBefore, printedAfter []float64
	for _, method := range []string{eigenmaps, "omm"} {
		for _, functions := range []string{"representation", "embedding"} {
			probe, smoothed, err := d.accuracies(method, functions)
			if err != nil {
				return err
			}
			before, after = append(before, probe.ours), append(after, smoothed.ours)
			printedBefore, printedAfter = append(printedBefore, probe.paper), append(printedAfter, smoothed.paper)
			e.Printed("points lost by Correct & Smooth", probe.ours-smoothed.ours, 0)
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
