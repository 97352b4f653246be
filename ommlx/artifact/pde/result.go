package pde

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/spectral"
	"omm-go/ommlx/train"
)

// Result is the result of an [Experiment]. Its history has the mean relative error of the energies of each run. Its
// picture is the first run's ψ, one list for each mode with four digits, on a [Midpoint] rule of
// pictureSide points per axis over the system's region.
type Result = run.Decoded[Experiment, Run]

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

// Summary implements [run.Evaluated].
func (r Run) Summary() run.Summary {
	o := run.Summary{Seed: r.Seed, Diverged: r.Diverged, Text: "not evaluated", Score: math.NaN()}
	if len(r.Errors) > 0 {
		o.Score = stat.Mean(r.Errors, nil)
		o.Text = fmt.Sprintf("mean relative error of the energies %.4f over %d modes", o.Score, len(r.Errors))
	}
	return o
}

// Wrong lists the modes, counted from 1, that are wrong in the mean over the runs that did not diverge: the relative
// error of the energy exceeds share, or the function is farther than the given radians from the true eigenspace.
func Wrong(r *Result, share, radians float64) (energies, functions []int) {
	above := func(limit float64, spreads []report.Spread) (modes []int) {
		for i, s := range spreads {
			if s.Mean > limit {
				modes = append(modes, i+1)
			}
		}
		return modes
	}
	return above(share, perMode(r, energyErrors)), above(radians, perMode(r, angles))
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

// overRuns returns the spread, over the runs that did not diverge, of the mean of of(run) over modes or eigenspaces.
func overRuns(r *Result, of func(Run) []float64) report.Spread {
	return report.Over(r, func(run Run) float64 { return stat.Mean(of(run), nil) })
}

// Start implements [run.Experiment].
func (e Experiment) Start(b compute.Backend) (t run.Prepared, err error) {
	if t.Problem, err = e.Problem(); err != nil {
		return t, err
	}
	s, err := newEvaluator(b, e, t.Problem.Data[0])
	if err != nil {
		return t, err
	}
	t.Config, t.Runs, t.Eval, t.Pictures = e.Train.Config(), run.Encoded(s.Runs), s.MeanErrors, s.Pictures
	t.Close = s.free
	return t, nil
}

// evaluator evaluates the learned wavefunctions ψ and Tψ of all runs and compares them with the exact ones.
type evaluator struct {
	Quadrature
	config   Experiment
	networks Wavefunctions
	free     func() // releases the program of networks
	spectrum schrodinger.Spectrum
	truth    *mat.Dense // N×K
	region   float64    // half-width of a picture
}

func newEvaluator(b compute.Backend, e Experiment, frequencies *tensors.Tensor) (*evaluator, error) {
	of, spectrum, err := e.lowest(e.K)
	if err != nil {
		return nil, err
	}
	s := &evaluator{config: e, spectrum: spectrum, region: of.region(e.K)}
	if s.Quadrature, err = of.quadrature(); err != nil {
		return nil, err
	}
	if s.truth, err = spectrum.OnPoints(s.Points); err != nil {
		return nil, err
	}
	e.Weak = false // the weak form gives no Tψ
	networks, err := e.networks()
	s.networks, s.free = networks.Wavefunctions(b, frequencies, func(f jet.Jet, x *Node) ommlx.Batch {
		return e.batch(networks.Hamiltonian(x), f)
	})
	return s, err
}

// functions evaluates every run on the points. It returns K functions as learned, or orthonormalised for SpIN, which
// learns only spaces. With spare functions it returns the first K Ritz functions.
func (s *evaluator) functions(params []*tensors.Tensor, points *mat.Dense) ([]Sampled, error) {
	runs, err := s.networks(params, points)
	if err != nil || s.config.Spare == 0 && s.config.Method != (ommlx.SpIN{}).Name() {
		return runs, err
	}
	learned, err := s.networks(params, s.Points)
	if err != nil {
		return nil, err
	}
	for r, f := range runs {
		if basis := s.basis(learned[r]); basis != nil {
			f = Sampled{linalg.Product(f.Psi, basis), linalg.Product(f.TPsi, basis)}
		}
		runs[r] = Sampled{linalg.Columns(f.Psi, 0, s.config.K), linalg.Columns(f.TPsi, 0, s.config.K)}
	}
	return runs, nil
}

// basis is the matrix by which the learned functions are multiplied, or nil for a run that diverged.
func (s *evaluator) basis(learned Sampled) mat.Matrix {
	if s.config.Spare > 0 {
		if d, err := spectral.Diagnose(learned.Psi, learned.TPsi, s.Weights); err == nil && d.Rotation != nil {
			return d.Rotation
		}
	} else if c, err := spectral.GramSchmidt(learned.Psi, s.Weights); err == nil {
		return c
	}
	return nil
}

// energies returns the energies of H from the Rayleigh quotients of T, and their relative errors.
func (s *evaluator) energies(f Sampled) (energies, relative []float64, err error) {
	if energies, err = spectral.RayleighQuotients(f.Psi, f.TPsi, s.Weights); err != nil {
		return nil, nil, err
	}
	for i, tau := range energies {
		tau -= s.config.Shift
		if energies[i] = -tau / s.config.Scale; s.config.Inverse {
			energies[i] = 1 / (tau * s.config.Scale)
		}
	}
	relative, err = RelativeErrors(energies, s.spectrum.Energies()[:s.config.K])
	return energies, relative, err
}

// RelativeErrors returns |λ̂_i − λ_i| / |λ_i|, the relative error of each estimated eigenvalue; truth may be longer
// than estimates.
func RelativeErrors(estimates, truth []float64) ([]float64, error) {
	if len(estimates) > len(truth) {
		return nil, fmt.Errorf("relative errors: %d estimates, but %d true eigenvalues", len(estimates), len(truth))
	}
	relative := make([]float64, len(estimates))
	for i, estimate := range estimates {
		relative[i] = math.Abs(estimate-truth[i]) / math.Abs(truth[i])
		if math.IsNaN(relative[i]) || math.IsInf(relative[i], 0) {
			return nil, fmt.Errorf("relative errors: estimate %d is %v, true eigenvalue %d is %v; want finite numbers "+
				"and no eigenvalue 0", i, estimate, i, truth[i])
		}
	}
	return relative, nil
}

// MeanErrors returns the mean relative error of each run's energies, or NaN for a run that diverged or has a zero
// function.
func (s *evaluator) MeanErrors(now train.Snapshot) ([]float64, error) {
	runs, err := s.functions(now.Params, s.Points)
	means := make([]float64, len(runs))
	for r, f := range runs {
		means[r] = math.NaN()
		if _, relative, err := s.energies(f); err == nil {
			means[r] = stat.Mean(relative, nil)
		}
	}
	return means, err
}

// Runs compares the functions of each run with the exact ones.
func (s *evaluator) Runs(_ context.Context, trained *train.Result) ([]Run, error) {
	learned, err := s.functions(trained.Best(), s.Points)
	runs := make([]Run, len(learned))
	for i, f := range learned {
		runs[i].Seed = s.config.Seeds[i]
		runs[i].Diverged, runs[i].Note = run.Stopped(trained, i)
		// A run that diverged is frozen at its last finite values, which may be too large to be evaluated.
		if err := s.compare(&runs[i], f); err != nil && runs[i].Diverged == 0 {
			return nil, fmt.Errorf("seed %d: %w", runs[i].Seed, err)
		}
	}
	return runs, err
}

func (s *evaluator) compare(run *Run, f Sampled) (err error) {
	if run.Energies, run.Errors, err = s.energies(f); err != nil {
		return err
	}
	if run.Norms, err = spectral.Norms(f.Psi, s.Weights); err != nil {
		return err
	}
	if run.Angles, err = spectral.AngleDistances(s.truth, f.Psi, s.Weights, s.spectrum.Spaces); err != nil {
		return err
	}
	run.Subspaces, err = spectral.SubspaceDistances(s.truth, f.Psi, s.Weights, s.spectrum.Spaces)
	return err
}

// picturedSeed is the seed of the run that figures show. Functions take up most of a kept result, so other runs keep
// none, unless [Experiment].Picture is set.
const picturedSeed = 1

// Pictures evaluates one run on a coarse grid, one list of values for each mode.
func (s *evaluator) Pictures(trained *train.Result) ([][][]float64, error) {
	at := slices.Index(s.config.Seeds, picturedSeed)
	if s.config.Picture {
		at = 0
	}
	if at < 0 {
		return nil, nil
	}
	q, err := Midpoint(pictureSide, s.region)
	if err != nil {
		return nil, err
	}
	runs, err := s.functions(trained.Best(), q.Points)
	if err != nil {
		return nil, err
	}
	all := make([][][]float64, len(runs))
	all[at] = columns(runs[at].Psi, s.config.K)
	return all, nil
}
