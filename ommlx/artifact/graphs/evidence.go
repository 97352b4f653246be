package graphs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"

	"omm-go/ommlx/artifact/claims"
)

// The rows that the paper prints, in the order of the table.
const (
	eigenmapsRepresentation = iota
	eigenmapsEmbedding
	ommRepresentation
	ommEmbedding
)

// Evidence lists the claims that rest on Table 3: its numbers and the paper's text on them.
func Evidence() []claims.Source {
	from := func(claim string, measure func(Tab3Data, *claims.Evidence)) claims.Source {
		return claims.From(claim, Table3(), func(d Tab3Data, e *claims.Evidence) error {
			measure(d, e)
			e.RanOn(d.Graph)
			return nil
		})
	}
	return []claims.Source{
		from("tab3-omm", compareWithPrinted("omm")),
		from("tab3-eigenmaps", compareWithPrinted(eigenmaps)),
		from("tab3-lora-diverges", loraDiverges),
		from("tab3-normalisation", withoutNorms),
		from("omm-beats-lora-sparse", compareLoRA),
		from("omm-captures-eigenfunctions", compareCaptured),
		from("omm-hyperparameter-free-graph", func(d Tab3Data, e *claims.Evidence) {
			e.Outcome = claims.Done // a remark: the spectrum of S decides
			e.Note("linear probes on %s, in per cent: %s", d.Graph, d.probes(func(r Tab3Row) bool {
				return r.Label == "OMM" || r.Label == shifted
			}))
		}),
		from("tab3-embedding-better", stated(func(before, after []float64, r *claims.Record) {
			r.Printed("points by which the representation is ahead of the embedding",
				before[ommRepresentation]-before[ommEmbedding], 0)
			r.Printed("points by which another one is ahead of it after Correct & Smooth",
				slices.Max(after[:ommEmbedding])-after[ommEmbedding], 0)
		})),
		from("eigenmaps-embedding-drops", stated(func(before, after []float64, r *claims.Record) {
			r.Printed("points by which its embedding is ahead of its representation",
				before[eigenmapsEmbedding]-before[eigenmapsRepresentation], 0)
		})),
		from("tab3-smoothed-close", stated(func(before, after []float64, r *claims.Record) {
			lost := floats.SubTo(make([]float64, 4), before, after)
			width := func(x []float64) float64 { return slices.Max(x) - slices.Min(x) }
			r.Printed("points lost by Correct & Smooth", slices.Max(lost), 0)
			r.Printed("distance of the largest from the smallest after it over that before",
				width(after)/width(before), 1)
		})),
	}
}

// stated measures a claim of the paper's text by our accuracies in the printed rows, in per cent before and after
// Correct & Smooth, with the printed ones in notes.
func stated(measure func(before, after []float64, r *claims.Record)) func(Tab3Data, *claims.Evidence) {
	return func(d Tab3Data, e *claims.Evidence) {
		var ours, paper [2][]float64
		for _, r := range d.Rows {
			if r.Nodes || r.Probe.Paper == nil || r.Probe.Ours == nil {
				continue
			}
			for i, c := range []Cell{r.Probe, r.Smoothed} {
				ours[i], paper[i] = append(ours[i], *c.Ours), append(paper[i], *c.Paper)
			}
		}
		if len(ours[0]) < 4 {
			return
		}
		var printed claims.Record
		measure(ours[0], ours[1], &e.Record)
		measure(paper[0], paper[1], &printed)
		for _, m := range printed.Measured {
			e.Note("printed %+.2f", m.Value)
		}
	}
}

// compareWithPrinted counts the accuracies of a method that differ from the printed ones, for both readings of the
// paper's epochs.
func compareWithPrinted(method string) func(Tab3Data, *claims.Evidence) {
	return func(d Tab3Data, e *claims.Evidence) {
		count := map[claims.Verdict]int{}
		for _, r := range d.Rows {
			if r.Method == method {
				count[r.Probe.Verdict]++
				count[r.Smoothed.Verdict]++
			}
		}
		if e.AtScale(count[claims.NotTested] == 0); e.Outcome == claims.Done {
			e.Uncertain("printed accuracies that are not reproduced", float64(count[claims.NotReproduced]), 0,
				count[claims.NotReproduced] == 0 && count[claims.Undecided] > 0)
		}
		e.Note("linear probes on %s, in per cent: %s", d.Graph, d.probes(func(r Tab3Row) bool {
			return r.Method == method
		}))
	}
}

