package pde

import (
	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
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
// [net.Fourier.Init]. Without Fourier features the frequencies are unused, one for each run.
func (w Ansatz) Init(seeds []int64) (params []*tensors.Tensor, frequencies *tensors.Tensor) {
	frequencies = tensors.FromFlatDataAndDimensions(make([]float32, len(seeds)), len(seeds))
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

// Sampled are the wavefunctions ψ of a run at N points, and Tψ: N×k each.
type Sampled struct{ Psi, TPsi *mat.Dense }

// Wavefunctions evaluates the wavefunctions of every run of trained parameters on points N×D.
type Wavefunctions func(params []*tensors.Tensor, points *mat.Dense) ([]Sampled, error)

// block is the largest number of points evaluated in one call.
const block = 1024

// Wavefunctions evaluates the networks with the given frequencies from [Ansatz.Init]. apply is the operator,
// such as [operator.Hamiltonian.Direct]; its batch for f at x is multiplied by √ρ to give ψ and Tψ. The program is
// compiled at the first call; free releases it.
func (w Ansatz) Wavefunctions(b compute.Backend, frequencies *tensors.Tensor,
	apply func(f jet.Jet, x *Node) ommlx.Batch) (on Wavefunctions, free func()) {
	seeds := make([]int64, frequencies.Shape().Dim(0)) // without random numbers
	p := train.Problem{Seeds: seeds, Data: []*tensors.Tensor{frequencies}}
	evaluate, free := p.Evaluator(b, func(in train.Inputs) []*Node {
		x := in.Data[1]
		of := apply(w.Jet(in.Params, in.Data[0], x), x)
		root := BroadcastToShape(InsertAxes(Exp(schrodinger.LogRoot(w.Sampler, x).Value), 0), of.F.Shape())
		return []*Node{Mul(of.F, root), Mul(of.TF, root)}
	})
	on = func(params []*tensors.Tensor, points *mat.Dense) ([]Sampled, error) {
		n, dim := points.Dims()
		calls := (n + block - 1) / block
		size := (n + calls - 1) / calls // almost equal blocks need at most two programs
		runs := make([]Sampled, len(seeds))
		for r := range runs {
			runs[r] = Sampled{mat.NewDense(n, w.Count, nil), mat.NewDense(n, w.Count, nil)}
		}
		for first := 0; first < n; first += size {
			last := min(first+size, n)
			out, err := evaluate(train.Snapshot{Params: params}, train.Table(points.Slice(first, last, 0, dim)))
			if err != nil {
				return nil, err
			}
			for r, values := range out {
				runs[r].Psi.Slice(first, last, 0, w.Count).(*mat.Dense).Copy(values[0])
				runs[r].TPsi.Slice(first, last, 0, w.Count).(*mat.Dense).Copy(values[1])
			}
		}
		return runs, nil
	}
	return on, free
}
