package graphs

import (
	"fmt"
	"math"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/train"
)

// Result is the result of an [Experiment]. Its history has the eigenvalues captured by the embedding of each run, as in
// [Tab3Row]; for probes it has only their losses.
type Result = run.Decoded[Experiment, Run]

// Run is one run with its accuracies, or the step at which it diverged.
type Run struct {
	Seed           int64       `json:"seed"`
	Representation *Accuracies `json:"representation,omitempty"` // of the backbone; only of a network
	Embedding      *Accuracies `json:"embedding,omitempty"`      // of the functions, the features or the eigenvectors
	// Ritz lists the eigenvalues of S in the span of the functions over all nodes, or of the eigenvectors, descending.
	// There are fewer than K if functions are linearly dependent; nil with [Features].
	Ritz []float64 `json:"ritz,omitempty"`
	// Propagated is the accuracy of label propagation on the test nodes; only with [Features].
	Propagated float64 `json:"propagated,omitempty"`
	Diverged   int     `json:"diverged_at_step,omitempty"`
	Note       string  `json:"note,omitempty"`
}

// Accuracies lists the accuracies of linear probes on one kind of functions, one for each repetition.
type Accuracies struct {
	Test     []float64 `json:"test"`             // on the test nodes
	Smoothed []float64 `json:"smoothed"`         // on the test nodes, after Correct & Smooth
	Unseen   []float64 `json:"unseen,omitempty"` // on the unseen test nodes, if any
}

// results sets the seed of each run. It replaces a run that diverged by the step and the cause.
func (e Experiment) results(runs []Run, trained *train.Result) []Run {
	for r, seed := range e.Seeds {
		if step := trained.Diverged[r]; step > 0 {
			runs[r] = Run{Diverged: step, Note: fmt.Sprintf("diverged at step %d, where %s was not finite", step,
				trained.Causes[r])}
		}
		runs[r].Seed = seed
	}
	return runs
}

// Summary implements [run.Evaluated].
func (r Run) Summary() run.Summary {
	o := run.Summary{Seed: r.Seed, Diverged: r.Diverged, Score: math.NaN()}
	if r.Embedding != nil {
		o.Score = report.SpreadOf(r.Embedding.Test).Mean
		o.Text = fmt.Sprintf("linear probe %.1f%%, after Correct & Smooth %.1f%%",
			100*o.Score, 100*report.SpreadOf(r.Embedding.Smoothed).Mean)
	}
	return o
}