// probes lists our accuracies in some rows, in per cent.
func (d Tab3Data) probes(of func(Tab3Row) bool) string {
	var each []string
	for _, r := range d.Rows {
		if of(r) && r.Probe.Ours != nil {
			name := r.Label
			if r.Method != Features && r.Functions != "none" {
				name += " (" + r.Functions + ")"
			}
			each = append(each, fmt.Sprintf("%s %.1f", name, *r.Probe.Ours))
		}
	}
	return strings.Join(each, ", ")
}

// withoutNorms counts the runs of Neural Eigenmaps without its norms that stay finite, and those of OMM that do not.
func withoutNorms(d Tab3Data, e *claims.Evidence) {
	var all, finite, diverged int
	for _, r := range d.Results {
		if r == nil || r.Config.Network == nil {
			continue
		}
		switch n := r.Config.Network; {
		case n.Unnormalised:
			all, finite = all+len(r.Runs), finite+len(r.Finished())
		case r.Config.Method == "omm" && !n.Summed:
			diverged += len(r.Runs) - len(r.Finished())
		}
	}
	if all > 0 {
		e.Printed(fmt.Sprintf("runs of Neural Eigenmaps without norms, of %d, that did not diverge", all),
			float64(finite), 0)
		e.Printed("runs of OMM that diverged", float64(diverged), 0)
		e.Note("on %s", d.Graph)
	}
}

// embeddings returns a row for each training by some methods: of the embedding, or of both if all runs diverged.
func (d Tab3Data) embeddings(methods ...string) (rows []Tab3Row) {
	for _, r := range d.Rows {
		if slices.Contains(methods, r.Method) && r.Functions != "representation" {
			rows = append(rows, r)
		}
	}
	return rows
}

// loraDiverges counts the trainings that diverged in the paper but not here.
func loraDiverges(d Tab3Data, e *claims.Evidence) {
	all, finite := 0, 0
	for _, r := range d.embeddings("lora") {
		if r.PaperDiverged {
			all++
			e.AtScale(r.Runs > 0)
			if r.Probe.Ours != nil {
				finite++
			}
		}
	}
	e.Printed(fmt.Sprintf("trainings of LoRA, of %d, that did not diverge", all), float64(finite), 0)
	e.Note("on %s", d.Graph)
}

// compareLoRA records by how many points the best of LoRA's embeddings is ahead of OMM's.
func compareLoRA(d Tab3Data, e *claims.Evidence) {
	best := map[string]float64{} // of LoRA and of plain OMM; 0 if all runs diverged
	for _, r := range d.embeddings("omm", "lora") {
		counts := r.Label == "OMM" || r.Method == "lora"
		if counts {
			e.AtScale(r.Runs > 0)
		}
		switch ours := r.Probe.Ours; {
		case ours != nil:
			e.Note("%s: %.1f %% on the embedding", r.Label, *ours)
			if counts {
				best[r.Method] = max(best[r.Method], *ours)
			}
		case r.Runs > 0:
			e.Note("%s: %s", r.Label, r.Note)
		}
	}
	e.Printed("points by which LoRA's embedding is ahead of OMM's, where LoRA does not diverge",
		best["lora"]-best["omm"], 0)
}

// compareCaptured records how much more of the leading eigenvalues other methods capture than OMM.
func compareCaptured(d Tab3Data, e *claims.Evidence) {
	captured := map[string]float64{}
	for _, r := range d.embeddings("omm", "lora", eigenmaps) {
		if r.Captured != nil {
			captured[r.Label] = *r.Captured
			e.Note("%s: %.2f", r.Label, *r.Captured)
		}
	}
	own, found := captured["OMM"]
	e.AtScale(found)
	for _, other := range []string{"Neural Eigenmaps", "LoRA"} {
		if sum, there := captured[other]; there && found {
			e.Printed("sum of leading eigenvalues captured by "+other+" less that of OMM", sum-own, 0)
		}
	}
}

// Headline is the line of README.md on Table 3: the representations, by the first reading of the epochs that was run,
// and baselines.
func Headline() claims.Headline {
	return claims.NewHeadline("Table 3: graph, linear probe in %", "tab3-omm", Table3(),
		func(d Tab3Data) (paper, ours string, err error) {
			numbers := xslices.Map([]string{"omm", eigenmaps}, func(method string) claims.Pair {
				for _, r := range d.Rows {
					p := r.Probe
					if r.Method == method && r.Functions == "representation" && p.Paper != nil && p.Ours != nil {
						return claims.Pair{Label: r.Label, Paper: p.Paper, Ours: p.Ours}
					}
				}
				return claims.Pair{Label: method}
			})
			baselines := d.probes(func(r Tab3Row) bool { return r.Method == Features || r.Functions == "none" })
			paper, ours, err = claims.Pairs(numbers, ProductsName, d.Graph)
			if baselines != "" {
				ours += "; without learning: " + baselines
			}
			return paper, ours, err
		})
}
