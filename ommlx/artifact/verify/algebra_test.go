package verify

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/testkit"
)

func TestAngles(t *testing.T) {
	w := Columns(Eye(4), 0, 2)
	v := mat.NewDense(4, 2, []float64{-3, 0, 0, 1, 3e-9, 0, 0, math.Sqrt(3)})
	require.InDeltaSlice(t, []float64{1e-9, math.Pi / 3}, Angles(v, w), 1e-14)
	require.InDelta(t, math.Sqrt(3)/2, LargestSine(v, w), 1e-14)
	v.Set(0, 0, math.Inf(1))
	require.True(t, math.IsNaN(LargestSine(v, w)))
}

func TestClosedFormMatchesLibrary(t *testing.T) {
	for _, orders := range [][]float64{{1}, {0, 0, 1}, {1, 0, 2}} {
		closed, library := OMM(orders), onMatrix(t, ommlx.OMM{Orders: orders})
		forAll(t, 0, -4, 4, func(t *rapid.T, s spectrum, k int) {
			v := s.gaussian(0.5, k)
			want, gradient := library(v, s.a)
			loss, slope := closed(v, s.a)
			require.InEpsilon(t, 2+math.Abs(want), 2+math.Abs(want)+loss-want, 1e-11)
			require.Less(t, mat.Norm(Combine(1, gradient, -1, slope), 2), 1e-11*(1+mat.Norm(gradient, 2)))
		})
	}
}

// The classical Runge–Kutta method has order 4: halving the step divides the error by 16.
func TestFlowHasOrderFour(t *testing.T) {
	quadratic := func(v, _ *mat.Dense) (float64, *mat.Dense) { return square(mat.Norm(v, 2)) / 2, v }
	one := mat.NewDense(1, 1, []float64{1})
	errorAt := func(step float64) float64 {
		return Flow(quadratic, one, nil, 1, step, func(float64, *mat.Dense) {}).At(0, 0) - math.Exp(-1)
	}
	require.InEpsilon(t, 16, errorAt(0.1)/errorAt(0.05), 0.1)
	require.InDelta(t, 0.25, Descend(quadratic, one, nil, 0.5, 2, nil).At(0, 0), 0)
}

// For s·f, s·Tf the loss Σ(f·Tf)²/2 − 4 Σ f·Tf has its minimum at s = 2 if every f·Tf is 1.
func TestRest(t *testing.T) {
	l := testkit.Must(OnValues(testkit.PureGo(t), func(f, tf *Node) *Node {
		product := Mul(f, tf)
		return ReduceAllSum(Sub(MulScalar(Square(product), 0.5), MulScalar(product, 4)))
	}))
	f, tf := mat.NewDense(2, 1, []float64{2, 0.5}), mat.NewDense(2, 1, []float64{0.5, 2})
	require.InDelta(t, 2, l.Rest(f, tf, 3), 1e-6)
}

func TestStreamingErrorAtBestStepEqualsPCA(t *testing.T) {
	require.True(t, math.IsInf(StreamingError([]float64{1, 0.75, 0.5}, 0, 2), 1), "2c·0.25 = 1")
	two := []float64{1, 0.5}
	require.InDelta(t, PCAError(two, 1), StreamingError(two, 1, 1/0.5), 1e-12)
}
