package net

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/jet"
)

// Disjoint is k separate fully connected networks, one for each eigenfunction, in one batched program. They have
// softplus activations and a linear last layer with one output,
//
//	h_0 = x,   h_l = log(1 + exp(W_l h_{l−1} + b_l)),   f_i(x) = W_{L+1} h_L + b_{L+1}.
//
// The paper's Schrödinger experiments use Hidden {128, 128, 128} on Fourier features (Section C.2).
type Disjoint struct {
	In     int   // inputs of every network
	Hidden []int // widths of the hidden layers of one network
	Out    int   // k, the number of networks
}

// Validate returns an error if a width or the number of networks is not positive.
func (d Disjoint) Validate() error {
	return requireWidths("disjoint networks", d.In, d.Hidden, d.Out)
}

func (d Disjoint) weights() (params []tensorx.Weight) {
	in := d.In
	for _, out := range append(slices.Clone(d.Hidden), 1) {
		params = append(params, tensorx.Normal(math.Sqrt(2/float64(in)), d.Out, out, in),
			tensorx.Constant(0, d.Out, out))
		in = out
	}
	return params
}

// Init draws initial parameters for len(seeds) runs: W_1 [R, k, out, in], b_1 [R, k, out], W_2, … in float32.
//
// Weights are normal with variance 2/in and biases are zero, as in the code that the paper builds on (Ryu et al. 2024,
// examples/models/mlp.py, ParallelMLP). Run r depends only on seeds[r].
func (d Disjoint) Init(seeds []int64) []*tensors.Tensor {
	return tensorx.Draw(d.weights(), seeds, 0x0d15)
}

// Apply evaluates the networks with their gradients and Laplacians: params from [Disjoint.Init]; x [B, In], the same
// inputs for every run, [R, B, In], or [R, k, B, In], separate inputs for every network. If the networks of a run share
// inputs, their first layer is one product. Apply returns [R, B, k]. It panics if shapes do not fit.
func (d Disjoint) Apply(params []*Node, x jet.Jet) jet.Jet {
	requireParams("Disjoint", params, d.weights())
	requireInputs("Disjoint", d.In, params[0].Shape().Dim(0), 1, x.Value)
	h := x
	for l := 0; l < len(params); l += 2 {
		h = jet.Dense(h, params[l], params[l+1])
		if l+2 < len(params) {
			h = jet.Softplus(h)
		}
	}
	return h.Map(func(f *Node) *Node { return Transpose(Squeeze(f, -1), 1, 2) }) // [R, k, B, 1] → [R, B, k]
}

// Scale multiplies the functions of run r by factors[r], in the last layer of params from [Disjoint.Init]. OMM depends
// on the initial scale. Scale returns an error unless there is one factor per run.
func (d Disjoint) Scale(params []*tensors.Tensor, factors ...float64) error {
	if all := len(d.weights()); len(params) != all || len(factors) != params[0].Shape().Dim(0) {
		return fmt.Errorf("disjoint networks: got %d factors and %d parameters, want one factor per run and %d "+
			"parameters", len(factors), len(params), all)
	}
	for _, p := range params[len(params)-2:] {
		if err := tensors.MutableFlatData(p, func(flat []float32) {
			for i := range flat {
				flat[i] *= float32(factors[i*len(factors)/len(flat)])
			}
		}); err != nil {
			return err
		}
	}
	return nil
}

// FourierDisjoint is k separate networks of Fourier features with fixed frequencies and, in a box, of coordinates,
//
//	f_i(y, sin ω_1·x, …, cos ω_1·x, …),   y in [−1, 1]^D.
type FourierDisjoint struct {
	Disjoint
	Frequencies []float64 // ω_j, F×D row by row; not trained
	Box         Box       // of y; the zero value: no y
	Last        float64   // factor of the initial last layer
}

// NewFourierDisjoint returns the networks with the frequencies of features of D-dimensional points, drawn by
// [Fourier.Init] with seed 1.
func NewFourierDisjoint(features Fourier, hidden []int, outputs int, box Box, last float64) FourierDisjoint {
	in := len(box.Lower) + features.Features()
	return FourierDisjoint{Disjoint{In: in, Hidden: hidden, Out: outputs},
		tensorx.Numbers(features.Init([]int64{1})), box, last}
}

