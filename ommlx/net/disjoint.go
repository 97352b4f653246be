package net

import (
	"fmt"
	"math"
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
