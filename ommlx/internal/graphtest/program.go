package graphtest

import (
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
)

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
