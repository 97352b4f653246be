package pde

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/schrodinger"
)

// Evaluator evaluates learned wavefunctions. It compiles its program at the first call.
type Evaluator struct {
	exec        *Exec
	frequencies *tensors.Tensor
	dim, count  int
}

// Values are the wavefunctions ψ of a run at N points, and Tψ: N×k each.
type Values struct{ Psi, TPsi *mat.Dense }

// block is the largest number of points evaluated in one call.
const block = 1024

// Evaluator returns an evaluator for the networks with the given frequencies from [Waves.Init]. apply is the operator,
// such as [operator.Hamiltonian.Direct]; its batch for f at x is multiplied by √ρ to give ψ and Tψ.
func (w Waves) Evaluator(b compute.Backend, frequencies *tensors.Tensor,
	apply func(f jet.Jet, x *Node) ommlx.Batch) (*Evaluator, error) {
	exec, err := NewExec(b, func(in []*Node) []*Node {
		last := len(in) - 1
		x := in[last]
		of := apply(w.Jet(in[:last-1], in[last-1], x), x)
		root := BroadcastToShape(InsertAxes(Exp(schrodinger.LogRoot(w.Sampler, x).Value), 0), of.F.Shape())
		return []*Node{Mul(of.F, root), Mul(of.TF, root)}
	})
	return &Evaluator{exec: exec, frequencies: frequencies, dim: w.System.Dim, count: w.Count}, err
}

// Finalize frees the compiled programs.
func (e *Evaluator) Finalize() { e.exec.Finalize() }

// On evaluates every run of trained parameters on points N×D.
func (e *Evaluator) On(params []*tensors.Tensor, points *mat.Dense) ([]Values, error) {
	n, dim := points.Dims()
	if dim != e.dim {
		return nil, fmt.Errorf("pde.Evaluator: points have dimension %d, want %d", dim, e.dim)
	}
	if len(params) == 0 {
		return nil, fmt.Errorf("pde.Evaluator: no parameters for %d wavefunctions", e.count)
	}
	runs := make([]Values, params[0].Shape().Dim(0))
	for r := range runs {
		runs[r] = Values{mat.NewDense(n, e.count, nil), mat.NewDense(n, e.count, nil)}
	}
	size := min(n, block)
	for n%size != 0 { // blocks of equal size need only one program
		size--
	}
	args := append(slices.Clone(params), e.frequencies, nil)
	for first := 0; first < n; first += size {
		x := make([]float32, size*dim)
		for i := range x {
			x[i] = float32(points.At(first+i/dim, i%dim))
		}
		args[len(args)-1] = tensors.FromFlatDataAndDimensions(x, size, dim)
		out, err := e.exec.Call(args)
		if err != nil {
			return nil, fmt.Errorf("pde.Evaluator: %w", err)
		}
		for o, t := range out {
			for r, part := range tensorx.Matrices(t) {
				of := []*mat.Dense{runs[r].Psi, runs[r].TPsi}[o]
				of.Slice(first, first+size, 0, e.count).(*mat.Dense).Copy(part)
			}
		}
	}
	return runs, nil
}
