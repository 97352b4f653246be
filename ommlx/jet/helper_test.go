package jet_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/jet"
)

// streams lists value, Laplacian and gradient.
func streams(j jet.Jet) []*Node { return append([]*Node{j.Value, j.Laplacian}, j.Gradient...) }

// evaluate is [graphtest.Evaluate] on the engine that compiles nothing. On that of the machine are the closed forms.
func evaluate(t *testing.T, fn func(in []*Node) []*Node, in ...any) [][]float64 {
	t.Helper()
	return graphtest.Numbers(graphtest.Run(t, graphtest.CompiledOn(t, graphtest.PureGo(t), fn), in...))
}

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
