package pde

import (
	"context"
	"fmt"
	"math"

	"github.com/gomlx/compute"
	"gonum.org/v1/gonum/stat"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/train"
)

// Result is what one [Experiment] gave.
type Result struct {
	Config     Experiment     `json:"config"`
	Provenance lab.Provenance `json:"provenance"`
	Runs       []Run          `json:"runs"`
	History    []train.Point  `json:"history"` // value: mean relative error of the energies of each run
	// Picture is the first run's ψ on the points of [schrodinger.Grid] with pictureSide points per axis on the system's
	// region, one list for each mode, with four digits.
	Picture [][]float64 `json:"picture"`
}

// Run is one run, judged with its averaged parameters where there is an average.
type Run struct {
	Seed      int64     `json:"seed"`
	Diverged  int       `json:"diverged_at_step,omitempty"`
	Note      string    `json:"note,omitempty"`
	Energies  []float64 `json:"energies"`           // of H, [k], by Rayleigh quotients
	Errors    []float64 `json:"relative_errors"`    // of the energies, [k]
	Angles    []float64 `json:"angle_distances"`    // radians, [k]
	Subspaces []float64 `json:"subspace_distances"` // of each eigenspace
	Norms     []float64 `json:"norms"`              // of ψ, [k]
}

// pictureSide is the number of points per axis of a picture, which is drawn with interpolation between them.
const pictureSide = 32

// Start checks the samples and builds the problem and its judge.
func (e Experiment) Start(b compute.Backend) (lab.Task[*Result], error) {
	var t lab.Task[*Result]
	known, err := e.system()
	if err != nil {
		return t, err
	}
	if err := e.waves(known.System).CheckSamples(b, e.Batch); err != nil {
		return t, err
	}
	if t.Problem, err = e.Problem(); err != nil {
		return t, err
	}
	j, err := newJudge(b, e)
	if err != nil {
		return t, err
	}
	t.Config, t.Close = e.Train.Config(), j.waves.Finalize
	t.Score = func(now train.Snapshot) ([]float64, error) { return j.errors(now.Params) }
	t.Judge = func(_ context.Context, trained *train.Result) ([]*Result, error) { return e.results(j, trained) }
	return t, nil
}

// results judges the runs.
func (e Experiment) results(j *judge, trained *train.Result) (results []*Result, err error) {
	params := trained.Best()
	learned, err := j.functions(params, j.points)
	if err != nil {
		return nil, err
	}
	pictures, err := j.pictures(params)
	if err != nil {
		return nil, err
	}
	for i, seed := range e.Seeds {
		run := Run{Seed: seed, Diverged: trained.Diverged[i]}
		if run.Diverged > 0 {
			run.Note = fmt.Sprintf("diverged at step %d", run.Diverged)
		}
		// A run that diverged is frozen where it was last finite, which may be too large to be judged.
		if err := j.judge(&run, learned[i]); err != nil && run.Diverged == 0 {
			return nil, fmt.Errorf("seed %d: %w", seed, err)
		}
		results = append(results, &Result{Config: e.with(seed), Runs: []Run{run}, Picture: pictures[i],
			History: lab.HistoryOf(trained.History, i)})
	}
	return results, nil
}

// RunSeeds is [lab.Experiment]'s.
func (e Experiment) RunSeeds() []int64 { return e.Seeds }

// With is [lab.Experiment]'s.
func (e Experiment) With(seeds []int64) lab.Experiment[*Result] { return e.with(seeds...) }

func (e Experiment) with(seeds ...int64) Experiment {
	e.Seeds = seeds
	return e
}

// Join is [lab.Experiment]'s. The picture is that of the first part.
func (e Experiment) Join(parts []*Result) *Result {
	r := &Result{Config: e, Picture: parts[0].Picture}
	r.Runs, r.History = lab.JoinRuns(parts, func(p *Result) ([]Run, []train.Point) { return p.Runs, p.History })
	return r
}

