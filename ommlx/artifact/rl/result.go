package rl

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/rl/gridworld"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/spectral"
	"omm-go/ommlx/train"
)

// Result is the result of an [Experiment]. Its history has the average cosine similarity of each run.
type Result = run.Decoded[Experiment, Run]

// Cosines are cosine similarities with the true modes.
type Cosines struct {
	Average float64   `json:"average"`
	PerMode []float64 `json:"per_mode"` // [k], in [0, 1]
}

// Run is the result of one run.
type Run struct {
	Seed     int64     `json:"seed"`
	Average  float64   `json:"average_cosine_similarity"` // over the k modes, in [0, 1]
	PerMode  []float64 `json:"cosine_similarity"`         // [k]
	Diverged int       `json:"diverged_at_step,omitempty"`
	Note     string    `json:"note,omitempty"`
	// Rotated is by the metric of ALLO's code.
	Rotated *Cosines `json:"rotated,omitempty"`
	// Ritz and RitzRotated are both after a Ritz step by all pairs of the run's data. They are nil if the
	// learned functions are linearly dependent.
	Ritz        *Cosines `json:"ritz,omitempty"`
	RitzRotated *Cosines `json:"ritz_rotated,omitempty"`
	// Data scores the eigenfunctions of the run's data: finite data reduce it. A network is smooth and can score
	// higher: in GridRoomSym-4 on the data of seed 1234 the eigenfunctions have 0.88, and OMM-seq 0.97. OfData compares
	// the learned functions with these eigenfunctions: errors of learning reduce it. Both are nil if the data contain
	// fewer than k states.
	Data   *Cosines `json:"data,omitempty"`
	OfData *Cosines `json:"of_data,omitempty"`
}

// Start collects the data and builds the training problem and its evaluation.
func (e Experiment) Start(b compute.Backend) (t run.Prepared, err error) {
	if t.Problem, err = e.Problem(); err != nil {
		return t, err
	}
	w, err := gridworld.LoadWorld(e.Environment)
	if err != nil {
		return t, err
	}
	t.Config = e.Train.Config()
	p, network := t.Problem, e.network()
	p.Data = p.Data[:1] // the states
	evaluate, free := p.Evaluator(b, func(in train.Inputs) []*Node {
		return []*Node{network.Apply(in.Params, in.Data[0])}
	})
	v := evaluator{e, w, evaluate}
	t.Runs, t.Eval, t.Pictures, t.Close = run.Encoded(v.Runs), v.Averages, v.Pictures, free
	return t, nil
}

// evaluator evaluates the runs of an experiment.
type evaluator struct {
	e     Experiment
	world *gridworld.World
	// functions returns for each run a list of one table: its functions on all states, N×k.
	functions train.Evaluator
}

// Averages returns the average cosine similarity of each run.
func (v evaluator) Averages(now train.Snapshot) (averages []float64, err error) {
	functions, err := v.functions(now)
	if err != nil {
		return nil, err
	}
	for _, table := range functions {
		_, average, err := gridworld.CosineSimilarity(v.world.Truth, table[0])
		if err != nil {
			return nil, err
		}
		averages = append(averages, average)
	}
	return averages, nil
}

// Runs evaluates the functions of each run.
func (v evaluator) Runs(_ context.Context, trained *train.Result) ([]Run, error) {
	functions, err := v.functions(trained.Snapshot)
	if err != nil {
		return nil, err
	}
	runs := make([]Run, len(v.e.Seeds))
	for i, seed := range v.e.Seeds {
		if runs[i], err = v.e.evaluate(v.world, functions[i][0], seed); err != nil {
			return nil, err
		}
		runs[i].Diverged, runs[i].Note = run.Stopped(trained, i)
	}
	return runs, nil
}

// Pictures returns the values of each run's functions on all states, one list for each mode, if the experiment asks for
// them.
func (v evaluator) Pictures(trained *train.Result) ([][][]float64, error) {
	if !v.e.Picture {
		return nil, nil
	}
	functions, err := v.functions(trained.Snapshot)
	return xslices.Map(functions, func(table []*mat.Dense) (modes [][]float64) {
		for mode := range v.e.K {
			modes = append(modes, run.Digits(mat.Col(nil, mode, table[0])))
		}
		return modes
	}), err
}

