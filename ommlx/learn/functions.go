package learn

import (
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx/jet"
	"omm-go/ommlx/net"
)

// Functions are k functions with parameters: a net.Table, a net.MLP, [Values] of a net.Disjoint, or anything with these
// two methods. A method Validate() error is called before the training, if there is one.
type Functions interface {
	// Init draws initial parameters for len(seeds) runs, each [R, …]; run r depends on seeds[r] alone.
	Init(seeds []int64) []*tensors.Tensor
	// Apply evaluates the functions at points x [R, n, D]: [R, n, k].
	Apply(params []*graph.Node, x *graph.Node) *graph.Node
}

// Waves are functions that are evaluated together with their derivatives, such as net.Disjoint.
type Waves interface {
	Init(seeds []int64) []*tensors.Tensor
	Apply(params []*graph.Node, x jet.Jet) jet.Jet
}

// Values are waves as plain functions: derivatives are left out.
func Values(w Waves) Functions { return values{w} }

type values struct{ Waves }

func (v values) Apply(params []*graph.Node, x *graph.Node) *graph.Node {
	return v.Waves.Apply(params, jet.Inputs(x)).Value
}

func (v values) Validate() error {
	if v, ok := v.Waves.(interface{ Validate() error }); ok {
		return v.Validate()
	}
	return nil
}

// start is the standard deviation of a table's numbers at the start: small enough that M[f] ≤ I, where the loss has no
// way down along negative eigenvalues.
const start = 0.3

// table is k functions on n states without a network.
func table(n, k int) net.Table { return net.Table{States: n, Out: k, Scale: start} }

// apply evaluates functions at x [R, n, D], which for a table are the numbers of states; nil are all of them. Where
// there is no state of that number, a table is NaN.
func apply(f Functions, params []*graph.Node, x *graph.Node) *graph.Node {
	if table, ok := f.(net.Table); ok && x != nil && x.DType().IsFloat() {
		x = stateNumbers(x, table.States)
	}
	return f.Apply(params, x)
}
