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
	"omm-go/ommlx/net"
	"omm-go/ommlx/operator"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/train"
)

// Ansatz is k wavefunctions of a system, learned from samples of a density ρ (paper, appendix C.2),
//
//	ψ_i = √ρ f_i,   f_i(x) = m(x) n_i(φ(x)),
//
// with a network n_i for each, Fourier features φ and a mask m. With the inverse-operator trick this is g instead of f.
type Ansatz struct {
	System  schrodinger.System
	Sampler schrodinger.Sampler // of ρ
	Fourier net.Fourier         // φ; without Frequencies the inputs are the coordinates
	Hidden  []int               // widths of the layers of one network
	Count   int                 // k
	// Mask is m, from x [..., B, D] to [..., B, 1], such as net.BoxMask; nil means 1.
	Mask func(x jet.Jet) jet.Jet
	// Difference is the step of finite differences instead of exact derivatives, for comparison; 0: exact.
	Difference float64
}

// Networks returns the n_i.
func (w Ansatz) Networks() net.Disjoint {
	in := w.System.Dim
	if w.Fourier.Frequencies > 0 {
		in = w.Fourier.Features()
	}
	return net.Disjoint{In: in, Hidden: w.Hidden, Out: w.Count}
}

// Init draws the parameters of each run by [net.Disjoint.Init] and the frequencies, which are not trained, by
// [net.Fourier.Init]. Without Fourier features the frequencies are an unused scalar.
func (w Ansatz) Init(seeds []int64) (params []*tensors.Tensor, frequencies *tensors.Tensor) {
	frequencies = tensors.FromScalar(float32(0))
	if w.Fourier.Frequencies > 0 {
		frequencies = w.Fourier.Init(seeds)
	}
	return w.Networks().Init(seeds), frequencies
}

// Jet returns f, or g, [R, B, k] with gradients and Laplacians at points x [R, B, D] or [B, D].
func (w Ansatz) Jet(params []*Node, frequencies, x *Node) jet.Jet {
	f := func(points jet.Jet) jet.Jet {
		inputs := points
		if w.Fourier.Frequencies > 0 {
			inputs = w.Fourier.Apply(frequencies, points)
		}
		n := w.Networks().Apply(params, inputs)
		if w.Mask == nil {
			return n
		}
		return jet.Mul(n, w.Mask(points))
	}
	if w.Difference > 0 {
		return Differences(func(x *Node) *Node { return f(jet.Inputs(x)).Value }, x, w.Difference)
	}
	return f(jet.Inputs(x))
}

// Hamiltonian returns H at points x [..., B, D], for f.
func (w Ansatz) Hamiltonian(x *Node) operator.Hamiltonian {
	h := operator.Hamiltonian{Potential: w.System.Potential(x)}
	if _, constant := w.Sampler.(schrodinger.Uniform); !constant {
		h.LogRoot = schrodinger.LogRoot(w.Sampler, x)
	}
	return h
}

// Wavefunctions are learned ones, to be evaluated at points. Their program is compiled at the first call.
type Wavefunctions struct {
	exec        *Exec
	frequencies *tensors.Tensor
}

// Sampled are the wavefunctions ψ of a run at N points, and Tψ: N×k each.
type Sampled struct{ Psi, TPsi *mat.Dense }

// block is the largest number of points evaluated in one call.
const block = 1024

// Wavefunctions evaluates the networks with the given frequencies from [Ansatz.Init]. apply is the operator,
// such as [operator.Hamiltonian.Direct]; its batch for f at x is multiplied by √ρ to give ψ and Tψ.
func (w Ansatz) Wavefunctions(b compute.Backend, frequencies *tensors.Tensor,
	apply func(f jet.Jet, x *Node) ommlx.Batch) (*Wavefunctions, error) {
	exec, err := NewExec(b, func(in []*Node) []*Node {
		last := len(in) - 1
		x := in[last]
		of := apply(w.Jet(in[:last-1], in[last-1], x), x)
		root := BroadcastToShape(InsertAxes(Exp(schrodinger.LogRoot(w.Sampler, x).Value), 0), of.F.Shape())
		return []*Node{Mul(of.F, root), Mul(of.TF, root)}
	})
	return &Wavefunctions{exec, frequencies}, err
}

// Finalize frees the compiled programs.
func (e *Wavefunctions) Finalize() { e.exec.Finalize() }

// On evaluates every run of trained parameters on points N×D.
func (e *Wavefunctions) On(params []*tensors.Tensor, points *mat.Dense) ([]Sampled, error) {
	n, dim := points.Dims()
	calls := (n + block - 1) / block
	size := (n + calls - 1) / calls                          // almost equal blocks need at most two programs
	values := make([][2][]float64, params[0].Shape().Dim(0)) // of ψ and of Tψ, for each run
	args := append(slices.Clone(params), e.frequencies, nil)
	for first := 0; first < n; first += size {
		args[len(args)-1] = train.Table(points.Slice(first, min(first+size, n), 0, dim))
		out, err := e.exec.Call(args)
		if err != nil {
			return nil, fmt.Errorf("pde.Wavefunctions: %w", err)
		}
		for i, t := range out {
			for r, part := range tensorx.Matrices(t) {
				values[r][i] = append(values[r][i], part.RawMatrix().Data...)
			}
		}
	}
	var runs []Sampled
	for _, v := range values {
		runs = append(runs, Sampled{mat.NewDense(n, len(v[0])/n, v[0]), mat.NewDense(n, len(v[1])/n, v[1])})
	}
	return runs, nil
}
