// Package net builds the networks that parametrise eigenfunctions.
//
// Every parameter has a leading axis of R independent runs, so that one program trains R networks with different seeds.
package net

import (
	"fmt"
	"math"
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/internal/tensorx"
)

// MLP is a fully connected network with ReLU activations and a linear last layer:
//
//	h_0 = x,   h_l = max(0, W_l h_{l−1} + b_l),   f(x) = W_{L+1} h_L + b_{L+1}.
//
// The paper's Laplacian experiments use In 2, Hidden {256, 256, 256}, Out k (Section C.1).
type MLP struct {
	In     int   // input dimension
	Hidden []int // widths of the hidden layers
	Out    int   // k, the number of functions
}

// Validate returns an error if a width is not positive.
func (m MLP) Validate() error { return requireWidths("MLP", m.In, m.Hidden, m.Out) }

func (m MLP) weights() (params []tensorx.Weight) {
	in := m.In
	for _, out := range append(slices.Clone(m.Hidden), m.Out) {
		params = append(params, tensorx.Truncated(1/math.Sqrt(float64(in)), out, in), tensorx.Constant(0, out))
		in = out
	}
	return params
}

// Init draws initial parameters for len(seeds) runs: W_1 [R, out, in], b_1 [R, out], W_2, … in float32.
//
// Weights are normal with standard deviation 1/√in, truncated at two standard deviations; biases are zero. The paper
// states no initialisation; this is the default of hk.Linear (Haiku), as in the code that the paper builds on (Gomez et
// al. 2024, src/nets/mlp.py). Run r depends only on seeds[r].
func (m MLP) Init(seeds []int64) []*tensors.Tensor { return tensorx.Draw(m.weights(), seeds, 0x0131) }

// Apply evaluates the networks: params from [MLP.Init], x [N, In] (the same inputs for every run) or [R, N, In];
// returns [R, N, Out]. It panics if shapes do not fit.
func (m MLP) Apply(params []*Node, x *Node) *Node {
	requireParams("MLP", params, m.weights())
	runs := params[0].Shape().Dim(0)
	requireInputs("MLP", m.In, runs, 0, x)
	h := x
	if h.Rank() == 2 {
		h = BroadcastPrefix(h, runs)
	}
	for l := 0; l < len(params); l += 2 {
		h = tensorx.PerRun(h, params[l])
		h = Add(h, BroadcastToShape(InsertAxes(params[l+1], 1), h.Shape()))
		if l+2 < len(params) {
			h = tensorx.ReLU(h)
		}
	}
	return h
}

// Coordinates are (x − Mean)·Scale. The zero value leaves x as it is.
type Coordinates struct{ Mean, Scale []float64 } // D each

// Standardise returns coordinates with mean 0 and standard deviation 1 over samples, N×D.
func Standardise(samples mat.Matrix) (c Coordinates) {
	_, d := samples.Dims()
	for j := range d {
		mean, deviation := stat.PopMeanStdDev(mat.Col(nil, j, samples), nil)
		if deviation == 0 {
			deviation = 1 // a constant coordinate
		}
		c.Mean, c.Scale = append(c.Mean, mean), append(c.Scale, 1/deviation)
	}
	return c
}

// Prepare returns the coordinates of points, N×D, in float64: float32 would lose the digits of points far from zero.
func (c Coordinates) Prepare(points mat.Matrix) mat.Matrix {
	if _, d := points.Dims(); d != len(c.Mean) {
		return points // no coordinates, or an error in Apply
	}
	var x mat.Dense
	x.Apply(func(_, j int, v float64) float64 { return (v - c.Mean[j]) * c.Scale[j] }, points)
	return &x
}

// Standardised is a network of standardised coordinates.
type Standardised struct {
	MLP
	Coordinates
}

// Apply is [MLP.Apply] of what Prepare returns.
func (s Standardised) Apply(params []*Node, x *Node) *Node {
	if d := x.Shape().Dim(-1); d != len(s.Mean) {
		panic(fmt.Errorf("points are %s, want %d coordinates", x.Shape(), len(s.Mean)))
	}
	return s.MLP.Apply(params, x)
}
