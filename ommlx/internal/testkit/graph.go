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

// Compile compiles the graph function for an engine.
func Compile(t testing.TB, b compute.Backend, fn func(in []*Node) []*Node) *Exec {
	t.Helper()
	exec, err := NewExec(b, fn)
	require.NoError(t, err)
	t.Cleanup(exec.Finalize)
	return exec
}

// Run calls it with tensors, lists of tensors and other values that GoMLX accepts.
func Run(t testing.TB, exec *Exec, in ...any) []*tensors.Tensor {
	t.Helper()
	var args []any
	for _, x := range in {
		if list, ok := x.([]*tensors.Tensor); ok {
			args = append(args, xslices.Map(list, func(x *tensors.Tensor) any { return x })...)
		} else {
			args = append(args, x)
		}
	}
	out, err := exec.Call(args...)
	require.NoError(t, err)
	return out
}

// Evaluate runs a graph function once on [Backend] and returns the numbers of its results.
func Evaluate(t testing.TB, fn func(in []*Node) []*Node, in ...any) [][]float64 {
	t.Helper()
	return Numbers(Run(t, Compile(t, Backend(t), fn), in...))
}

// EvaluatePureGo is [Evaluate] on [PureGo].
func EvaluatePureGo(t testing.TB, fn func(in []*Node) []*Node, in ...any) [][]float64 {
	t.Helper()
	return Numbers(Run(t, Compile(t, PureGo(t), fn), in...))
}

// Numbers returns the numbers of each tensor.
func Numbers(list []*tensors.Tensor) [][]float64 { return xslices.Map(list, Flat) }

// Flat returns the numbers of a tensor, row by row.
func Flat(x *tensors.Tensor) []float64 { return tensorx.Numbers(x) }

// Program is a graph function of arrays.
type Program struct {
	exec  *Exec
	dtype dtypes.DType
}

// NewProgram compiles the graph function in float64 for [PureGo].
func NewProgram(t testing.TB, fn func(in []*Node) []*Node) Program {
	t.Helper()
	return NewProgramOn(t, PureGo(t), dtypes.Float64, fn)
}

// NewProgramOn compiles the graph function for an engine and a float type.
func NewProgramOn(t testing.TB, b compute.Backend, dtype dtypes.DType, fn func(in []*Node) []*Node) Program {
	t.Helper()
	return Program{Compile(t, b, fn), dtype}
}

// Call returns the results.
func (p Program) Call(t testing.TB, in ...Array) []Array {
	t.Helper()
	out, err := p.TryCall(in...)
	require.NoError(t, err)
	return out
}

// TryCall returns the results, or the error of the graph function.
func (p Program) TryCall(in ...Array) ([]Array, error) {
	results, err := p.exec.Call(xslices.Map(in, func(a Array) *tensors.Tensor { return a.Tensor(p.dtype) }))
	return FromTensors(results), err
}
