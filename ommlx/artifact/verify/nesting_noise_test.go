package verify

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/ommtest"
	"omm-go/ommlx/internal/testkit"
)

// squaredCorrelation is that of two modes in a batch, by their moments.
func squaredCorrelation(m *mat.Dense) float64 { return square(m.At(0, 1)) / (m.At(0, 0) * m.At(1, 1)) }

// Sections 2.2.5 and 3.2.1 lay OMM's instability to noise that makes a positive operator appear to have negative
// eigenvalues. For two modes of eigenvalues 1 and l, with the correlation ρ̂ of their values in the batch, the batch
// loss of v_1φ_1 + v_2φ_2 falls without bound along some v if and only if ρ̂² > 4l/(1 + l)², that is where Ĝ diag(1,
// l) has an indefinite symmetric part, Ĝ the modes' batch moments.
func TestNoiseMakesABatchLossUnbounded(t *testing.T) {
	claim := papertest.Of(t, "omm-instability-attribution")
	const batch, far, angles = 8, 1e4, 2000
	program := testkit.NewProgram(t, ommtest.OnBatch(ommlx.OMM{}))
	seen, cases, wrong := map[bool]int{}, 0.0, 0.0
	rapid.Check(t, func(t *rapid.T) {
		rng := drawRand(t)
		l := math.Pow(10, rapid.Float64Range(-3, 0).Draw(t, "log10 of the ratio"))
		modes := testkit.Gaussian(rng, batch, 2)
		ratio := mat.NewDiagDense(2, []float64{1, l})
		moments := ommtest.SecondMoment(modes, modes).Matrix()
		margin := squaredCorrelation(moments) - 4*l/square(1+l)
		if math.Abs(margin) < 1e-3 {
			t.Skip("too near to the edge to tell")
		}
		least := math.Inf(1)
		for i := 0; i < angles && least >= 0; i++ {
			sin, cos := math.Sincos(float64(i) * math.Pi / angles)
			// The modes are scaled to the same size of their part of the loss, so that the grid finds a narrow wedge.
			v := mat.NewDense(2, 1, []float64{cos / math.Sqrt(moments.At(0, 0)), sin / math.Sqrt(l*moments.At(1, 1))})
			if least = min(least, mat.Trace(Product(v.T(), moments, ratio, v))); least < 0 {
				// The direction found, in the library's loss: f = far·Φv, Tf = far·ΦΛv.
				f := testkit.FromMatrix(Product(modes.Matrix(), v)).Scaled(far)
				tf := testkit.FromMatrix(Product(modes.Matrix(), ratio, v)).Scaled(far)
				require.Less(t, testkit.Must(program.TryCall(f, tf, f, f))[0].Data[0], -1e3)
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
	claim.Printed.Within(t, "share of batches whose loss does not do what the condition on ρ² says", wrong/cases, 0)
	claim.Note("%d batches with a loss that is unbounded below, %d without, of B = %d", seen[true], seen[false], batch)
}

// How often that happens to two Gaussian modes: ρ is nearly Gaussian with variance 1/B, so the share of batches with
// an unbounded loss is nearly P(|z| > 2√(lB)).
func TestHowOftenABatchLossIsUnbounded(t *testing.T) {
	claim := papertest.Of(t, "omm-instability-attribution")
	const batch = 64
	rng := testkit.NewRand(741)
	for _, times := range []float64{1, 4, 16} {
		l := 1 / (times * batch)
		unbounded := Indefinite(rng, []float64{1, l}, 0, batch, 4000)
		claim.Corrected.Within(t, "distance of the share of batches with an unbounded loss from P(|z| > 2√(lB)), B = "+
			"64", math.Abs(unbounded-math.Erfc(2*math.Sqrt(l*batch)/math.Sqrt2)), 0.03)
		claim.Note("%.0f %% of batches where λ_1/λ_2 = %g·B", 100*unbounded, times)
	}
	require.Zero(t, Indefinite(rng, []float64{1, 1. / 256}, 1, batch, 100), "with a shift")
	require.Zero(t, Indefinite(rng, []float64{1}, 0, 4, 100), "one mode")
}

// With one function and A = diag(1, −½) OMM and Sanger both lose some starts to the negative eigenvalue, OMM many more
// of them (see TestOMMTurnsBackBeyondSquaredNormTwo); LoRA loses none. Within squared norm 1 all of them are safe.
func TestSangerReturnsWhereOMMRunsAway(t *testing.T) {
	claim := papertest.Of(t, "sanger-is-stable")
	a := mat.NewDense(2, 2, []float64{1, 0, 0, -0.5})
	var diverged [3]float64
	for i, o := range []ommlx.Objective{ommlx.OMM{}, ommlx.Sanger{}, ommlx.LoRA{}} {
		program := onMatrix(t, o)
		for _, start := range []struct {
			mu, angle float64 // squared norm, and angle to w_1
			diverges  [3]bool
		}{
			{1, 1.5, [3]bool{false, false, false}},
			{1.5, 1.4, [3]bool{true, false, false}},
			{4, 1.0, [3]bool{true, false, false}},
			{2.5, 1.4, [3]bool{true, true, false}},
			{4, 1.4, [3]bool{true, true, false}},
		} {
			v := mat.NewDense(2, 1, []float64{math.Cos(start.angle), math.Sin(start.angle)})
			v = Flow(program, Scaled(math.Sqrt(start.mu), v), a, 7, 0.01, func(float64, *mat.Dense) {})
			if start.diverges[i] {
				require.False(t, mat.Norm(v, 2) < 100, "%s from %+v", o.Name(), start)
				diverged[i]++
				continue
			}
			require.InDeltaSlice(t, []float64{1, 0}, v.RawMatrix().Data, 1e-6, "%s from %+v", o.Name(), start)
			if _, sanger := o.(ommlx.Sanger); sanger && start.diverges[0] {
				claim.Printed.Within(t, "distance from w_1 where Sanger's rule ends from squared norm 1.5 and 4, "+
					"starts from which OMM diverges", math.Hypot(v.At(0, 0)-1, v.At(1, 0)), 1e-6)
			}
		}
	}
	require.Positive(t, diverged[1])
	claim.Note("diag(1, −½), five starts: Sanger's rule diverges from %g of them, OMM from %g, LoRA from %g",
		diverged[1], diverged[0], diverged[2])
}

// Sections 2.2.5 and 3.2.1 find Sanger's variant "rather surprisingly" stable where OMM is not. For one function v =
// √μ·v̂ with τ = v̂ᵀAv̂ the descent directions are, across and along v,
//
//	OMM:     √μ (2(2 − μ) (A − τ)v̂ + 4τ(1 − μ) v̂)
//	Sanger:  √μ (2        (A − τ)v̂ + 2τ(1 − μ) v̂)
//	LoRA:    √μ (4        (A − τ)v̂ + 4(τ − μ)  v̂)
//
// so that for μ > 2 OMM turns v to the lowest eigenvector, and the others always turn it to the highest. That negative
// eigenvalues make the norm grow is common to OMM and Sanger, and does not tell them apart.
func TestOMMTurnsBackBeyondSquaredNormTwo(t *testing.T) {
	claim := papertest.Of(t, "sanger-is-stable")
	for _, c := range []struct {
		objective ommlx.Objective
		direction func(mu, tau float64) (across, along float64)
	}{
		{ommlx.OMM{}, func(mu, tau float64) (float64, float64) { return 2 * (2 - mu), 4 * tau * (1 - mu) }},
		{ommlx.Sanger{}, func(mu, tau float64) (float64, float64) { return 2, 2 * tau * (1 - mu) }},
		{ommlx.LoRA{}, func(mu, tau float64) (float64, float64) { return 4, 4 * (tau - mu) }},
	} {
		program := onMatrix(t, c.objective)
		rapid.Check(t, func(t *rapid.T) {
			s := drawSpectrum(t, libraryStates, 0, -4, 4)
			mu := rapid.Float64Range(0.01, 9).Draw(t, "mu")
			unit := s.orthonormal(1)
			tau := mat.Trace(Product(unit.T(), s.a, unit))
			_, gradient := program(Scaled(math.Sqrt(mu), unit), s.a)
			across, along := c.direction(mu, tau)
			want := Combine(across, Combine(1, Product(s.a, unit), -tau, unit), along, unit)
			claim.Corrected.Same(t, "relative difference of the descent directions and their closed forms", want,
				Scaled(-1/math.Sqrt(mu), gradient), 1e-11)
		})
	}
}
