package spectral_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/spectral"
)

// TestPositiveShift: a k-th eigenvalue of 1 % of the radius needs a shift, one of 3 % does not.
func TestPositiveShift(t *testing.T) {
	for value, shifted := range map[float64]bool{0.01: true, 0.017: true, 0.025: false} {
		a := mat.NewDiagDense(4, []float64{1, value, -0.5, -0.6})
		shift := spectral.PositiveShift(4, 2, 1, linalg.Times(a))
		require.Equal(t, shifted, shift > 0.6, "shift %g for %g", shift, value)
	}
}

// TestSettled: a training may end when residuals are 5 % of the gaps, and no eigenvalue was missed.
func TestSettled(t *testing.T) {
	for residual, settled := range map[float64]bool{0.022: true, 0.028: false} {
		a := spectral.Accuracy{Values: []float64{1, 0.5}, Residuals: []float64{residual, 0}}
		require.Equal(t, settled, a.Unsettled() <= 1, "%g", residual)
		a.Outside.Least = []float64{1, 0.6}
		require.Greater(t, a.Unsettled(), 1.0)
	}
}

// TestMixed: values at a distance of 1e-4 of the spread are one level; the residual, or the product of two relative to
// the gap of the functions to the rest, mixes others if it exceeds half of their distance.
func TestMixed(t *testing.T) {
	for _, c := range []struct {
		distance, residual, edge float64
		mixed                    []int
	}{
		{0.1, 0.04, math.NaN(), nil}, {0.1, 0.06, math.NaN(), []int{0, 1}}, {0.1, 0.06, 0.5, nil},
		{0.1, 0.2, 0.5, []int{0, 1}}, {2e-5, 0.1, 0.5, nil},
	} {
		a := spectral.Accuracy{Values: []float64{1, 1 - c.distance}, Residuals: []float64{c.residual, c.residual},
			Edge: c.edge}
		mixed, _, _ := a.Mixed()
		require.Equal(t, c.mixed, mixed, "%+v", c)
	}
}
