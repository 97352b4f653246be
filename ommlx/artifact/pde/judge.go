package pde

import (
	"fmt"
	"math"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/spectral"
	"omm-go/ommlx/train"
)

// judge evaluates the learned wavefunctions ψ and Tψ of all runs, and compares them with the truth.
type judge struct {
	schrodinger.Quadrature
	config   Experiment
	waves    *schrodinger.Evaluator
	spectrum schrodinger.Spectrum
	truth    *mat.Dense // N×K
	region   float64    // half-width of a picture
}

func newJudge(backend compute.Backend, e Experiment) (*judge, error) {
	known, spectrum, err := e.lowest(e.K)
	if err != nil {
		return nil, err
	}
	j := &judge{config: e, spectrum: spectrum, region: known.region(e.K)}
	if j.Quadrature, err = known.quadrature(); err != nil {
		return nil, err
	}
	if j.truth, err = spectrum.OnPoints(j.Points); err != nil {
		return nil, err
	}
	e.Weak = false // which gives no Tψ
	waves, err := e.waves()
	if err != nil {
		return nil, err
	}
	_, frequencies := waves.Init(e.Seeds)
	j.waves, err = waves.Evaluator(backend, frequencies, func(f jet.Jet, x *Node) ommlx.Batch {
		return e.batch(waves.Hamiltonian(x), f)
	})
	return j, err
}

// functions evaluates every run on the points: K functions as learned; for SpIN, which learns only spaces,
// orthonormalised; with spare functions, the first K Ritz functions.
func (j *judge) functions(params []*tensors.Tensor, points *mat.Dense) ([]schrodinger.Values, error) {
	runs, err := j.waves.On(params, points)
	if err != nil || j.config.Spare == 0 && j.config.Method != (ommlx.SpIN{}).Name() {
		return runs, err
	}
	learned := runs
	if points != j.Points {
		if learned, err = j.waves.On(params, j.Points); err != nil {
			return nil, err
		}
	}
	for r, f := range runs {
		if basis := j.basis(learned[r]); basis != nil {
			f.Psi.Mul(mat.DenseCopyOf(f.Psi), basis)
			f.TPsi.Mul(mat.DenseCopyOf(f.TPsi), basis)
		}
		rows, _ := f.Psi.Dims()
		first := func(of *mat.Dense) *mat.Dense { return of.Slice(0, rows, 0, j.config.K).(*mat.Dense) }
		runs[r] = schrodinger.Values{Psi: first(f.Psi), TPsi: first(f.TPsi)}
	}
	return runs, nil
}

// basis is what the learned functions are multiplied with; nil for a run that diverged, which is judged as it is.
func (j *judge) basis(learned schrodinger.Values) mat.Matrix {
	if j.config.Spare > 0 {
		if d, err := spectral.Diagnose(learned.Psi, learned.TPsi, j.Weights); err == nil && d.Rotation != nil {
			return d.Rotation
		}
	} else if c, err := spectral.GramSchmidt(learned.Psi, j.Weights); err == nil {
		return c
	}
	return nil
}

// energies are those of H, from the Rayleigh quotients of T, with their relative errors.
func (j *judge) energies(f schrodinger.Values) (energies, relative []float64, err error) {
	if energies, err = spectral.RayleighQuotients(f.Psi, f.TPsi, j.Weights); err != nil {
		return nil, nil, err
	}
	for i, tau := range energies {
		tau -= j.config.Shift
		if energies[i] = -tau / j.config.Scale; j.config.Inverse {
			energies[i] = 1 / (tau * j.config.Scale)
		}
	}
	relative, err = spectral.RelativeErrors(energies, j.spectrum.Energies()[:j.config.K])
	return energies, relative, err
}

// errors returns the mean relative error of each run's energies; NaN for a run that diverged, and for one with a
// function that is still zero.
func (j *judge) errors(params []*tensors.Tensor) ([]float64, error) {
	runs, err := j.functions(params, j.Points)
	means := make([]float64, len(runs))
	for r, f := range runs {
		means[r] = math.NaN()
		if _, relative, err := j.energies(f); err == nil {
			means[r] = stat.Mean(relative, nil)
		}
	}
	return means, err
}

func (j *judge) runs(trained *train.Result) ([]Run, error) {
	learned, err := j.functions(trained.Best(), j.Points)
	if err != nil {
		return nil, err
	}
	runs := make([]Run, len(learned))
	for i, f := range learned {
		runs[i].Seed = j.config.Seeds[i]
		runs[i].Diverged, runs[i].Note = run.Stopped(trained, i)
		// A run that diverged is frozen where it was last finite, which may be too large to be judged.
		if err := j.score(&runs[i], f); err != nil && runs[i].Diverged == 0 {
			return nil, fmt.Errorf("seed %d: %w", runs[i].Seed, err)
		}
	}
	return runs, nil
}

func (j *judge) score(run *Run, f schrodinger.Values) (err error) {
	if run.Energies, run.Errors, err = j.energies(f); err != nil {
		return err
	}
	if run.Norms, err = spectral.Norms(f.Psi, j.Weights); err != nil {
		return err
	}
	if run.Angles, err = spectral.AngleDistances(j.truth, f.Psi, j.Weights, j.spectrum.Spaces); err != nil {
		return err
	}
	run.Subspaces, err = spectral.SubspaceDistances(j.truth, f.Psi, j.Weights, j.spectrum.Spaces)
	return err
}

// picturedSeed is that of the run whose functions the figures show: the first of a plan. Functions are nearly all of a
// kept result's size, so that those of other runs are not kept.
const picturedSeed = 1

// pictures evaluates the run of [picturedSeed] on a coarse grid, one list of values for each mode. Others have none.
func (j *judge) pictures(params []*tensors.Tensor) ([][][]float64, error) {
	q, err := schrodinger.Grid(2, pictureSide, j.region)
	if err != nil {
		return nil, err
	}
	runs, err := j.functions(params, q.Points)
	if err != nil {
		return nil, err
	}
	all := make([][][]float64, len(runs))
	for r, f := range runs {
		if j.config.Seeds[r] != picturedSeed {
			continue
		}
		for i := range j.config.K {
			all[r] = append(all[r], digits(mat.Col(nil, i, f.Psi)))
		}
	}
	return all, nil
}
