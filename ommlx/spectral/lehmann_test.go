package spectral_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/spectral"
)

// TestLehmannMaehlyEncloses: the eigenvalues of a diagonal operator lie between the Ritz values and the bounds, for
// trial functions that are eigenvectors and noise. The width falls with the square of the noise.
func TestLehmannMaehlyEncloses(t *testing.T) {
	const n, m = 40, 3
	eigenvalue := func(i int) float64 { return 1 / (1 + 0.3*float64(i)) }
	trial := func(noise float64) (f, tf *mat.Dense) {
		rng := rand.New(rand.NewPCG(1, 2)) // the same for every size
		f, tf = mat.NewDense(n, m, nil), mat.NewDense(n, m, nil)
		f.Apply(func(i, j int, _ float64) float64 {
			v := noise * rng.NormFloat64()
			if i == j {
				v++
			}
			return v
		}, f)
		tf.Apply(func(i, _ int, v float64) float64 { return eigenvalue(i) * v }, f)
		return f, tf
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
	one, applied := mat.DenseCopyOf(f.Slice(0, n, 0, 1)), mat.DenseCopyOf(tf.Slice(0, n, 0, 1))
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
