package graphs

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"omm-go/ommlx/artifact/claims"
)

// accuracies are the accuracies in per cent of the four rows of OMM and Neural Eigenmaps with epochs of edges, before
// and after Correct & Smooth.
type accuracies struct{ before, after [4]float64 }

// The rows of [accuracies].
const (
	eigenmapsRepresentation = iota
	eigenmapsEmbedding
	ommRepresentation
	ommEmbedding
)

// statements are statements of the paper's text on Table 3: the value is at most bound.
var statements = []struct {
	claim, what string
	value       func(a accuracies) float64
	bound       float64
}{
	{"tab3-embedding-better", "points by which the representation is ahead of the embedding",
		func(a accuracies) float64 { return a.before[ommRepresentation] - a.before[ommEmbedding] }, 0},
	{"tab3-embedding-better", "points by which another one is ahead of it after Correct & Smooth",
		func(a accuracies) float64 { return slices.Max(a.after[:ommEmbedding]) - a.after[ommEmbedding] }, 0},
	{"eigenmaps-embedding-drops", "points by which its embedding is ahead of its representation",
		func(a accuracies) float64 { return a.before[eigenmapsEmbedding] - a.before[eigenmapsRepresentation] }, 0},
	{"tab3-smoothed-close", "points lost by Correct & Smooth", func(a accuracies) float64 {
		most := a.before[0] - a.after[0]
		for i := range a.before {
			most = max(most, a.before[i]-a.after[i])
		}
		return most
	}, 0},
	{"tab3-smoothed-close", "distance of the largest from the smallest after it over that before",
		func(a accuracies) float64 {
			width := func(x [4]float64) float64 { return slices.Max(x[:]) - slices.Min(x[:]) }
			return width(a.after) / width(a.before)
		}, 1},
}

// Evidence lists the claims that rest on Table 3: its numbers and the paper's text on them.
func Evidence() []claims.Source {
	from := func(claim string, measure func(Tab3Data, *claims.Evidence) error) claims.Source {
		return claims.From(claim, Table3(), measure)
	}
	all := []claims.Source{
		from("tab3-omm", compareWithPrinted("omm")), from("tab3-eigenmaps", compareWithPrinted(eigenmaps)),
		from("tab3-lora-diverges", loraDiverges), from("omm-beats-lora-sparse", noteLoRAAndOMM),
		from("omm-captures-eigenfunctions", compareCaptured),
	}
	for _, claim := range []string{"tab3-embedding-better", "eigenmaps-embedding-drops", "tab3-smoothed-close"} {
		all = append(all, from(claim, func(d Tab3Data, e *claims.Evidence) error {
			ours, paper, err := d.accuracies()
			if err != nil {
				return err
			}
			for _, s := range statements {
				if s.claim == claim {
					e.Printed(s.what, s.value(ours), s.bound)
					e.Note("printed %+.2f", s.value(paper))
				}
			}
			return nil
		}))
	}
	return all
}

func (d Tab3Data) accuracies() (ours, paper accuracies, err error) {
	found := 0
	for _, r := range d.Rows {
		i := slices.Index([]string{eigenmaps + " representation", eigenmaps + " embedding", "omm representation",
			"omm embedding"}, r.Method+" "+r.Functions)
		p, s := r.Probe, r.Smoothed
		if i >= 0 && !r.Nodes && p.Paper != nil && p.Ours != nil && s.Ours != nil {
			ours.before[i], ours.after[i], paper.before[i], paper.after[i] = *p.Ours, *s.Ours, *p.Paper, *s.Paper
			found++
		}
	}
	if found != 4 {
		return ours, paper, errors.New("accuracies of OMM or Neural Eigenmaps are missing; make it again")
	}
	return ours, paper, nil
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

// loraDiverges counts the trainings that diverged in the paper but not here.
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

// noteLoRAAndOMM notes where LoRA and OMM diverge, and their accuracies where they do not.
func noteLoRAAndOMM(d Tab3Data, e *claims.Evidence) error {
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
		return errors.New("the eigenvalues captured by OMM are missing; make it again")
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
					if r.Method == method && r.Functions == "representation" && r.Probe.Paper != nil && r.Probe.Ours != nil {
						number = claims.Pair{Label: r.Label, Paper: r.Probe.Paper, Ours: r.Probe.Ours}
					}
				}
				numbers = append(numbers, number)
			}
			return claims.Beside(numbers, ProductsName, d.Graph)
		})
}
