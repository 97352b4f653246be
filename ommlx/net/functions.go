package net

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx/jet"
)

// Functions is k functions with parameters: a [Table], an [MLP], or a custom type. Optional methods Validate() error
// and CheckStates(points mat.Matrix) error are called before a training.
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
