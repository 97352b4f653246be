package graphs

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/probe"
	"operator-omm/ommlx/train"
)

// Result is what one [Experiment] gave.
type Result struct {
	Config     Experiment     `json:"config"`
	Provenance lab.Provenance `json:"provenance"`
	Runs       []Run          `json:"runs"`
	// History has for each run the accuracy of the nearest neighbours by the embedding; of probes, their losses alone.
	History []train.Point `json:"history"`
}

// Run is one run, judged. One that diverged is not.
type Run struct {
	Seed           int64   `json:"seed"`
	Representation *Judged `json:"representation,omitempty"` // of the backbone; nil with [Features] and [Eigenvectors]
	Embedding      *Judged `json:"embedding,omitempty"`      // of the functions, the features or the eigenvectors
	// Ritz are the eigenvalues of S in the span of the functions over all nodes, or those of the eigenvectors,
	// descending; nil where functions are linearly dependent or too many, and with [Features].
	Ritz []float64 `json:"ritz,omitempty"`
	// Propagated is the accuracy of label propagation on the test nodes, which sees no functions; with [Features].
	Propagated float64 `json:"propagated,omitempty"`
	Diverged   int     `json:"diverged_at_step,omitempty"`
	Note       string  `json:"note,omitempty"`
}

// Start opens the graph and builds what training and judging need.
func (e Experiment) Start(b compute.Backend) (lab.Task[*Result], error) {
	g, err := e.open(context.Background())
	if err != nil {
		return lab.Task[*Result]{}, err
	}
	var t lab.Task[*Result]
	if s := look(g, e.Unseen); e.learns() {
		t, err = e.learning(b, s)
	} else {
		t, err = e.classical(b, s)
	}
	done := t.Close
	t.Close = func() {
		if done != nil {
			done()
		}
		_ = g.Close()
	}
	if err != nil {
		t.Close()
	}
	return t, err
}

// learning is the task of training a network.
func (e Experiment) learning(b compute.Backend, s *sight) (t lab.Task[*Result], err error) {
	if t.Problem, err = e.problem(s); err != nil {
		return t, err
	}
	program, err := e.program(b, s)
	if err != nil {
		return t, err
	}
	vote, free := probe.KNN{}.Scorer(b)
	t.Config, t.Close = e.config(), func() { program.Finalize(); free() }
	t.Score = func(now train.Snapshot) ([]float64, error) { return s.neighbours(vote, e.learned(program, s, now)) }
	t.Judge = func(ctx context.Context, trained *train.Result) ([]*Result, error) {
		runs := make([]Run, len(e.Seeds))
		if !slices.Contains(trained.Diverged, 0) {
			return e.results(runs, trained), nil
		}
		of := e.learned(program, s, trained.Snapshot)
		training, err := of(s.training)
		if err != nil {
			return nil, err
		}
		for which, seen := range training {
			probes, err := e.probes(ctx, b, s, seen)
			if err != nil {
				return nil, err
			}
			judged, err := e.assess(ctx, b, s, of, which, probes.Params, len(runs))
			if err != nil {
				return nil, err
			}
			for r := range runs {
				*[]**Judged{&runs[r].Representation, &runs[r].Embedding}[which] = &judged[r]
			}
		}
		if err := e.ritz(s, of, runs); err != nil {
			return nil, err
		}
		return e.results(runs, trained), nil
	}
	return t, nil
}

// results are those of runs, each with the experiment of its seed alone.
func (e Experiment) results(runs []Run, trained *train.Result) (all []*Result) {
	for r, seed := range e.Seeds {
		run := runs[r]
		if step := trained.Diverged[r]; step > 0 {
			run = Run{Diverged: step, Note: fmt.Sprintf("diverged at step %d, where %s was not finite", step,
				trained.Causes[r])}
		}
		run.Seed = seed
		all = append(all, &Result{Config: e.with(seed), Runs: []Run{run}, History: lab.HistoryOf(trained.History, r)})
	}
	return all
}

// Join is [lab.Experiment]'s.
func (e Experiment) Join(parts []*Result) *Result {
	r := &Result{Config: e}
	r.Runs, r.History = lab.JoinRuns(parts, func(p *Result) ([]Run, []train.Point) { return p.Runs, p.History })
	return r
}

// Check is [lab.Result]'s.
func (r *Result) Check(key string) error {
	if err := lab.IsOf(r.Config, key); err != nil {
		return err
	}
	if err := lab.SameSeeds(r.Config.Seeds, len(r.Runs), func(i int) int64 { return r.Runs[i].Seed }); err != nil {
		return err
	}
	want := 1
	if r.Config.learns() {
		want = r.Config.Probe.Repetitions
	}
	for i, run := range r.Runs {
		judged := []*Judged{run.Embedding}
		if r.Config.learns() {
			judged = append(judged, run.Representation)
		}
		for _, j := range judged {
			if j == nil && run.Diverged > 0 {
				continue
			}
			if j == nil {
				return fmt.Errorf("run %d was not judged", i)
			}
			if err := lab.Lengths(i, want, j.Test, j.Smoothed); err != nil {
				return err
			}
		}
	}
	return nil
}

// Trained is [lab.Result]'s.
func (r *Result) Trained() (*lab.Provenance, []int64) { return &r.Provenance, r.Config.Seeds }

// Outcomes is [lab.Result]'s.
func (r *Result) Outcomes() (all []lab.Outcome) {
	for _, run := range r.Runs {
		of := lab.Outcome{Seed: run.Seed, Diverged: run.Diverged, Value: math.NaN()}
		if run.Embedding != nil {
			of.Value = report.SpreadOf(run.Embedding.Test).Mean
			of.Score = fmt.Sprintf("linear probe %.1f%%, after Correct & Smooth %.1f%%",
				100*of.Value, 100*report.SpreadOf(run.Embedding.Smoothed).Mean)
		}
		all = append(all, of)
	}
	return all
}
