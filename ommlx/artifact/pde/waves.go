package pde

import (
	"fmt"
	"math"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx/jet"
	"omm-go/ommlx/net"
	"omm-go/ommlx/operator"
	"omm-go/ommlx/schrodinger"
)

// Waves are k wavefunctions of a system, learned from samples of a density ρ (paper, appendix C.2),
//
//	ψ_i = √ρ f_i,   f_i(x) = m(x) n_i(φ(x)),
//
// with a network n_i for each, Fourier features φ and a mask m. With the inverse-operator trick this is g instead of f.
type Waves struct {
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
func (w Waves) Networks() net.Disjoint {
	in := w.System.Dim
	if w.Fourier.Frequencies > 0 {
		in = w.Fourier.Features()
	}
	return net.Disjoint{In: in, Hidden: w.Hidden, Out: w.Count}
}

// Validate returns an error that names the invalid part.
func (w Waves) Validate() error {
	if err := w.System.Validate(); err != nil {
		return err
	}
	if err := w.Sampler.Validate(); err != nil {
		return err
	}
	if w.Fourier.Frequencies != 0 {
		if err := w.Fourier.Validate(); err != nil {
			return err
		}
		if w.Fourier.Dims != w.System.Dim {
			return fmt.Errorf("Fourier features have dimension %d, want %d for the %s", w.Fourier.Dims, w.System.Dim,
				w.System.Name)
		}
	}
	if !(w.Difference >= 0) || math.IsInf(w.Difference, 0) {
		return fmt.Errorf("difference is %g, want a positive step, or 0 for exact derivatives", w.Difference)
	}
	return w.Networks().Validate()
}

// Init draws the parameters of each run by [net.Disjoint.Init] and the frequencies, which are not trained, by
// [net.Fourier.Init]. Without Fourier features the frequencies are an unused scalar.
func (w Waves) Init(seeds []int64) (params []*tensors.Tensor, frequencies *tensors.Tensor) {
	frequencies = tensors.FromScalar(float32(0))
	if w.Fourier.Frequencies > 0 {
		frequencies = w.Fourier.Init(seeds)
	}
	return w.Networks().Init(seeds), frequencies
}

// Jet returns f, or g, [R, B, k] with gradients and Laplacians at points x [R, B, D] or [B, D].
func (w Waves) Jet(params []*Node, frequencies, x *Node) jet.Jet {
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
		return jet.Differences(func(x *Node) *Node { return f(jet.Inputs(x)).Value }, x, w.Difference)
	}
	return f(jet.Inputs(x))
}

// Hamiltonian returns H at points x [..., B, D], for f.
func (w Waves) Hamiltonian(x *Node) operator.Hamiltonian {
	h := operator.Hamiltonian{Potential: w.System.Potential(x)}
	if _, constant := w.Sampler.(schrodinger.Uniform); !constant {
		h.LogRoot = schrodinger.LogRoot(w.Sampler, x)
	}
	return h
}

// CheckSamples is [schrodinger.CheckSamples] with the mask, for a batch of n samples.
func (w Waves) CheckSamples(b compute.Backend, n int) error {
	var mask func(x *Node) *Node
	if w.Mask != nil {
		mask = func(x *Node) *Node { return w.Mask(jet.Inputs(x)).Value }
	}
	return schrodinger.CheckSamples(b, w.System, w.Sampler, mask, n)
}
