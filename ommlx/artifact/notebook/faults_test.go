package notebook

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/learn"
)

func TestSampledHasItsEigenvalues(t *testing.T) {
	want := Geometric(0.5, 6)
	require.InDelta(t, 0.25, want[2], 1e-15)
	learned := testkit.Must(learn.Learn(context.Background(), Sampled(want, 2, 0.3), 2,
		learn.Settings{Batch: 256, Steps: 500, Rate: 1e-2}))
	require.InDeltaSlice(t, want[:2], learned.Values, 0.01)
	f := testkit.Must(learned.At(mat.NewDense(2, 1, []float64{0, 1})))
	require.InDelta(t, -1, f.At(0, 1)/f.At(1, 1), 0.05, "cos πx at both ends")
}

func TestSkewedIsNotSymmetric(t *testing.T) {
	a := Skewed([]float64{3, 2, 1})
	require.Equal(t, []float64{3, 0.5, 0, 0, 2, 0.5, 0, 0, 1}, a.RawMatrix().Data)
}

func TestGaussianIsTheKernel(t *testing.T) {
	kernel := learn.Kernel{Samples: mat.NewDense(2, 1, []float64{0, 1}), K: Gaussian(0.5)}
	values, _, err := kernel.Exact(Engine(), 1, kernel.Samples)
	require.NoError(t, err)
	require.InDelta(t, math.Exp(-2), values[0], 1e-6)
}
