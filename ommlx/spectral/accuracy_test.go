package spectral_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/gomlx/support/xslices"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
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

// TestLehmannMaehlyEncloses: the eigenvalues of a diagonal operator lie between the Ritz values and the bounds, for
// trial functions that are eigenvectors and noise. The width falls with the square of the noise.
func TestLehmannMaehlyEncloses(t *testing.T) {
	const n, m = 40, 3
	eigenvalue := func(i int) float64 { return 1 / (1 + 0.3*float64(i)) }
	a := mat.NewDiagDense(n, xslices.Map(xslices.Iota(0, n), eigenvalue))
	trial := func(noise float64) (f, tf *mat.Dense) {
		random := linalg.RandomGaussian(rand.New(rand.NewPCG(1, 2)), n, m) // the same for every size
		f = linalg.Sum(linalg.Columns(linalg.IdentityMatrix(n), 0, m), linalg.Scaled(noise, random))
		return f, linalg.Product(a, f)
	}
	var widths []float64
	for _, noise := range []float64{1e-2, 1e-3} {
		f, tf := trial(noise)
		d := testkit.Must(spectral.Diagnose(f, tf, nil))
		upper := testkit.Must(spectral.LehmannMaehly(f, tf, eigenvalue(m)+1e-9))
		for i := range m {
			assert.LessOrEqual(t, d.Ritz[i], eigenvalue(i)+1e-12)
			assert.GreaterOrEqual(t, upper[i], eigenvalue(i)-1e-12)
		}
		widths = append(widths, upper[1]-d.Ritz[1])
	}
	assert.InDelta(t, 100, widths[0]/widths[1], 5)

	// One function: Temple's bound, by hand.
	f, tf := trial(1e-2)
	one, applied := linalg.Columns(f, 0, 1), linalg.Columns(tf, 0, 1)
	rho := eigenvalue(1)
	upper := testkit.Must(spectral.LehmannMaehly(one, applied, rho))
	norm := mat.Dot(one.ColView(0), one.ColView(0))
	theta := mat.Dot(one.ColView(0), applied.ColView(0)) / norm
	var rest mat.VecDense
	rest.AddScaledVec(applied.ColView(0), -theta, one.ColView(0))
	assert.InDelta(t, theta+mat.Dot(&rest, &rest)/norm/(theta-rho), upper[0], 1e-12)

	_, err := spectral.LehmannMaehly(one, applied, 2)
	assert.ErrorContains(t, err, "ρ = 2")
	_, err = spectral.LehmannMaehly(one, tf, rho)
	assert.ErrorContains(t, err, "Tf")
}