// Check is [lab.Result]'s.
func (r *Result) Check(key string) error {
	if err := lab.IsOf(r.Config, key); err != nil {
		return err
	}
	known, err := r.Config.system()
	if err != nil {
		return err
	}
	spectrum, err := known.Lowest(r.Config.K)
	if err != nil {
		return err
	}
	if err := lab.SameSeeds(r.Config.Seeds, len(r.Runs), func(i int) int64 { return r.Runs[i].Seed }); err != nil {
		return err
	}
	for i, run := range r.Runs {
		if run.Diverged > 0 {
			continue // it may have ended before it could be judged, and is left out of every drawing
		}
		if err := lab.Lengths(i, r.Config.K, run.Energies, run.Errors, run.Angles, run.Norms); err != nil {
			return err
		}
		if err := lab.Lengths(i, len(spectrum.Spaces), run.Subspaces); err != nil {
			return err
		}
	}
	if got := len(r.Picture); got != r.Config.K {
		return fmt.Errorf("its picture has %d functions instead of %d", got, r.Config.K)
	}
	for i, values := range r.Picture {
		if got, want := len(values), pictureSide*pictureSide; got != want {
			return fmt.Errorf("function %d of its picture has %d values instead of %d", i, got, want)
		}
	}
	return nil
}

// Trained is [lab.Result]'s.
func (r *Result) Trained() (*lab.Provenance, []int64) { return &r.Provenance, r.Config.Seeds }

// Outcomes is [lab.Result]'s.
func (r *Result) Outcomes() (all []lab.Outcome) {
	for _, run := range r.Runs {
		of := lab.Outcome{Seed: run.Seed, Diverged: run.Diverged, Score: "not judged", Value: math.NaN()}
		if len(run.Errors) > 0 {
			of.Value = stat.Mean(run.Errors, nil)
			of.Score = fmt.Sprintf("mean relative error of the energies %.4f over %d modes", of.Value, r.Config.K)
		}
		all = append(all, of)
	}
	return all
}

// Energies writes the learned energy of each mode, over the runs that did not diverge, with so many digits.
func (r *Result) Energies(digits int) (texts []string) {
	for i := range r.Config.K {
		var values []float64
		for _, run := range r.finished() {
			values = append(values, run.Energies[i])
		}
		texts = append(texts, report.SpreadOf(values).Text(digits))
	}
	return texts
}

// Wrong lists the modes, counted from 1, that are wrong in the mean over the runs that did not diverge: whose energy
// errs by more than a share of it, and whose function is farther than so many radians from the true eigenspace.
func (r *Result) Wrong(share, radians float64) (energies, functions []int) {
	mean := r.Mean()
	return above(share, mean.Errors), above(radians, mean.Angles)
}

// above lists the places, counted from 1, of values beyond a limit.
func above(limit float64, values []float64) (modes []int) {
	for i, v := range values {
		if v > limit {
			modes = append(modes, i+1)
		}
	}
	return modes
}

// Mean has the means of errors, angles (radians) and distances over the runs that did not diverge, for each mode or
// eigenspace. It has none where all runs diverged.
func (r *Result) Mean() Run {
	mean := func(of func(Run) []float64) (means []float64) {
		for _, s := range r.perMode(of) {
			means = append(means, s.Mean)
		}
		return means
	}
	return Run{
		Errors:    mean(func(r Run) []float64 { return r.Errors }),
		Angles:    mean(func(r Run) []float64 { return r.Angles }),
		Subspaces: mean(func(r Run) []float64 { return r.Subspaces }),
	}
}

// perMode is the spread, over the runs that did not diverge, of what a run has for each mode or eigenspace; nil where
// all of them did.
func (r *Result) perMode(of func(Run) []float64) (spreads []report.Spread) {
	runs := r.finished()
	if len(runs) == 0 {
		return nil
	}
	for i := range of(runs[0]) {
		values := make([]float64, len(runs))
		for j, run := range runs {
			values[j] = of(run)[i]
		}
		spreads = append(spreads, report.SpreadOf(values))
	}
	return spreads
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

// digits rounds to four of them, in place: a picture needs no more, and a file of many should be small. What is not
// finite, as a function of a run that diverged may be, becomes 0, since JSON has no such numbers.
func digits(values []float64) []float64 {
	for i, v := range values {
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			values[i] = 0
		case v != 0:
			unit := math.Pow(10, math.Floor(math.Log10(math.Abs(v)))-3)
			values[i] = math.Round(v/unit) * unit
		}
	}
	return values
}
