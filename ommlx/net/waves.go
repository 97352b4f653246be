package net

import (
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/jet"
)

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