// evaluate compares the functions of one run on all states, N×k, with the true modes: unchanged, after a Ritz step, and
// with the eigenfunctions of the data.
func (e Experiment) evaluate(w *gridworld.World, functions *mat.Dense, seed int64) (Run, error) {
	pairs, err := e.pairs(w.Grid, seed)
	if err != nil {
		return Run{}, err
	}
	d := newSample(pairs)
	turned, err := d.ritz(functions)
	if err != nil {
		return Run{}, err
	}
	type metric = func(spectral.Eigenpairs, *mat.Dense) (perMode []float64, mean float64, err error)
	cosines := func(by metric, truth spectral.Eigenpairs, functions *mat.Dense) *Cosines {
		modes, average, failed := by(truth, functions)
		err = cmp.Or(err, failed)
		return &Cosines{average, modes}
	}
	own := cosines(gridworld.CosineSimilarity, w.Truth, functions)
	r := Run{Seed: seed, Average: own.Average, PerMode: own.PerMode,
		Rotated: cosines(rotatedCosineSimilarity, w.Truth, functions)}
	if turned != nil {
		r.Ritz = cosines(gridworld.CosineSimilarity, w.Truth, turned)
		r.RitzRotated = cosines(rotatedCosineSimilarity, w.Truth, turned)
	}
	if len(d.seen) >= e.K {
		truth, modes, failed := d.modes(e.K)
		if failed != nil {
			return Run{}, failed
		}
		r.Data = cosines(gridworld.CosineSimilarity, w.Truth, modes)
		r.OfData = cosines(gridworld.CosineSimilarity, truth, d.weighted(functions))
	}
	return r, err
}

// RunSeeds implements [run.Experiment].
func (e Experiment) RunSeeds() []int64 { return e.Seeds }

// With implements [run.Experiment].
func (e Experiment) With(seeds []int64) run.Experiment {
	e.Seeds = seeds
	return e
}

// NewRun implements [run.Experiment].
func (e Experiment) NewRun() run.Evaluated { return new(Run) }

// The cosines of a run for [averages].
func (r Run) own() *Cosines     { return &Cosines{r.Average, r.PerMode} }
func (r Run) rotated() *Cosines { return r.Rotated }
func (r Run) ritz() *Cosines    { return r.Ritz }
func (r Run) data() *Cosines    { return r.Data }

// Summary implements [run.Evaluated].
func (r Run) Summary() run.Summary {
	score := fmt.Sprintf("average cosine similarity %.4f over %d modes", r.Average, len(r.PerMode))
	return run.Summary{Seed: r.Seed, Diverged: r.Diverged, Text: score, Score: r.Average}
}

// MeanCosines is a result in a figure or table: mean and sample standard deviation of the average cosine similarity
// over the runs that did not diverge (nil without such runs), and the other means.
type MeanCosines struct {
	Mean *float64 `json:"mean,omitempty"`
	Std  *float64 `json:"std,omitempty"`
	OtherMeans
}

// OtherMeans are means of the other [Cosines] over the runs that did not diverge and have them, or nil.
type OtherMeans struct {
	Rotated *float64 `json:"rotated,omitempty"` // by the metric of ALLO's code
	Ritz    *float64 `json:"ritz,omitempty"`    // after a Ritz step
	Data    *float64 `json:"data,omitempty"`    // of the eigenfunctions of each run's data
}

// meanCosines returns the means of a result, which may be nil.
func meanCosines(r *Result) (s MeanCosines) {
	s.Mean, s.Std = report.SpreadOf(averages(r, Run.own)).Numbers()
	s.Rotated, _ = report.SpreadOf(averages(r, Run.rotated)).Numbers()
	s.Ritz, _ = report.SpreadOf(averages(r, Run.ritz)).Numbers()
	s.Data, _ = report.SpreadOf(averages(r, Run.data)).Numbers()
	return s
}

// averages returns one of the averages of each run that did not diverge and has it. r may be nil.
func averages(r *Result, of func(Run) *Cosines) (all []float64) {
	for _, run := range r.Finished() {
		if s := of(run); s != nil {
			all = append(all, s.Average)
		}
	}
	return all
}

// afterRitz returns a result after a Ritz step, without its history. A run without a Ritz step diverged and is
// unchanged.
func afterRitz(r *Result) *Result {
	if r == nil {
		return nil
	}
	turned := *r
	turned.History, turned.Runs = nil, slices.Clone(r.Runs)
	for i, run := range turned.Runs {
		if run.Ritz != nil {
			turned.Runs[i] = Run{Seed: run.Seed, Average: run.Ritz.Average, PerMode: run.Ritz.PerMode,
				Rotated: run.RitzRotated, Data: run.Data}
		}
	}
	return &turned
}

// diverged counts the diverged runs of a result, which may be nil.
func diverged(r *Result) int {
	if r == nil {
		return 0
	}
	return len(r.Runs) - len(r.Finished())
}

// tally formats the number of runs of a result and, if any diverged, how many.
func tally(r *Result) string {
	if n := diverged(r); n > 0 {
		return fmt.Sprintf("%d, %d diverged", len(r.Runs), n)
	}
	return fmt.Sprint(len(r.Runs))
}
