package jet_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/backend"
	"operator-omm/ommlx/jet"
)

func compiled(t *testing.T, fn func(in []*Node) []*Node) *Exec {
	t.Helper()
	b, _, err := backend.Open()
	require.NoError(t, err)
	exec, err := NewExec(b, fn)
	require.NoError(t, err)
	t.Cleanup(exec.Finalize)
	return exec
}

func evaluate(t *testing.T, fn func(in []*Node) []*Node, in ...*tensors.Tensor) [][]float64 {
	t.Helper()
	return call(t, compiled(t, fn), in...)
}

func call(t *testing.T, exec *Exec, in ...*tensors.Tensor) [][]float64 {
	t.Helper()
	args := make([]any, len(in))
	for i, x := range in {
		args[i] = x
	}
	out, err := exec.Exec(args...)
	require.NoError(t, err)
	values := make([][]float64, len(out))
	for i, x := range out {
		values[i] = flat(x)
	}
	return values
}

func flat(x *tensors.Tensor) []float64 {
	if x.DType() == dtypes.Float64 {
		return tensors.MustCopyFlatData[float64](x)
	}
	var out []float64
	for _, v := range tensors.MustCopyFlatData[float32](x) {
		out = append(out, float64(v))
	}
	return out
}

// streams lists value, Laplacian and gradient.
func streams(j jet.Jet) []*Node { return append([]*Node{j.Value, j.Laplacian}, j.Gradient...) }

func normal(rng *rand.Rand, scale float64, dims ...int) *tensors.Tensor {
	size := 1
	for _, d := range dims {
		size *= d
	}
	x := make([]float64, size)
	for i := range x {
		x[i] = scale * rng.NormFloat64()
	}
	return tensors.FromFlatDataAndDimensions(x, dims...)
}

func newRand() *rand.Rand { return rand.New(rand.NewPCG(11, 4)) }

// assertClose compares relative to the largest entry.
func assertClose(t *testing.T, want, got []float64, tolerance float64, about ...any) {
	t.Helper()
	require.Len(t, got, len(want))
	largest, off := 1.0, 0.0
	for i := range want {
		largest = max(largest, math.Abs(want[i]))
		off = max(off, math.Abs(want[i]-got[i]))
		if math.IsNaN(got[i]) || math.IsNaN(want[i]) {
			off = math.NaN()
		}
	}
	assert.False(t, !(off <= tolerance*largest), "off by %g of %g %s", off, largest, fmt.Sprint(about...))
}
