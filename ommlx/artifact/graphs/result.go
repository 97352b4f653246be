package graphs

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"

	"omm-go/ommlx/artifact/probe"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/train"
)

// Result is what one [Experiment] gave. Its history has for each run the accuracy of the nearest neighbours by the
// embedding; of probes, their losses alone.
type Result = run.Result[Experiment, Run]

// Run is one run, judged. One that diverged is not.
type Run struct {
	Seed           int64   `json:"seed"`
	Representation *Judged `json:"representation,omitempty"` // of the backbone; nil with [Features] and [Eigenvectors]
	Embedding      *Judged `json:"embedding,omitempty"`      // of the functions, the features or the eigenvectors
	// Ritz are the eigenvalues of S in the span of the functions over all nodes, or those of the eigenvectors,
	// descending; fewer than K where functions are linearly dependent, and nil with [Features].
	Ritz []float64 `json:"ritz,omitempty"`
	// Propagated is the accuracy of label propagation on the test nodes, which sees no functions; with [Features].
	Propagated float64 `json:"propagated,omitempty"`
	// Spread is the accuracy of Correct & Smooth on predictions that are the same for all nodes; with [Features].
	Spread   float64 `json:"spread,omitempty"`
	Diverged int     `json:"diverged_at_step,omitempty"`
	Note     string  `json:"note,omitempty"`
}

// Start opens the graph and builds what training and judging need.
func (e Experiment) Start(b compute.Backend) (t run.Task[Run], err error) {
	g, err := e.open()
	if err != nil {
		return t, err
	}
	s := look(g, e.Unseen)
	if e.learns() {
		return e.learning(b, s)
	}
	return e.classical(b, s)
}

// learning is the task of training a network.
func (e Experiment) learning(b compute.Backend, s *sight) (t run.Task[Run], err error) {
	if t.Problem, err = e.problem(s); err != nil {
		return t, err
	}
	networks, err := e.encoder(s.Features).Evaluator(b)
	if err != nil {
		return t, err
	}
	vote, done := probe.KNN{}.Scorer(b)
	t.Config = e.config()
	t.Score = func(now train.Snapshot) ([]float64, error) {
		return s.neighbours(vote, s.learned(networks, now, embedding))
	}
	t.Judge = func(ctx context.Context, trained *train.Result) ([]Run, error) {
		runs := make([]Run, len(e.Seeds))
		if !slices.Contains(trained.Diverged, 0) {
			return e.results(runs, trained), nil
		}
		of := s.learned(networks, trained.Snapshot, embedding)
		representations, err := e.probed(ctx, b, s, s.learned(networks, trained.Snapshot, representation))
		if err != nil {
			return nil, err
		}
		embeddings, err := e.probed(ctx, b, s, of)
		if err != nil {
			return nil, err
		}
		ritz, err := s.ritz(of, len(runs), e.K, held)
		if err != nil {
			return nil, err
		}
		for r := range runs {
			runs[r] = Run{Representation: &representations[r], Embedding: &embeddings[r], Ritz: ritz[r]}
		}
		return e.results(runs, trained), nil
	}
	t.Close = func() { networks.Close(); done() }
	return t, nil
}

// results fills in how the runs ended; of one that diverged nothing else is told.
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

// Whole is [run.Experiment]'s.
func (e Experiment) Whole(r *Result) error {
	for i, one := range r.Runs {
		judged, want := []*Judged{one.Embedding}, 1
		if e.learns() {
			judged, want = append(judged, one.Representation), e.Probe.Repetitions
		}
		for _, j := range judged {
			if j == nil && one.Diverged > 0 {
				continue
			}
			if j == nil {
				return fmt.Errorf("run %d was not judged", i)
			}
			err := cmp.Or(run.Lengths(i, want, j.Test, j.Smoothed),
				run.Shares(i, slices.Concat(j.Test, j.Smoothed, j.Unseen)...))
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// Outcome is [run.Judged]'s.
func (r Run) Outcome() run.Outcome {
	o := run.Outcome{Seed: r.Seed, Diverged: r.Diverged, Value: math.NaN()}
	if r.Embedding != nil {
		o.Value = report.SpreadOf(r.Embedding.Test).Mean
		o.Score = fmt.Sprintf("linear probe %.1f%%, after Correct & Smooth %.1f%%",
			100*o.Value, 100*report.SpreadOf(r.Embedding.Smoothed).Mean)
	}
	return o
}
