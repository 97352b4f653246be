package testkit

import (
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
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

// XLA is [Backend] for a test of XLA's rounding or semantics. It skips the test if this machine computes in pure Go.
func XLA(t testing.TB) compute.Backend {
	t.Helper()
	b, choice, err := backend.Open()
	require.NoError(t, err)
	if choice.Kind == backend.KindGo {
		t.Skip("this tests XLA, and the engine here is pure Go")
	}
	return b
}

// PureGo needs no compilation, which dominates small tests on XLA. TestEveryObjective of package ommlx links the two:
// every objective gives the same loss, gradients and state on both.
func PureGo(t testing.TB) compute.Backend {
	t.Helper()
	b, err := backend.PureGo()
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

// Run runs it on tensors, lists of tensors and anything else that GoMLX accepts.
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

// Program is a graph function that is compiled once per shape and called with arrays.
type Program struct {
	exec  *Exec
	dtype dtypes.DType
}

// NewProgram returns the graph function as a program in float64 on [PureGo].
func NewProgram(t testing.TB, fn func(in []*Node) []*Node) Program {
	t.Helper()
	return NewProgramOn(t, PureGo(t), dtypes.Float64, fn)
}

// NewProgramOn returns the graph function as a program on another engine or in float32.
func NewProgramOn(t testing.TB, b compute.Backend, dtype dtypes.DType, fn func(in []*Node) []*Node) Program {
	t.Helper()
	return Program{CompiledOn(t, b, fn), dtype}
}

// Call returns the results.
func (p Program) Call(t testing.TB, in ...Array) []Array {
	t.Helper()
	out, err := p.TryCall(in...)
	require.NoError(t, err)
	return out
}

// TryCall returns the results, or the error of a graph function that does not take arrays of these shapes.
func (p Program) TryCall(in ...Array) ([]Array, error) {
	args := make([]any, len(in))
	for i, a := range in {
		args[i] = a.Tensor(p.dtype)
	}
	results, err := p.exec.Call(args...)
	if err != nil {
		return nil, err
	}
	out := make([]Array, len(results))
	for i, r := range results {
		out[i] = FromTensor(r)
	}
	return out, nil
}
