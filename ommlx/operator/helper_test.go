package operator_test

import (
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/backend"
)

// evaluate builds the graph function on the backend of this machine and runs it once.
func evaluate(t *testing.T, fn func(in []*Node) []*Node, in ...any) [][]float64 {
	t.Helper()
	b, _, err := backend.Open()
	require.NoError(t, err)
	exec, err := NewExec(b, fn)
	require.NoError(t, err)
	defer exec.Finalize()
	out, err := exec.Exec(in...)
	require.NoError(t, err)
	values := make([][]float64, len(out))
	for i, x := range out {
		values[i] = flat(x)
	}
	return values
}

func flat(x *tensors.Tensor) (out []float64) {
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

func uniform(rng *rand.Rand, dims ...int) *tensors.Tensor {
	size := 1
	for _, d := range dims {
		size *= d
	}
	x := make([]float32, size)
	for i := range x {
		x[i] = rng.Float32()
	}
	return tensors.FromFlatDataAndDimensions(x, dims...)
}
