package theory

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"operator-omm/ommlx"
	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
)

// Sections 2.2.5 and 3.2.1 lay OMM's instability to noise that makes a positive operator appear to have negative
// eigenvalues. For two modes of eigenvalues 1 and l the condition is exact. With ρ̂ the correlation of their values in
// the batch, the batch loss of v_1φ_1 + v_2φ_2 falls without bound along some v if and only if
//
//	ρ̂² > 4l/(1 + l)²,
//
// that is where Ĝ diag(1, l) has an indefinite symmetric part, Ĝ the modes' batch moments. So a wide spectrum, l small,
// does it at any batch size, since ρ̂² is about 1/B.
func TestNoiseMakesABatchLossUnbounded(t *testing.T) {
	claim := claims.Of(t, "omm-instability-attribution")
	const batch, far = 8, 1e4
	program := graphtest.NewProgram(t, ommtest.OnBatch(ommlx.OMM{}))
	seen, cases, wrong := map[bool]int{}, 0.0, 0.0
	rapid.Check(t, func(t *rapid.T) {
		rng := graphtest.NewRand(rapid.Uint64().Draw(t, "seed"))
		l := math.Pow(10, rapid.Float64Range(-3, 0).Draw(t, "log10 of the ratio"))
		modes := graphtest.Gaussian(rng, batch, 2)
		ratio := mat.NewDiagDense(2, []float64{1, l})
		moments := ommtest.SecondMoment(modes, modes).Matrix()
		margin := square(moments.At(0, 1))/(moments.At(0, 0)*moments.At(1, 1)) - 4*l/square(1+l)
		if math.Abs(margin) < 1e-3 {
			t.Skip("too near to the edge to tell")
		}
		least := math.Inf(1)
		for i := range 2000 {
			angle := float64(i) * math.Pi / 2000
			// The modes are scaled to the same size of their part of the loss, so that the grid finds a narrow wedge.
			v := mat.NewDense(2, 1, []float64{
				math.Cos(angle) / math.Sqrt(moments.At(0, 0)), math.Sin(angle) / math.Sqrt(l*moments.At(1, 1))})
			least = min(least, mat.Trace(Product(v.T(), moments, ratio, v)))
			if least < 0 {
				// The direction found, in the library's loss: f = far·Φv, Tf = far·ΦΛv.
				f := graphtest.FromMatrix(Product(modes.Matrix(), v)).Scaled(far)
				tf := graphtest.FromMatrix(Product(modes.Matrix(), ratio, v)).Scaled(far)
				out, err := program.TryCall(f, tf, f, f)
				require.NoError(t, err)
				require.Less(t, out[0].Data[0], -1e3)
				break
			}
		}
		seen[margin > 0]++
		cases++
		if (margin > 0) != (least < 0) {
			wrong++
		}
		require.Equal(t, margin > 0, least < 0, "ρ̂² − 4l/(1+l)² = %g, least vᵀĜΛv = %g", margin, least)
	})
	require.Len(t, seen, 2, "both sides were drawn")
	ommtest.Within(t, claim.Printed, "share of batches whose loss does not do what the condition on ρ² says",
		wrong/cases, 0)
	claim.Note("%d batches with a loss that is unbounded below, %d without, of B = %d", seen[true], seen[false], batch)
}

// How often that happens to two Gaussian modes: ρ is nearly Gaussian with variance 1/B, so the share of batches with an
// unbounded loss is nearly P(|z| > 2√(lB)): 5 in 100 where λ_1/λ_2 = B, 32 at 4B, 62 at 16B. A shift κ about λ_1/B
// brings any pair to the first of these.
func TestHowOftenABatchLossIsUnbounded(t *testing.T) {
	claim := claims.Of(t, "omm-instability-attribution")
	const batch, draws = 64, 4000
	rng := graphtest.NewRand(741)
	squares := make([]float64, draws) // of ρ
	for i := range squares {
		modes := graphtest.Gaussian(rng, batch, 2)
		m := ommtest.SecondMoment(modes, modes).Matrix()
		squares[i] = square(m.At(0, 1)) / (m.At(0, 0) * m.At(1, 1))
	}
	for _, times := range []float64{1, 4, 16} {
		l := 1 / (times * batch)
		unbounded := 0.0
		for _, r := range squares {
			if r > 4*l/square(1+l) {
				unbounded++
			}
		}
		want := math.Erfc(2 * math.Sqrt(l*batch) / math.Sqrt2)
		ommtest.Within(t, claim.Corrected, "distance of the share of batches with an unbounded loss from P(|z| > "+
			"2√(lB)), B = 64", math.Abs(unbounded/draws-want), 0.03)
		claim.Note("%.0f %% of batches where λ_1/λ_2 = %g·B", 100*unbounded/draws, times)
	}
}
