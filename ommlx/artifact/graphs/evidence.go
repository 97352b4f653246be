package graphs

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/graphs/ogb"
)

// Evidence lists the claims that rest on Table 3: its numbers, and what the text says of them. They are at the paper's
// scale on its graph.
func Evidence() []claims.Source {
	from := func(claim string, measure func(Tab3Data, *claims.Evidence) error) claims.Source {
		return claims.From(claim, Table3(), func(d Tab3Data, e *claims.Evidence) error {
			if !slices.ContainsFunc(d.Rows, func(r Tab3Row) bool { return r.Probe.Paper != nil }) {
				return errors.New("it has no row of the paper's; make it again")
			}
			e.AtScale(d.Graph == ogb.ProductsName)
			return measure(d, e)
		})
	}
	return []claims.Source{
		from("tab3-omm", besidePrinted("omm")),
		from("tab3-eigenmaps", besidePrinted(eigenmaps)),
		from("tab3-lora-diverges", loraDiverges),
		from("omm-beats-lora-sparse", besideLoRA),
		from("omm-captures-eigenfunctions", capturedBy),
		from("tab3-embedding-better", ofBoth(embeddingIsBetter)),
		from("eigenmaps-embedding-drops", ofBoth(embeddingDrops)),
		from("tab3-smoothed-close", ofBoth(smoothedAreClose)),
	}
}

// besidePrinted counts the accuracies of a method that are not those printed, by both readings of the paper's epochs.
func besidePrinted(method string) func(Tab3Data, *claims.Evidence) error {
	return func(d Tab3Data, e *claims.Evidence) error {
		var each []string
		count := map[claims.Verdict]int{}
		for _, r := range d.Rows {
			if r.Method != method {
				continue
			}
			for _, c := range []Cell{r.Probe, r.Smoothed} {
				if c.Paper != nil {
					count[c.Verdict]++
				}
			}
			if r.Probe.Ours != nil {
				each = append(each, fmt.Sprintf("%s (%s) %.1f", r.Label, r.Functions, *r.Probe.Ours))
			}
		}
		if e.AtScale(count[claims.NotTested] == 0); e.Outcome == claims.Done {
			e.Uncertain("printed accuracies that are not reproduced", float64(count[claims.NotReproduced]), 0,
				count[claims.NotReproduced] == 0 && count[claims.Undecided] > 0)
		}
		e.Note("linear probes on %s, in per cent: %s", d.Graph, strings.Join(each, ", "))
		return nil
	}
}

// loraDiverges counts the trainings that the paper says to diverge and that did not.
func loraDiverges(d Tab3Data, e *claims.Evidence) error {
	all, finite := 0, 0
	for _, r := range d.Rows {
		if r.PaperDiverged && r.Functions != "representation" { // one row for each training
			all++
			if r.Probe.Ours != nil {
				finite++
			}
		}
	}
	e.Printed(fmt.Sprintf("trainings of LoRA, of %d, that did not diverge", all), float64(finite), 0)
	e.Note("on %s", d.Graph)
	return nil
}

// besideLoRA says where LoRA and OMM diverge, and what they reach.
func besideLoRA(d Tab3Data, e *claims.Evidence) error {
	for _, r := range d.Rows {
		switch {
		case r.Method != "lora" && r.Method != "omm" || r.Functions == "representation" || r.Runs == 0:
		case r.Probe.Ours == nil:
			e.Note("%s: %s", r.Label, r.Note)
		default:
			e.Note("%s: %.1f %% on the embedding", r.Label, *r.Probe.Ours)
		}
	}
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
		return errors.New("it does not say what OMM captures; make it again")
	}
	for _, other := range []string{"Neural Eigenmaps", "LoRA"} {
		if sum, found := sums[other]; found {
			e.Printed("sum of leading eigenvalues captured by "+other+" less that of OMM", sum-own, 0)
		}
	}
	return nil
}

// accuracies are those of the probe by what one of the paper's methods learned, in per cent: ours and the printed one,
// before Correct & Smooth and after it.
type accuracies struct{ ours, paper, smoothed, paperSmoothed float64 }

