package graphs

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"omm-go/ommlx/artifact/claims"
)

// accuracies are the accuracies in per cent of the four rows that the paper prints, before and after Correct & Smooth.
type accuracies struct{ before, after []float64 }

// The rows of [accuracies], in the order of the table.
const (
	eigenmapsRepresentation = iota
	eigenmapsEmbedding
	ommRepresentation
	ommEmbedding
)

// Evidence lists the claims that rest on Table 3: its numbers and the paper's text on them.
func Evidence() []claims.Source {
	return []claims.Source{
		claims.From("tab3-omm", Table3(), compareWithPrinted("omm")),
		claims.From("tab3-eigenmaps", Table3(), compareWithPrinted(eigenmaps)),
		claims.From("tab3-lora-diverges", Table3(), loraDiverges),
		claims.From("tab3-normalisation", Table3(), withoutNorms),
		claims.From("omm-beats-lora-sparse", Table3(), compareLoRA),
		claims.From("omm-captures-eigenfunctions", Table3(), compareCaptured),
		stated("tab3-embedding-better", func(a accuracies, record atMost) {
			record("points by which the representation is ahead of the embedding",
				a.before[ommRepresentation]-a.before[ommEmbedding], 0)
			record("points by which another one is ahead of it after Correct & Smooth",
				slices.Max(a.after[:ommEmbedding])-a.after[ommEmbedding], 0)
		}),
		stated("eigenmaps-embedding-drops", func(a accuracies, record atMost) {
			record("points by which its embedding is ahead of its representation",
				a.before[eigenmapsEmbedding]-a.before[eigenmapsRepresentation], 0)
		}),
		stated("tab3-smoothed-close", func(a accuracies, record atMost) {
			lost := floats.SubTo(make([]float64, 4), a.before, a.after)
			width := func(x []float64) float64 { return slices.Max(x) - slices.Min(x) }
			record("points lost by Correct & Smooth", slices.Max(lost), 0)
			record("distance of the largest from the smallest after it over that before",
				width(a.after)/width(a.before), 1)
		}),
	}
}

// atMost records a value that is at most bound by the paper's text.
type atMost func(what string, value, bound float64)

// stated is a claim of the paper's text, measured by our accuracies, with the printed ones in notes.
func stated(claim string, measure func(a accuracies, record atMost)) claims.Source {
	return claims.From(claim, Table3(), func(d Tab3Data, e *claims.Evidence) error {
		var ours, paper accuracies
		for _, r := range d.Rows {
			if p, s := r.Probe, r.Smoothed; !r.Nodes && p.Paper != nil && p.Ours != nil && s.Ours != nil {
				ours.before, ours.after = append(ours.before, *p.Ours), append(ours.after, *s.Ours)
				paper.before, paper.after = append(paper.before, *p.Paper), append(paper.after, *s.Paper)
			}
		}
		if len(ours.before) != 4 {
			e.AtScale(false)
			e.Note("accuracies of OMM or Neural Eigenmaps are missing; make it again")
			return nil
		}
		measure(ours, e.Printed)
		measure(paper, func(_ string, value, _ float64) { e.Note("printed %+.2f", value) })
		return nil
	})
}