// Init draws the parameters by [Disjoint.Init] and scales the last layers.
func (w FourierDisjoint) Init(seeds []int64) []*tensors.Tensor {
	params := w.Disjoint.Init(seeds)
	_ = w.Scale(params, slices.Repeat([]float64{w.Last}, len(seeds))...)
	return params
}

// Apply evaluates the networks at points x [R, B, D] (jet.Inputs): [R, B, k].
func (w FourierDisjoint) Apply(params []*Node, x jet.Jet) jet.Jet {
	frequencies := Reshape(ConstAs(x.Value, w.Frequencies), len(w.Frequencies)/x.Dims(), x.Dims())
	frequencies = BroadcastPrefix(frequencies, x.Value.Shape().Dim(0)) // [R, F, D]
	inputs := jet.SinCos(jet.Dense(x, frequencies, nil))
	if w.Box.Lower != nil {
		inputs = jet.Concatenate(w.Box.Unit(x), inputs)
	}
	return w.Disjoint.Apply(params, inputs)
}

// Fourier is a set of random Fourier features of one or more scales (Tancik et al. 2020; paper, Section C.2):
//
//	φ(x) = (sin ω_1·x, …, sin ω_F·x, cos ω_1·x, …, cos ω_F·x),   ω_j ~ N(0, (2π s_j)² I).
//
// The F frequencies are divided evenly among the scales s_j. The code that the paper builds on uses F = 1,024 and the
// single scale 0.1 for hydrogen, and F = 256 and 1 for the oscillator (Ryu et al. 2024, scripts/exps/pde).
type Fourier struct {
	Dims        int       // D, the dimension of x
	Frequencies int       // F
	Scales      []float64 // in units of 1/x
}

// Validate returns an error that names an invalid field.
func (f Fourier) Validate() error {
	if f.Dims < 1 || f.Frequencies < 1 {
		return fmt.Errorf("fourier features: got %d frequencies of dimension %d, want at least 1 of each",
			f.Frequencies, f.Dims)
	}
	if len(f.Scales) == 0 || len(f.Scales) > f.Frequencies {
		return fmt.Errorf("fourier features: got %d scales, want 1 to %d, the number of frequencies",
			len(f.Scales), f.Frequencies)
	}
	for i, s := range f.Scales {
		if !(s > 0) || math.IsInf(s, 0) {
			return fmt.Errorf("fourier features: scale %d is %g, want positive and finite", i, s)
		}
	}
	return nil
}

// Features returns the number of features, 2F.
func (f Fourier) Features() int { return 2 * f.Frequencies }

// Init draws the frequencies of len(seeds) runs, [R, F, D] float32. They are not trained. Run r depends only on
// seeds[r].
func (f Fourier) Init(seeds []int64) *tensors.Tensor {
	var flat []float32
	for _, seed := range seeds {
		rng := rand.New(rand.NewPCG(uint64(seed), 0xf0))
		for j := range f.Frequencies {
			scale := 2 * math.Pi * f.Scales[j*len(f.Scales)/f.Frequencies]
			for range f.Dims {
				flat = append(flat, float32(scale*rng.NormFloat64()))
			}
		}
	}
	return tensors.FromFlatDataAndDimensions(flat, len(seeds), f.Frequencies, f.Dims)
}

// Apply returns φ with its gradient and Laplacian, [R, B, 2F]: frequencies from [Fourier.Init], coordinates x [B, D] or
// [R, B, D] (jet.Inputs). It panics if shapes do not fit.
func (f Fourier) Apply(frequencies *Node, x jet.Jet) jet.Jet {
	requireParams("Fourier", []*Node{frequencies}, []tensorx.Weight{{Shape: []int{f.Frequencies, f.Dims}}})
	requireInputs("Fourier", f.Dims, frequencies.Shape().Dim(0), 0, x.Value)
	return jet.SinCos(jet.Dense(x, frequencies, nil))
}
