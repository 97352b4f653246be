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
	require.InDelta(t, 1e-9, LargestSine(Columns(v, 0, 1), Columns(w, 0, 1)), 1e-15)
	v.Set(0, 0, math.Inf(1))
	require.True(t, math.IsNaN(LargestSine(v, w)))
}

func TestClosedFormMatchesLibrary(t *testing.T) {
	for _, orders := range [][]float64{{1}, {0, 1}, {0, 0, 1}, {0.25, 0.75}, {1, 0, 2}} {
		closed, library := OMM(orders), onMatrix(t, ommlx.OMM{Orders: orders})
		rapid.Check(t, func(t *rapid.T) {
			s := drawSpectrum(t, libraryStates, 0, -4, 4)
			v := Scaled(0.5, Gaussian(s.rng, libraryStates, 3))
			want, gradient := library(v, s.a)
			loss, slope := closed(v, s.a)
			require.InEpsilon(t, 2+math.Abs(want), 2+math.Abs(want)+loss-want, 1e-11)
			requireSame(t, gradient, slope, 1e-11, "gradient")
		})
	}
}

func quadratic(v, _ *mat.Dense) (float64, *mat.Dense) { return square(mat.Norm(v, 2)) / 2, v }

func TestDescendAndFlow(t *testing.T) {
	one := mat.NewDense(1, 1, []float64{1})
	var seen []float64
	v := Descend(quadratic, one, nil, 0.5, 3, func(step int, v *mat.Dense) bool {
		require.Len(t, seen, step)
		seen = append(seen, v.At(0, 0))
		return true
	})
	require.Equal(t, []float64{1, 0.5, 0.25, 0.125}, seen)
	require.InDelta(t, 0.125, v.At(0, 0), 0)
	v = Descend(quadratic, one, nil, 0.5, 9, func(step int, _ *mat.Dense) bool { return step < 2 })
	require.InDelta(t, 0.25, v.At(0, 0), 0)
	require.InDelta(t, 0.25, Descend(quadratic, one, nil, 0.5, 2, nil).At(0, 0), 0)

	// Order 4: halving the step divides the error by 16.
	errorAt := func(step float64) float64 {
		last := 0.0
		end := Flow(quadratic, one, nil, 1, step, func(t float64, _ *mat.Dense) { last = t })
		require.InDelta(t, 1, last, 1e-12)
		return end.At(0, 0) - math.Exp(-1)
	}
	require.InEpsilon(t, 16, errorAt(0.1)/errorAt(0.05), 0.1)
	away := func(v, _ *mat.Dense) (float64, *mat.Dense) { return 0, Scaled(-1, v) }
	steps := 0
	Flow(away, one, nil, 100, 0.1, func(float64, *mat.Dense) { steps++ })
	require.Equal(t, 47, steps, "e^4.7 is the first beyond 100")
}

func TestMinimiseEvaluatesEachVOnce(t *testing.T) {
	a, w := Symmetric(testkit.NewRand(3), []float64{3, 2, 1, 0.5, 0, 0})
	var seen []*mat.Dense
	watched := func(v, a *mat.Dense) (float64, *mat.Dense) {
		seen = append(seen, mat.DenseCopyOf(v))
		return OMM([]float64{1})(v, a)
	}
	loss, v, err := Minimise(watched, Scaled(0.3, Gaussian(testkit.NewRand(4), 6, 2)), a, 500)
	require.NoError(t, err)
	require.InDelta(t, -5, loss, 1e-12)
	require.Less(t, LargestSine(v, Columns(w, 0, 2)), 1e-6)
	for i := range seen[1:] {
		require.False(t, mat.Equal(seen[i], seen[i+1]), "evaluation %d", i+1)
	}
	_, _, err = Minimise(OMM([]float64{1}), mat.NewDense(6, 1, []float64{math.NaN(), 0, 0, 0, 0, 0}), a, 5)
	require.ErrorContains(t, err, "6×1")
}

func TestRatesWithoutFormula(t *testing.T) {
	for _, o := range []ommlx.Objective{ommlx.OMM{}, ommlx.OMM{Nesting: ommlx.Joint, Orders: []float64{0, 1}},
		ommlx.LoRA{}, SangerDetached} {
		_, err := Rates(o, Harmonic(4), 2)
		require.ErrorContains(t, err, o.Name())
	}
	_, err := RealEigenvalues(mat.NewDense(2, 2, []float64{0, 1, -1, 0}))
	require.ErrorContains(t, err, "is not real")
}

// For s·f, s·Tf the loss Σ(f·Tf)²/2 − 4 Σ f·Tf has its minimum at s = 2 if every f·Tf is 1.
func TestValueLossAndRest(t *testing.T) {
	l := testkit.Must(OnValues(testkit.PureGo(t), func(f, tf *Node) *Node {
		product := Mul(f, tf)
		return ReduceAllSum(Sub(MulScalar(Square(product), 0.5), MulScalar(product, 4)))
	}))
	f, tf := mat.NewDense(2, 1, []float64{2, 0.5}), mat.NewDense(2, 1, []float64{0.5, 2})
	loss, df, dtf := l(f, tf)
	require.InDelta(t, -7, loss, 1e-12)
	require.InDeltaSlice(t, []float64{-1.5, -6}, df.RawMatrix().Data, 1e-12)
	require.InDeltaSlice(t, []float64{-6, -1.5}, dtf.RawMatrix().Data, 1e-12)
	require.InDelta(t, 2, l.Rest(f, tf, 3), 1e-6)
	require.Less(t, l.Rest(f, Scaled(-1, tf), 3), 1e-6)
}

func TestStreamingErrorAtBestStepEqualsPCA(t *testing.T) {
	require.True(t, math.IsInf(StreamingError([]float64{1, 0.75, 0.5}, 0, 2), 1), "2c·0.25 = 1")
	two := []float64{1, 0.5}
	require.InDelta(t, PCAError(two, 1), StreamingError(two, 1, 1/0.5), 1e-12)
}
