package testkit

import (
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/xslices"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/backend"
	"omm-go/ommlx/internal/tensorx"
)

// Backend is the engine that training uses: XLA if there is one.
func Backend(t testing.TB) compute.Backend {
	t.Helper()
	b, _, err := backend.Open()
	require.NoError(t, err)
	return b
}

// XLA is [Backend] for tests that need XLA. It skips the test if this machine computes in pure Go.
func XLA(t testing.TB) compute.Backend {
	t.Helper()
	b := Backend(t)
	if !tensorx.OnXLA(b) {
		t.Skip("this test needs XLA; run `make setup`")
	}
	return b
}

// PureGo is the pure-Go engine. It needs no compilation, which dominates small tests on XLA.
func PureGo(t testing.TB) compute.Backend {
	t.Helper()
	b, err := backend.PureGo()
	require.NoError(t, err)
	return b
}

// Program is a compiled graph function.
type Program struct{ exec *Exec }

// Compile compiles the graph function for [PureGo].
func Compile(t testing.TB, fn func(in []*Node) []*Node) Program {
	t.Helper()
	return CompileFor(t, PureGo(t), fn)
}

// CompileFor compiles the graph function for an engine.
func CompileFor(t testing.TB, b compute.Backend, fn func(in []*Node) []*Node) Program {
	t.Helper()
	exec, err := NewExec(b, fn)
	require.NoError(t, err)
	t.Cleanup(exec.Finalize)
	return Program{exec}
}

// In converts the inputs of a graph function to an element type.
func In(dtype dtypes.DType, fn func(in []*Node) []*Node) func(in []*Node) []*Node {
	return func(in []*Node) []*Node {
		return fn(xslices.Map(in, func(x *Node) *Node { return ConvertDType(x, dtype) }))
	}
}

// Try returns the results, or the error of the graph function. Inputs are arrays, which become float64, tensors, lists
// of either, and other values that GoMLX accepts.
func (p Program) Try(in ...any) ([]*tensors.Tensor, error) {
	var args []any
	for _, x := range in {
		switch x := x.(type) {
		case Array:
			args = append(args, x.tensor())
		case []Array:
			args = append(args, xslices.Map(x, Array.tensor)...)
		case []*tensors.Tensor:
			args = append(args, xslices.Map(x, func(a *tensors.Tensor) any { return a })...)
		default:
			args = append(args, x)
		}
	}
	return p.exec.Call(args...)
}

// Call returns the results for inputs as of [Program.Try].
func (p Program) Call(t testing.TB, in ...any) []Array {
	t.Helper()
	out, err := p.Try(in...)
	require.NoError(t, err)
	return xslices.Map(out, FromTensor)
}

// Numbers returns the numbers of each result of [Program.Call].
func (p Program) Numbers(t testing.TB, in ...any) [][]float64 {
	t.Helper()
	return xslices.Map(p.Call(t, in...), func(a Array) []float64 { return a.Data })
}
