// Package graphtest runs graph functions in tests, on the backend of this machine.
package graphtest

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/backend"
)

// Compiled returns the graph function, ready to run.
func Compiled(t testing.TB, fn func(in []*Node) []*Node) *Exec {
	t.Helper()
	b, _, err := backend.Open()
	require.NoError(t, err)
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
	out, err := exec.Exec(args...)
	require.NoError(t, err)
	return out
}

// Evaluate runs a graph function once and returns the numbers of its results.
func Evaluate(t testing.TB, fn func(in []*Node) []*Node, in ...any) [][]float64 {
	t.Helper()
	return Numbers(Run(t, Compiled(t, fn), in...))
}

// Numbers returns the numbers of each tensor, as [Flat] does.
func Numbers(list []*tensors.Tensor) (values [][]float64) {
	for _, x := range list {
		values = append(values, Flat(x))
	}
	return values
}

// Flat returns the numbers of a tensor, row by row.
func Flat(x *tensors.Tensor) (out []float64) {
	switch x.DType() {
	case dtypes.Float64:
		return tensors.MustCopyFlatData[float64](x)
	case dtypes.Int32:
		for _, v := range tensors.MustCopyFlatData[int32](x) {
			out = append(out, float64(v))
		}
	default:
		for _, v := range tensors.MustCopyFlatData[float32](x) {
			out = append(out, float64(v))
		}
	}
	return out
}
