package pde

import (
	"fmt"
	"math"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"operator-omm/ommlx"
	"operator-omm/ommlx/jet"
	"operator-omm/ommlx/schrodinger"
	"operator-omm/ommlx/spectral"
)

// judge evaluates the learned wavefunctions ψ and Tψ of all runs, and compares them with the truth.
type judge struct {
	config      Experiment
	exec        *Exec
	frequencies *tensors.Tensor
	points      *mat.Dense
	weights     []float64
	spectrum    schrodinger.Spectrum
	truth       *mat.Dense // N×K
	region      float64    // half-width of a picture
}

func newJudge(backend compute.Backend, e Experiment) (*judge, error) {
	known, err := e.system()
	if err != nil {
		return nil, err
	}
	system := known.System
	j := &judge{config: e, frequencies: e.frequencies(system.Dim), region: known.region(e.K)}
	if j.spectrum, err = system.Lowest(e.K); err != nil {
		return nil, err
	}
	q, err := known.quadrature()
	if err != nil {
		return nil, err
	}
	j.points, j.weights = q.Points, q.Weights
	if j.truth, err = j.spectrum.OnPoints(q.Points); err != nil {
		return nil, err
	}
	sampler := e.sampler(system)
	e.Weak = false // which gives no Tψ
	j.exec, err = NewExec(backend, func(in []*Node) []*Node {
		last := len(in) - 1
		x := in[last]
		b := e.batch(system, e.wave(in[:last-1], in[last-1], x), x)
		// The density is part of the wavefunction.
		root := Exp(MulScalar(sampler.LogDensity(jet.Inputs(x)).Value, 0.5))
		root = BroadcastToShape(InsertAxes(root, 0), b.F.Shape())
		return []*Node{Mul(b.F, root), Mul(b.TF, root)}
	})
	return j, err
}

// functions returns ψ and Tψ of every run on the points, N×k each; for SpIN, which learns only spaces, orthonormalised.
func (j *judge) functions(params []*tensors.Tensor, points *mat.Dense) (psi, tpsi []*mat.Dense, err error) {
	psi, tpsi, err = j.outputs(params, points)
	if err != nil || j.config.Method != (ommlx.SpIN{}).Name() {
		return psi, tpsi, err
	}
	learned := psi
	if points != j.points {
		if learned, _, err = j.outputs(params, j.points); err != nil {
			return nil, nil, err
		}
	}
	for r := range psi {
		basis, err := spectral.GramSchmidt(learned[r], j.weights)
		if err != nil {
			continue // a run that diverged is judged as it is
		}
		psi[r].Mul(mat.DenseCopyOf(psi[r]), basis)
		tpsi[r].Mul(mat.DenseCopyOf(tpsi[r]), basis)
	}
	return psi, tpsi, nil
}

// outputs evaluates the networks.
func (j *judge) outputs(params []*tensors.Tensor, points *mat.Dense) (psi, tpsi []*mat.Dense, err error) {
	n, dims := points.Dims()
	block := min(n, 1024)
	for n%block != 0 {
		block--
	}
	runs, k := len(j.config.Seeds), j.config.K
	for range runs {
		psi, tpsi = append(psi, mat.NewDense(n, k, nil)), append(tpsi, mat.NewDense(n, k, nil))
	}
	for first := 0; first < n; first += block {
		x := make([]float32, block*dims)
		for i := range x {
			x[i] = float32(points.At(first+i/dims, i%dims))
		}
		args := make([]any, 0, len(params)+2)
		for _, p := range params {
			args = append(args, p)
		}
		out, err := j.exec.Exec(append(args, j.frequencies, tensors.FromFlatDataAndDimensions(x, block, dims))...)
		if err != nil {
			return nil, nil, fmt.Errorf("evaluating the learned functions: %w", err)
		}
		for o, tables := range [][]*mat.Dense{psi, tpsi} {
			flat := tensors.MustCopyFlatData[float32](out[o])
			for i, v := range flat {
				tables[i/(block*k)].Set(first+i/k%block, i%k, float64(v))
			}
		}
	}
	return psi, tpsi, nil
}

// energies are those of H, from the Rayleigh quotients of T.
func (j *judge) energies(psi, tpsi *mat.Dense) ([]float64, error) {
	e, err := spectral.RayleighQuotients(psi, tpsi, j.weights)
	for i, tau := range e {
		tau -= j.config.Shift
		if e[i] = -tau / j.config.Scale; j.config.Inverse {
			e[i] = 1/(tau*j.config.Scale) - j.config.Epsilon
		}
	}
	return e, err
}

// errors returns the mean relative error of each run's energies.
func (j *judge) errors(params []*tensors.Tensor) ([]float64, error) {
	psi, tpsi, err := j.functions(params, j.points)
	if err != nil {
		return nil, err
	}
	means := make([]float64, len(psi))
	for r := range psi {
		means[r] = math.NaN()
		e, err := j.energies(psi[r], tpsi[r])
		if err != nil {
			continue // a run that diverged, or a function that is still zero, has no energy
		}
		relative, err := spectral.RelativeErrors(e, j.spectrum.Energies()[:j.config.K])
		if err != nil {
			return nil, err
		}
		means[r] = stat.Mean(relative, nil)
	}
	return means, nil
}

// judge fills in a run's scores.
func (j *judge) judge(run *Run, psi, tpsi *mat.Dense) (err error) {
	if run.Energies, err = j.energies(psi, tpsi); err != nil {
		return err
	}
	if run.Errors, err = spectral.RelativeErrors(run.Energies, j.spectrum.Energies()[:j.config.K]); err != nil {
		return err
	}
	if run.Norms, err = spectral.Norms(psi, j.weights); err != nil {
		return err
	}
	if run.Angles, err = spectral.AngleDistances(j.truth, psi, j.weights, j.spectrum.Spaces); err != nil {
		return err
	}
	run.Subspaces, err = spectral.SubspaceDistances(j.truth, psi, j.weights, j.spectrum.Spaces)
	return err
}

// pictures evaluates every run on a coarse grid, one list of values for each mode.
func (j *judge) pictures(params []*tensors.Tensor) ([][][]float64, error) {
	q, err := schrodinger.Grid(2, pictureSide, j.region)
	if err != nil {
		return nil, err
	}
	psi, _, err := j.functions(params, q.Points)
	if err != nil {
		return nil, err
	}
	all := make([][][]float64, len(psi))
	for r := range psi {
		for i := range j.config.K {
			all[r] = append(all[r], digits(mat.Col(nil, i, psi[r])))
		}
	}
	return all, nil
}