// ofBoth gives a measure the accuracies of OMM and of Neural Eigenmaps, with epochs of edges, as of "omm embedding".
// The error tells that the table has no such row of the paper's with our numbers.
func ofBoth(measure func(of map[string]accuracies, e *claims.Evidence)) func(Tab3Data, *claims.Evidence) error {
	return func(d Tab3Data, e *claims.Evidence) error {
		found := map[string]accuracies{}
		for _, r := range d.Rows {
			p, s := r.Probe, r.Smoothed
			if !r.Nodes && p.Paper != nil && p.Ours != nil && s.Paper != nil && s.Ours != nil {
				found[r.Method+" "+r.Functions] = accuracies{*p.Ours, *p.Paper, *s.Ours, *s.Paper}
			}
		}
		if len(found) != 4 {
			return errors.New("it has not both accuracies of OMM and Neural Eigenmaps; make it again")
		}
		measure(found, e)
		return nil
	}
}

// embeddingIsBetter measures how far OMM's embedding is behind its representation, and behind the others after Correct
// & Smooth.
func embeddingIsBetter(of map[string]accuracies, e *claims.Evidence) {
	own, best := of["omm embedding"], of["omm representation"]
	e.Printed("points by which the representation is ahead of the embedding", best.ours-own.ours, 0)
	for _, functions := range []string{" representation", " embedding"} {
		other := of[eigenmaps+functions]
		best.smoothed = max(best.smoothed, other.smoothed)
		best.paperSmoothed = max(best.paperSmoothed, other.paperSmoothed)
	}
	e.Printed("points by which another one is ahead of it after Correct & Smooth", best.smoothed-own.smoothed, 0)
	e.Note("printed %+.2f and %+.2f", best.paper-own.paper, best.paperSmoothed-own.paperSmoothed)
}

func embeddingDrops(of map[string]accuracies, e *claims.Evidence) {
	a, b := of[eigenmaps+" embedding"], of[eigenmaps+" representation"]
	e.Printed("points by which its embedding is ahead of its representation", a.ours-b.ours, 0)
	e.Note("printed %+.2f; one graph", a.paper-b.paper)
}

// smoothedAreClose measures whether Correct & Smooth brings the accuracies closer together, which is what "relatively
// close" is read as, and whether it lowers one.
func smoothedAreClose(of map[string]accuracies, e *claims.Evidence) {
	var before, after, printedBefore, printedAfter []float64
	for _, learned := range []string{eigenmaps + " representation", eigenmaps + " embedding", "omm representation",
		"omm embedding"} {
		a := of[learned]
		before, after = append(before, a.ours), append(after, a.smoothed)
		printedBefore, printedAfter = append(printedBefore, a.paper), append(printedAfter, a.paperSmoothed)
		e.Printed("points lost by Correct & Smooth", a.ours-a.smoothed, 0)
	}
	e.Printed("distance of the largest from the smallest after it over that before", width(after)/width(before), 1)
	e.Note("the largest is %.1f points above the smallest before it, and %.1f after; printed %.1f and %.1f",
		width(before), width(after), width(printedBefore), width(printedAfter))
}

// width is the distance of the largest from the smallest.
func width(all []float64) float64 { return slices.Max(all) - slices.Min(all) }

// Headline is the line of README.md on Table 3: some of its rows.
func Headline() claims.Headline {
	return claims.NewHeadline("Table 3: graph, linear probe in %", "tab3-omm", Table3(),
		func(d Tab3Data) (paper, ours string, err error) {
			var numbers []claims.Pair
			for _, method := range []string{"omm", eigenmaps} {
				number := claims.Pair{Label: method}
				for _, r := range d.Rows {
					printed := r.Method == method && r.Functions == "representation" && r.Probe.Paper != nil
					if printed && number.Ours == nil { // the first reading of the epochs that was run
						number = claims.Pair{Label: r.Label, Paper: r.Probe.Paper, Ours: r.Probe.Ours}
					}
				}
				numbers = append(numbers, number)
			}
			return claims.Beside(numbers, ogb.ProductsName, d.Graph)
		})
}
