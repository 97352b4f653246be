// Package graphtest runs graph functions in tests: on tensors with [Run], or compiled once as a [Program] on an
// [Array].
package graphtest

import (
	"sync"
	"testing"

	"github.com/gomlx/compute"
	_ "github.com/gomlx/compute/gobackend"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/backend"
	"operator-omm/ommlx/internal/tensorx"
)

// Backend is the engine that training runs on: XLA where there is one.
func Backend(t testing.TB) compute.Backend {
	t.Helper()
	b, _, err := backend.Open()
	require.NoError(t, err)
	return b
}

var openPureGo = sync.OnceValues(func() (compute.Backend, error) { return compute.NewWithConfig("go:ops_sequential") })

// PureGo needs no compilation, which is most of what a small test costs on XLA. TestEveryObjective of package ommlx
// ties the two together: there every objective gives the same loss, gradients and state on both.
func PureGo(t testing.TB) compute.Backend {
	t.Helper()
	b, err := openPureGo()
	require.NoError(t, err)
	return b
}

// Compiled returns the graph function, ready to run on [Backend].
func Compiled(t testing.TB, fn func(in []*Node) []*Node) *Exec {
	t.Helper()
	return CompiledOn(t, Backend(t), fn)
}

// CompiledOn returns the graph function, ready to run on another engine.
func CompiledOn(t testing.TB, b compute.Backend, fn func(in []*Node) []*Node) *Exec {
	t.Helper()
	exec, err := NewExec(b, fn)
	require.NoError(t, err)
	t.Cleanup(exec.Finalize)
	return exec
}

// Run runs it on tensors, lists of tensors and whatever else GoMLX takes.
func Run(t testing.TB, exec *Exec, in ...any) []*tensors.Tensor {
	t.Helper()
	var args []any
	for _, x := range in {
		if list, ok := x.([]*tensors.Tensor); ok {
			for _, x := range list {
				args = append(args, x)
			}
			continue
		}
		args = append(args, x)
	}
	out, err := exec.Call(args...)
	require.NoError(t, err)
	return out
}

// Evaluate runs a graph function once on [Backend] and returns the numbers of its results.
func Evaluate(t testing.TB, fn func(in []*Node) []*Node, in ...any) [][]float64 {
	t.Helper()
	return EvaluateOn(t, Backend(t), fn, in...)
}

// EvaluateOn is [Evaluate] on another engine.
func EvaluateOn(t testing.TB, b compute.Backend, fn func(in []*Node) []*Node, in ...any) [][]float64 {
	t.Helper()
	return Numbers(Run(t, CompiledOn(t, b, fn), in...))
}

// Numbers returns the numbers of each tensor, as [Flat] does.
func Numbers(list []*tensors.Tensor) (values [][]float64) {
	for _, x := range list {
		values = append(values, Flat(x))
	}
	return values
}

// Flat returns the numbers of a tensor, row by row, as [tensorx.Numbers] does.
func Flat(x *tensors.Tensor) []float64 { return tensorx.Numbers(x) }
