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
type Result = run.Result[Experiment, Run]

// Scores are cosine similarities with the true modes.
type Scores struct {
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
	// Rotated is the score by the metric of ALLO's code.
	Rotated *Scores `json:"rotated,omitempty"`
	// Ritz and RitzRotated are both scores after a Ritz step by all pairs of the run's data. They are nil if the
	// learned functions are linearly dependent.
	Ritz        *Scores `json:"ritz,omitempty"`
	RitzRotated *Scores `json:"ritz_rotated,omitempty"`
	// Data scores the eigenfunctions of the run's data: finite data reduce it. A network is smooth and can score
	// higher: in GridRoomSym-4 on the data of seed 1234 the eigenfunctions have 0.88, and OMM-seq 0.97. OfData compares
	// the learned functions with these eigenfunctions: errors of learning reduce it. Both are nil if the data contain
	// fewer than k states.
	Data   *Scores `json:"data,omitempty"`
	OfData *Scores `json:"of_data,omitempty"`
}

// Start collects the data and builds the training problem and its evaluation.
func (e Experiment) Start(b compute.Backend) (t run.Task[Run], err error) {
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
	j := scorer{e, w, evaluate}
	t.Runs, t.Eval, t.Pictures, t.Close = j.Runs, j.Score, j.Pictures, free
	return t, nil
}

// scorer evaluates the runs of an experiment.
type scorer struct {
	e     Experiment
	world *gridworld.World
	// evaluate returns for each run a list of one table: its functions on all states, N×k.
	evaluate train.Evaluator
}

// Score returns the average cosine similarity of each run.
func (j scorer) Score(now train.Snapshot) (averages []float64, err error) {
	functions, err := j.evaluate(now)
	if err != nil {
		return nil, err
	}
	for _, table := range functions {
		_, average, err := gridworld.CosineSimilarity(j.world.Truth, table[0])
		if err != nil {
			return nil, err
		}
		averages = append(averages, average)
	}
	return averages, nil
}

// Runs scores the functions of each run.
func (j scorer) Runs(_ context.Context, trained *train.Result) ([]Run, error) {
	functions, err := j.evaluate(trained.Snapshot)
	if err != nil {
		return nil, err
	}
	runs := make([]Run, len(j.e.Seeds))
	for i, seed := range j.e.Seeds {
		if runs[i], err = j.e.scored(j.world, functions[i][0], seed); err != nil {
			return nil, err
		}
		runs[i].Diverged, runs[i].Note = run.Stopped(trained, i)
	}
	return runs, nil
}

// Pictures returns the values of each run's functions on all states, one list for each mode, if the experiment asks for
// them.
func (j scorer) Pictures(trained *train.Result) ([][][]float64, error) {
	if !j.e.Picture {
		return nil, nil
	}
	functions, err := j.evaluate(trained.Snapshot)
	return xslices.Map(functions, func(table []*mat.Dense) (modes [][]float64) {
		for mode := range j.e.K {
			modes = append(modes, run.Digits(mat.Col(nil, mode, table[0])))
		}
		return modes
	}), err
}

// scored scores the functions of one run on all states, N×k: unchanged, after a Ritz step, and by the eigenfunctions of
// the data.
func (e Experiment) scored(w *gridworld.World, functions *mat.Dense, seed int64) (Run, error) {
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
	scores := func(by metric, truth spectral.Eigenpairs, functions *mat.Dense) *Scores {
		modes, average, failed := by(truth, functions)
		err = cmp.Or(err, failed)
		return &Scores{average, modes}
	}
	own := scores(gridworld.CosineSimilarity, w.Truth, functions)
	r := Run{Seed: seed, Average: own.Average, PerMode: own.PerMode,
		Rotated: scores(rotatedCosineSimilarity, w.Truth, functions)}
	if turned != nil {
		r.Ritz = scores(gridworld.CosineSimilarity, w.Truth, turned)
		r.RitzRotated = scores(rotatedCosineSimilarity, w.Truth, turned)
	}
	if len(d.seen) >= e.K {
		truth, modes, failed := d.modes(e.K)
		if failed != nil {
			return Run{}, failed
		}
		r.Data = scores(gridworld.CosineSimilarity, w.Truth, modes)
		r.OfData = scores(gridworld.CosineSimilarity, truth, d.weighted(functions))
	}
	return r, err
}

// RunSeeds implements [run.Experiment].
func (e Experiment) RunSeeds() []int64 { return e.Seeds }

// With implements [run.Experiment].
func (e Experiment) With(seeds []int64) Experiment {
	e.Seeds = seeds
	return e
}

// The scores of a run for [averages].
func (r Run) own() *Scores     { return &Scores{r.Average, r.PerMode} }
func (r Run) rotated() *Scores { return r.Rotated }
func (r Run) ritz() *Scores    { return r.Ritz }
func (r Run) data() *Scores    { return r.Data }

// Outcome implements [run.Judged].
func (r Run) Outcome() run.Outcome {
	score := fmt.Sprintf("average cosine similarity %.4f over %d modes", r.Average, len(r.PerMode))
	return run.Outcome{Seed: r.Seed, Diverged: r.Diverged, Score: score, Value: r.Average}
}

// Scored is the score of a result in a figure or table: mean and sample standard deviation of the average cosine
// similarity over the runs that did not diverge (nil without such runs), and the other scores.
type Scored struct {
	Mean *float64 `json:"mean,omitempty"`
	Std  *float64 `json:"std,omitempty"`
	OtherScores
}

// OtherScores are means of other scores over the runs that did not diverge and have the score, or nil.
type OtherScores struct {
	Rotated *float64 `json:"rotated,omitempty"` // by the metric of ALLO's code
	Ritz    *float64 `json:"ritz,omitempty"`    // after a Ritz step
	Data    *float64 `json:"data,omitempty"`    // of the eigenfunctions of each run's data
}

// score returns the scores of a result, which may be nil.
func score(r *Result) (s Scored) {
	s.Mean, s.Std = report.SpreadOf(averages(r, Run.own)).Numbers()
	s.Rotated, _ = report.SpreadOf(averages(r, Run.rotated)).Numbers()
	s.Ritz, _ = report.SpreadOf(averages(r, Run.ritz)).Numbers()
	s.Data, _ = report.SpreadOf(averages(r, Run.data)).Numbers()
	return s
}

// averages returns a score of each run that did not diverge and has it. r may be nil.
func averages(r *Result, of func(Run) *Scores) (all []float64) {
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
	n := diverged(r)
	return fmt.Sprint(len(r.Runs)) + run.If(n > 0, ", %d diverged", n)
}
