package graphs

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"

	"omm-go/ommlx/artifact/probe"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/train"
)

// Result is the result of an [Experiment]. Its history has the accuracy of nearest neighbours by the embedding for each
// run; for probes it has only their losses.
type Result = run.Result[Experiment, Run]

// Run is one run with its accuracies, or the step at which it diverged.
type Run struct {
	Seed           int64   `json:"seed"`
	Representation *Judged `json:"representation,omitempty"` // of the backbone; nil with [Features] and [Eigenvectors]
	Embedding      *Judged `json:"embedding,omitempty"`      // of the functions, the features or the eigenvectors
	// Ritz lists the eigenvalues of S in the span of the functions over all nodes, or of the eigenvectors, descending.
	// There are fewer than K if functions are linearly dependent; nil with [Features].
	Ritz []float64 `json:"ritz,omitempty"`
	// Propagated is the accuracy of label propagation on the test nodes; only with [Features].
	Propagated float64 `json:"propagated,omitempty"`
	// Spread is the accuracy of Correct & Smooth on the same prediction for all nodes; only with [Features].
	Spread   float64 `json:"spread,omitempty"`
	Diverged int     `json:"diverged_at_step,omitempty"`
	Note     string  `json:"note,omitempty"`
}

// Start implements [run.Experiment]: it opens the graph and builds the problem and its judge.
func (e Experiment) Start(b compute.Backend) (t run.Task[Run], err error) {
	g, err := e.open()
	if err != nil {
		return t, err
	}
	j := judge{e, hideEdges(g, e.Unseen), b}
	if e.learns() {
		return j.learning()
	}
	return j.classical()
}

// judge is common to all judges of experiments on a graph.
type judge struct {
	e Experiment
	*view
	backend compute.Backend
}

// Close implements [run.Judge].
func (j judge) Close() {}

func (j judge) learning() (t run.Task[Run], err error) {
	if t.Problem, err = j.e.problem(j.view); err != nil {
		return t, err
	}
	unchanged := func(x *Node) *Node { return x }
	networks := j.e.encoder(j.Features).Evaluator(j.backend, unchanged)
	t.Config, t.Judge = j.e.config(), learning{j, networks}
	return t, nil
}

type learning struct {
	judge
	networks *probe.Evaluator
}

// Close implements [run.Judge].
func (j learning) Close() { j.networks.Close() }

// Score returns the accuracy of nearest neighbours by the embedding.
func (j learning) Score(now train.Snapshot) ([]float64, error) {
	return j.neighbours(j.backend, j.learned(j.networks, now, embedding))
}

// Runs implements [run.Judge].
func (j learning) Runs(ctx context.Context, trained *train.Result) ([]Run, error) {
	runs := make([]Run, len(j.e.Seeds))
	if !slices.Contains(trained.Diverged, 0) {
		return j.e.results(runs, trained), nil
	}
	of := j.learned(j.networks, trained.Snapshot, embedding)
	representations, err := j.e.probed(ctx, j.backend, j.view, j.learned(j.networks, trained.Snapshot, representation))
	if err != nil {
		return nil, err
	}
	embeddings, err := j.e.probed(ctx, j.backend, j.view, of)
	if err != nil {
		return nil, err
	}
	ritz, err := j.ritz(of, len(runs), j.e.K, ritzNumbers)
	if err != nil {
		return nil, err
	}
	for r := range runs {
		runs[r] = Run{Representation: &representations[r], Embedding: &embeddings[r], Ritz: ritz[r]}
	}
	return j.e.results(runs, trained), nil
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

// Outcome implements [run.Judged].
func (r Run) Outcome() run.Outcome {
	o := run.Outcome{Seed: r.Seed, Diverged: r.Diverged, Value: math.NaN()}
	if r.Embedding != nil {
		o.Value = report.SpreadOf(r.Embedding.Test).Mean
		o.Score = fmt.Sprintf("linear probe %.1f%%, after Correct & Smooth %.1f%%",
			100*o.Value, 100*report.SpreadOf(r.Embedding.Smoothed).Mean)
	}
	return o
}