// compareWithPrinted counts the accuracies of a method that differ from the printed ones, for both readings of the
// paper's epochs.
func compareWithPrinted(method string) func(Tab3Data, *claims.Evidence) error {
	return func(d Tab3Data, e *claims.Evidence) error {
		var each []string
		count := map[claims.Verdict]int{}
		for _, r := range d.Rows {
			if r.Method != method {
				continue
			}
			count[r.Probe.Verdict]++
			count[r.Smoothed.Verdict]++
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

// withoutNorms counts the runs of Neural Eigenmaps without its norms that stay finite, and those of OMM that do not.
func withoutNorms(d Tab3Data, e *claims.Evidence) error {
	finite, diverged, all := 0, 0, 0
	for _, r := range d.Results {
		if r == nil || !r.Config.learns() {
			continue
		}
		for _, run := range r.Runs {
			switch n := r.Config.Network; {
			case n.Unnormalised:
				all++
				if run.Diverged == 0 {
					finite++
				} else {
					e.Note("Neural Eigenmaps, not normalised: %s", run.Note)
				}
			case r.Config.Method == "omm" && !n.Summed && run.Diverged > 0:
				diverged++
			}
		}
	}
	if all == 0 {
		e.AtScale(false)
		e.Note("Neural Eigenmaps without norms was not run")
		return nil
	}
	e.Printed(fmt.Sprintf("runs of Neural Eigenmaps without norms, of %d, that did not diverge", all),
		float64(finite), 0)
	e.Printed("runs of OMM that diverged", float64(diverged), 0)
	e.Note("on %s", d.Graph)
	return nil
}

// loraDiverges counts the trainings that diverged in the paper but not here.
func loraDiverges(d Tab3Data, e *claims.Evidence) error {
	all, finite := 0, 0
	for _, r := range d.Rows {
		if r.PaperDiverged && r.Method == "lora" && r.Functions != "representation" { // one row for each training
			all++
			e.AtScale(r.Runs > 0)
			if r.Probe.Ours != nil {
				finite++
			}
		}
	}
	e.Printed(fmt.Sprintf("trainings of LoRA, of %d, that did not diverge", all), float64(finite), 0)
	e.Note("on %s", d.Graph)
	return nil
}

// compareLoRA records by how many points the best of LoRA's embeddings is ahead of OMM's.
func compareLoRA(d Tab3Data, e *claims.Evidence) error {
	var own, best float64 // 0 if all runs diverged
	for _, r := range d.Rows {
		if r.Functions != "representation" && (r.Label == "OMM" || r.Method == "lora") {
			e.AtScale(r.Runs > 0)
			if ours := r.Probe.Ours; ours != nil && r.Method == "lora" {
				best = max(best, *ours)
			} else if ours != nil {
				own = *ours
			}
		}
		switch {
		case r.Method != "lora" && r.Method != "omm" || r.Functions == "representation" || r.Runs == 0:
		case r.Probe.Ours == nil:
			e.Note("%s: %s", r.Label, r.Note)
		default:
			e.Note("%s: %.1f %% on the embedding", r.Label, *r.Probe.Ours)
		}
	}
	e.Printed("points by which LoRA's embedding is ahead of OMM's, where LoRA does not diverge", best-own, 0)
	return nil
}

// compareCaptured records how much more of the leading eigenvalues other methods capture than OMM.
func compareCaptured(d Tab3Data, e *claims.Evidence) error {
	captured := map[string]float64{}
	for _, r := range d.Rows {
		if r.Captured != nil && r.Functions == "embedding" {
			captured[r.Label] = *r.Captured
			e.Note("%s: %.2f", r.Label, *r.Captured)
		}
	}
	own, found := captured["OMM"]
	if !found {
		e.AtScale(false)
		e.Note("the eigenvalues captured by OMM are missing")
		return nil
	}
	for _, other := range []string{"Neural Eigenmaps", "LoRA"} {
		if sum, found := captured[other]; found {
			e.Printed("sum of leading eigenvalues captured by "+other+" less that of OMM", sum-own, 0)
		}
	}
	return nil
}

// Headline is the line of README.md on Table 3: the representations, by the first reading of the epochs that was run.
func Headline() claims.Headline {
	return claims.NewHeadline("Table 3: graph, linear probe in %", "tab3-omm", Table3(),
		func(d Tab3Data) (paper, ours string, err error) {
			var numbers []claims.Pair
			for _, method := range []string{"omm", eigenmaps} {
				number := claims.Pair{Label: method}
				for _, r := range slices.Backward(d.Rows) {
					p := r.Probe
					if r.Method == method && r.Functions == "representation" && p.Paper != nil && p.Ours != nil {
						number = claims.Pair{Label: r.Label, Paper: p.Paper, Ours: p.Ours}
					}
				}
				numbers = append(numbers, number)
			}
			return claims.Pairs(numbers, ProductsName, d.Graph)
		})
}
