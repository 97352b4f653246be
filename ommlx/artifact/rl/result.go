package rl

import (
	"context"
	"fmt"

	"github.com/gomlx/compute"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/gridworld"
	"operator-omm/ommlx/train"
)

// Result is what one [Experiment] gave.
type Result struct {
	Config     Experiment     `json:"config"`
	Provenance lab.Provenance `json:"provenance"`
	Runs       []Run          `json:"runs"`
	History    []train.Point  `json:"history"` // value: average cosine similarity of each run
}

// Run is one run.
type Run struct {
	Seed     int64     `json:"seed"`
	Average  float64   `json:"average_cosine_similarity"` // over the k modes, in [0, 1]
	PerMode  []float64 `json:"cosine_similarity"`         // [k]
	Diverged int       `json:"diverged_at_step,omitempty"`
	Note     string    `json:"note,omitempty"`
	// Rotated judges the same functions as the code of ALLO does. Results from before 2026-11-22 have neither this nor
	// what follows.
	Rotated *Scores `json:"rotated,omitempty"`
	// Ritz and RitzRotated are both scores after a Ritz step: of the functions in the span of the learned ones that
	// come nearest to eigenfunctions by all pairs of the run's own data. nil also where there are none, since the
	// learned functions are linearly dependent.
	Ritz        *Scores `json:"ritz,omitempty"`
	RitzRotated *Scores `json:"ritz_rotated,omitempty"`
	// Data scores the eigenfunctions of the run's own data: what is left to 1 is that the data are finite. A network is
	// smooth and can be better: in GridRoomSym-4 on the data of seed 1234 they have 0.88, and OMM-seq 0.97. OfData
	// scores the learned functions by them in place of the true modes: what is left to 1 is that they are not learned.
	Data   *Scores `json:"data,omitempty"`
	OfData *Scores `json:"of_data,omitempty"`
}

// tally writes how many runs there are, and how many of them diverged.
func (r *Result) tally() string {
	if n := len(r.Runs) - len(r.finished()); n > 0 {
		return fmt.Sprintf("%d, %d diverged", len(r.Runs), n)
	}
	return fmt.Sprint(len(r.Runs))
}

// Start collects the data and builds the problem and its judge.
func (e Experiment) Start(b compute.Backend) (lab.Task[*Result], error) {
	var t lab.Task[*Result]
	w, err := gridworld.LoadWorld(e.Environment)
	if err != nil {
		return t, err
	}
	if t.Problem, err = e.Problem(); err != nil {
		return t, err
	}
	j, err := NewJudge(b, e.network(), w)
	if err != nil {
		return t, err
	}
	t.Config, t.Close = e.Train.Config(), j.Close
	t.Score = func(now train.Snapshot) ([]float64, error) {
		_, average, err := j.Cosines(now.Params)
		return average, err
	}
	t.Judge = func(_ context.Context, trained *train.Result) ([]*Result, error) {
		functions, err := j.Functions(trained.Params)
		if err != nil {
			return nil, err
		}
		var results []*Result
		for i, seed := range e.Seeds {
			run, err := e.judge(j, functions[i], seed)
			if err != nil {
				return nil, err
			}
			if run.Diverged = trained.Diverged[i]; run.Diverged > 0 {
				run.Note = fmt.Sprintf("diverged at step %d", run.Diverged)
			}
			results = append(results, &Result{Config: e.with(seed), Runs: []Run{run},
				History: lab.HistoryOf(trained.History, i)})
		}
		return results, nil
	}
	return t, nil
}

// judge scores the functions of one run on all states, N×k, as they are and after a Ritz step.
func (e Experiment) judge(j *Judge, functions *mat.Dense, seed int64) (Run, error) {
	run := Run{Seed: seed}
	plain, rotated, err := j.measure(functions)
	if err != nil {
		return run, err
	}
	run.Average, run.PerMode, run.Rotated = plain.Average, plain.PerMode, &rotated
	pairs, err := e.pairs(j.world.Grid, seed)
	if err != nil {
		return run, err
	}
	d := newSample(pairs)
	if run.Data, run.OfData, err = e.judgeByData(j, d, functions); err != nil {
		return run, err
	}
	turned, err := d.ritz(functions)
	if err != nil || turned == nil {
		return run, err
	}
	after, afterRotated, err := j.measure(turned)
	run.Ritz, run.RitzRotated = &after, &afterRotated
	return run, err
}

// judgeByData scores the eigenfunctions of the data, and the learned ones by them. Both are nil where the data have
// seen fewer than k states.
func (e Experiment) judgeByData(j *Judge, d sample, functions *mat.Dense) (data, ofData *Scores, err error) {
	if len(d.seen) < e.K {
		return nil, nil, nil
	}
	t, err := d.truth()
	if err != nil {
		return nil, nil, err
	}
	ceiling, _, err := j.measure(d.leading(t, e.K))
	if err != nil {
		return nil, nil, err
	}
	learned, err := d.compare(t, functions)
	return &ceiling, &learned, err
}

// RunSeeds is [lab.Experiment]'s.
func (e Experiment) RunSeeds() []int64 { return e.Seeds }

// With is [lab.Experiment]'s.
func (e Experiment) With(seeds []int64) lab.Experiment[*Result] { return e.with(seeds...) }

func (e Experiment) with(seeds ...int64) Experiment {
	e.Seeds = seeds
	return e
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
	for i, run := range r.Runs {
		if err := lab.Lengths(i, r.Config.K, run.scores()...); err != nil {
			return err
		}
	}
	return nil
}

// scores lists the cosine similarities per mode that the run has.
func (r Run) scores() [][]float64 {
	all := [][]float64{r.PerMode}
	for _, s := range []*Scores{r.Rotated, r.Ritz, r.RitzRotated, r.Data, r.OfData} {
		if s != nil {
			all = append(all, s.PerMode)
		}
	}
	return all
}

// Trained is [lab.Result]'s.
func (r *Result) Trained() (*lab.Provenance, []int64) { return &r.Provenance, r.Config.Seeds }

// Outcomes is [lab.Result]'s.
func (r *Result) Outcomes() (all []lab.Outcome) {
	for _, run := range r.Runs {
		score := fmt.Sprintf("average cosine similarity %.4f over %d modes", run.Average, r.Config.K)
		all = append(all, lab.Outcome{Seed: run.Seed, Diverged: run.Diverged, Score: score, Value: run.Average})
	}
	return all
}

// finished returns the runs that did not diverge.
func (r *Result) finished() (runs []Run) {
	for _, run := range r.Runs {
		if run.Diverged == 0 {
			runs = append(runs, run)
		}
	}
	return runs
}

// Averages returns the average cosine similarities of the runs that did not diverge, and how many did.
func (r *Result) Averages() (finished []float64, diverged int) {
	for _, run := range r.finished() {
		finished = append(finished, run.Average)
	}
	return finished, len(r.Runs) - len(finished)
}

// averages are those of one of the scores, for each run that did not diverge and has it.
func (r *Result) averages(of func(Run) *Scores) (all []float64) {
	for _, run := range r.finished() {
		if s := of(run); s != nil {
			all = append(all, s.Average)
		}
	}
	return all
}

// over is the spread of those averages.
func (r *Result) over(of func(Run) *Scores) report.Spread { return report.SpreadOf(r.averages(of)) }

// spread is that of the averages over the runs that did not diverge.
func (r *Result) spread() report.Spread {
	finished, _ := r.Averages()
	return report.SpreadOf(finished)
}
