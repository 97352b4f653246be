package rl

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/gomlx/compute"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/rl/gridworld"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/spectral"
	"omm-go/ommlx/train"
)

// Result is the result of an [Experiment]. Its history has the average cosine similarity of each run.
type Result = run.Result[Experiment, Run]

// Run is the result of one run.
type Run struct {
	Seed     int64     `json:"seed"`
	Average  float64   `json:"average_cosine_similarity"` // over the k modes, in [0, 1]
	PerMode  []float64 `json:"cosine_similarity"`         // [k]
	Diverged int       `json:"diverged_at_step,omitempty"`
	Note     string    `json:"note,omitempty"`
	// Rotated is the score by the metric of ALLO's code. Results from before 2026-11-22 lack this and the fields below.
	Rotated *Scores `json:"rotated,omitempty"`
	// Ritz and RitzRotated are both scores after a Ritz step by all pairs of the run's data. They are nil if the
	// learned functions are linearly dependent.
	Ritz        *Scores `json:"ritz,omitempty"`
	RitzRotated *Scores `json:"ritz_rotated,omitempty"`
	// Data scores the eigenfunctions of the run's data: finite data reduce it. A network is smooth and can score
	// higher: in GridRoomSym-4 on the data of seed 1234 the eigenfunctions have 0.88, and OMM-seq 0.97. OfData compares
	// the learned functions with these eigenfunctions: errors of learning reduce it.
	Data   *Scores `json:"data,omitempty"`
	OfData *Scores `json:"of_data,omitempty"`
}

// Start collects the data and builds the training problem and its judge.
func (e Experiment) Start(b compute.Backend) (t run.Task[Run], err error) {
	if t.Problem, err = e.Problem(); err != nil {
		return t, err
	}
	w, err := gridworld.LoadWorld(e.Environment)
	if err != nil {
		return t, err
	}
	j, err := NewJudge(b, e.network(), w)
	t.Config, t.Judge = e.Train.Config(), scorer{j, e}
	return t, err
}

// scorer is the [run.Judge] of an experiment.
type scorer struct {
	*Judge
	e Experiment
}

// Score returns the average cosine similarity of each run.
func (j scorer) Score(now train.Snapshot) ([]float64, error) { return j.Cosines(now.Params) }

// Runs implements [run.Judge].
func (j scorer) Runs(_ context.Context, trained *train.Result) ([]Run, error) {
	functions, err := j.Functions(trained.Params)
	if err != nil {
		return nil, err
	}
	runs := make([]Run, len(j.e.Seeds))
	for i, seed := range j.e.Seeds {
		if runs[i], err = j.e.scored(j.Judge, functions[i], seed); err != nil {
			return nil, err
		}
		runs[i].Diverged, runs[i].Note = run.Stopped(trained, i)
	}
	return runs, nil
}

// scored scores the functions of one run on all states, N×k: unchanged, after a Ritz step, and, if its data contain at
// least k states, by the eigenfunctions of the data.
func (e Experiment) scored(j *Judge, functions *mat.Dense, seed int64) (Run, error) {
	pairs, err := e.pairs(j.world.Grid, seed)
	if err != nil {
		return Run{}, err
	}
	d := newSample(pairs)
	turned, err := d.ritz(functions)
	if err != nil {
		return Run{}, err
	}
	var ofData spectral.Truth
	var leading, weighted *mat.Dense
	if len(d.seen) >= e.K {
		if ofData, err = d.truth(); err != nil {
			return Run{}, err
		}
		leading, weighted = d.leading(ofData, e.K), d.weighted(functions)
	}
	measured := func(by func(spectral.Truth, *mat.Dense) ([]float64, float64, error), truth spectral.Truth,
		functions *mat.Dense) *Scores {
		if functions == nil {
			return nil
		}
		modes, average, failed := by(truth, functions)
		err = cmp.Or(err, failed)
		return &Scores{average, modes}
	}
	truth, plain, rotated := j.world.Truth, spectral.CosineSimilarity, rotatedCosineSimilarity
	own := measured(plain, truth, functions)
	run := Run{Seed: seed, Average: own.Average, PerMode: own.PerMode, Rotated: measured(rotated, truth, functions),
		Ritz: measured(plain, truth, turned), RitzRotated: measured(rotated, truth, turned),
		Data: measured(plain, truth, leading), OfData: measured(plain, ofData, weighted)}
	return run, err
}

// RunSeeds implements [run.Experiment].
func (e Experiment) RunSeeds() []int64 { return e.Seeds }

// With implements [run.Experiment].
func (e Experiment) With(seeds []int64) Experiment {
	e.Seeds = seeds
	return e
}

// own returns the score of the learned functions themselves.
func (r Run) own() *Scores { return &Scores{r.Average, r.PerMode} }

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
	s.Rotated = meanOf(r, func(run Run) *Scores { return run.Rotated })
	s.Ritz = meanOf(r, func(run Run) *Scores { return run.Ritz })
	s.Data = meanOf(r, func(run Run) *Scores { return run.Data })
	return s
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

// averages returns a score of each run that did not diverge and has it. r may be nil.
func averages(r *Result, of func(Run) *Scores) (all []float64) {
	for _, run := range r.Finished() {
		if s := of(run); s != nil {
			all = append(all, s.Average)
		}
	}
	return all
}

func meanOf(r *Result, of func(Run) *Scores) *float64 {
	mean, _ := report.SpreadOf(averages(r, of)).Numbers()
	return mean
}

func (s Scored) text(digits int) string { return report.FromNumbers(s.Mean, s.Std, 0).Text(digits) }

// diverged counts the diverged runs of a result, which may be nil.
func diverged(r *Result) int {
	if r == nil {
		return 0
	}
	return len(r.Runs) - len(r.Finished())
}

// tally formats the number of runs of a result and, if any diverged, how many.
func tally(r *Result) string { return fmt.Sprint(len(r.Runs)) + alsoDiverged(r) }

func alsoDiverged(r *Result) string {
	if n := diverged(r); n > 0 {
		return fmt.Sprintf(", %d diverged", n)
	}
	return ""
}

// otherHeader names the columns of [OtherScores.cells].
var otherHeader = []string{"as the ALLO code judges", "after a Ritz step", "eigenfunctions of the data"}

func (o OtherScores) cells() []string {
	return []string{report.Optional(4, o.Rotated), report.Optional(4, o.Ritz), report.Optional(4, o.Data)}
}
