package pde

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/train"
)

// Result is the result of an [Experiment]. Its history has the mean relative error of the energies of each run. Its
// picture is the first run's ψ, one list for each mode with four digits, on a [schrodinger.Grid] of pictureSide points
// per axis over the system's region.
type Result = run.Result[Experiment, Run]

// Run is one run and its scores, by its averaged parameters if there are any.
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

// pictureSide is the number of points per axis of a picture, which is interpolated between them.
const pictureSide = 32

// Start implements [run.Experiment]: it checks the samples and builds the problem and its scorer.
func (e Experiment) Start(b compute.Backend) (t run.Task[Run], err error) {
	networks, err := e.networks()
	if err == nil {
		err = networks.CheckSamples(b, e.Batch)
	}
	if err != nil {
		return t, err
	}
	if t.Problem, err = e.Problem(); err != nil {
		return t, err
	}
	s, err := newScorer(b, e)
	if err != nil {
		return t, err
	}
	t.Config, t.Judge = e.Train.Config(), s
	return t, nil
}

// Close implements [run.Judge].
func (s *scorer) Close() { s.networks.Finalize() }

// Score returns the mean relative error of each run's energies.
func (s *scorer) Score(now train.Snapshot) ([]float64, error) { return s.errors(now.Params) }

// Runs implements [run.Judge].
func (s *scorer) Runs(_ context.Context, trained *train.Result) ([]Run, error) {
	return s.runs(trained)
}

// Pictures implements [run.Painter].
func (s *scorer) Pictures(trained *train.Result) ([][][]float64, error) {
	if !slices.Contains(s.config.Seeds, picturedSeed) {
		return nil, nil
	}
	return s.pictures(trained.Best())
}

// RunSeeds implements [run.Experiment].
func (e Experiment) RunSeeds() []int64 { return e.Seeds }

// With implements [run.Experiment].
func (e Experiment) With(seeds []int64) Experiment {
	e.Seeds = seeds
	return e
}

// Outcome implements [run.Judged].
func (r Run) Outcome() run.Outcome {
	o := run.Outcome{Seed: r.Seed, Diverged: r.Diverged, Score: "not judged", Value: math.NaN()}
	if len(r.Errors) > 0 {
		o.Value = stat.Mean(r.Errors, nil)
		o.Score = fmt.Sprintf("mean relative error of the energies %.4f over %d modes", o.Value, len(r.Errors))
	}
	return o
}

// Energies formats the learned energy of each mode, over the runs that did not diverge, with the given number of
// digits.
func Energies(r *Result, digits int) (texts []string) {
	for _, s := range perMode(r, func(run Run) []float64 { return run.Energies }) {
		texts = append(texts, s.Text(digits))
	}
	return texts
}

// Wrong lists the modes, counted from 1, that are wrong in the mean over the runs that did not diverge: the relative
// error of the energy exceeds share, or the function is farther than the given radians from the true eigenspace.
func Wrong(r *Result, share, radians float64) (energies, functions []int) {
	mean := Mean(r)
	return above(share, mean.Errors), above(radians, mean.Angles)
}

// above lists the positions, counted from 1, of values above a limit.
func above(limit float64, values []float64) (modes []int) {
	for i, v := range values {
		if v > limit {
			modes = append(modes, i+1)
		}
	}
	return modes
}

// Mean returns the means of errors, angles (radians) and distances over the runs that did not diverge, for each mode or
// eigenspace. They are nil if all runs diverged.
func Mean(r *Result) Run {
	mean := func(of func(Run) []float64) (means []float64) {
		for _, s := range perMode(r, of) {
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

// perMode returns the spread of of(run) over the runs that did not diverge, for each mode or eigenspace, or nil if all
// runs diverged.
func perMode(r *Result, of func(Run) []float64) (spreads []report.Spread) {
	runs := r.Finished()
	if len(runs) == 0 {
		return nil
	}
	for i := range of(runs[0]) {
		spreads = append(spreads, report.Over(r, func(run Run) float64 { return of(run)[i] }))
	}
	return spreads
}

// digits rounds values in place to four digits, which suffice for a picture and keep files small. NaN and infinite
// values, as in a diverged run, become 0, because JSON cannot represent them.
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
