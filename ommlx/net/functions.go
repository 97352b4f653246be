package net

import (
	"fmt"
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/jet"
)

// Functions is k functions with parameters: a [Table], an [MLP], or a custom type. Optional methods Validate() error
// and CheckStates(points mat.Matrix) error are called before a training, and Prepare by [Prepare].
type Functions interface {
	// Init draws initial parameters for len(seeds) runs, each [R, …]; run r depends only on seeds[r].
	Init(seeds []int64) []*tensors.Tensor
	// Apply evaluates the functions at points x [R, n, D]: [R, n, k].
	Apply(params []*Node, x *Node) *Node
}

// Waves is k functions that are evaluated with their derivatives, such as a [Disjoint].
type Waves interface {
	Init(seeds []int64) []*tensors.Tensor
	Apply(params []*Node, x jet.Jet) jet.Jet
}

// IsDiscrete reports whether functions are on a finite set of states, and points are state numbers.
func IsDiscrete(f Functions) bool {
	_, is := f.(interface{ CheckStates(mat.Matrix) error })
	return is
}

// CheckStates returns the error of f.CheckStates, if there is one: points, N×1, that are no state numbers.
func CheckStates(f Functions, points mat.Matrix) error {
	if s, is := f.(interface{ CheckStates(mat.Matrix) error }); is {
		return s.CheckStates(points)
	}
	return nil
}

// Validate returns the error of f.Validate, if there is one.
func Validate(f any) error {
	if v, is := f.(interface{ Validate() error }); is {
		return v.Validate()
	}
	return nil
}

// Prepare returns what Apply takes for points, N×D, on the host: f.Prepare(points) or, without such a method, points.
func Prepare(f Functions, points mat.Matrix) mat.Matrix {
	if p, has := f.(interface{ Prepare(mat.Matrix) mat.Matrix }); has {
		return p.Prepare(points)
	}
	return points
}

// requireWidths returns an error unless all widths are positive.
func requireWidths(network string, in int, hidden []int, out int) error {
	for _, w := range append([]int{in, out}, hidden...) {
		if w < 1 {
			return fmt.Errorf("%s: In %d, Hidden %v, Out %d, want widths of at least 1", network, in, hidden, out)
		}
	}
	return nil
}

// requireParams panics unless params have the shapes of weights after one leading axis of runs.
func requireParams(network string, params []*Node, weights []tensorx.Weight) {
	if len(params) != len(weights) {
		panic(fmt.Errorf("net.%s: got %d parameters, want %d as from Init", network, len(params), len(weights)))
	}
	for i, p := range params {
		runs, dims := params[0].Shape().Dimensions[:1], p.Shape().Dimensions
		if !slices.Equal(dims, append(runs[:1:1], weights[i].Shape...)) {
			panic(fmt.Errorf("net.%s: parameter %d is %v, want %v after the axis of runs", network, i, dims,
				weights[i].Shape))
		}
	}
}

// requireInputs panics unless x is [B, width] or [runs, B, width], with up to extra more axes in between.
func requireInputs(network string, width, runs, extra int, x *Node) {
	dims := x.Shape().Dimensions
	rank := len(dims)
	if rank < 2 || rank > 3+extra || dims[rank-1] != width || rank > 2 && dims[0] != runs {
		panic(fmt.Errorf("net.%s: inputs are %v, want [B %d] or [%d B %d]", network, dims, width, runs, width))
	}
}
