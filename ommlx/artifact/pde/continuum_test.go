package pde

import (
	"math"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/operator"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/spectral"
)

// Section 3.2.1 says that −H of hydrogen, or a shift of it, is PSD. The waves ψ = exp(−|x|²/2s²) cos(qx) have
// ⟨−H⟩ ≈ −q², as free particles do: the spectrum of H extends to +∞ above its bound states.
func TestHydrogenShiftedByAnyNumberIsNotPositive(t *testing.T) {
	claim := papertest.Of(t, "hydrogen-t-is-psd")
	const s = 3.0
	hydrogen := schrodinger.Hydrogen()
	// Up to where ψ is e^{−18} and, with J_m(2·8·r) in the products, exact to rounding.
	q := testkit.Must(Disc(200, 320, 6*s))
	waves := []float64{2, 4, 8}
	out := testkit.Compile(t, func(in []*Node) []*Node {
		x := jet.Inputs(in[0])
		r2 := jet.Add(jet.Mul(x.Column(0), x.Column(0)), jet.Mul(x.Column(1), x.Column(1)))
		envelope := jet.Exp(jet.Scale(r2, -1/(2*s*s)))
		var all []jet.Jet
		for _, wave := range waves {
			all = append(all, jet.Mul(envelope, jet.Sin(jet.Shift(jet.Scale(x.Column(0), wave), math.Pi/2))))
		}
		b := operator.Hamiltonian{Potential: hydrogen.Potential(in[0])}.Direct(jet.Concatenate(all...), 1)
		return []*Node{b.F, b.TF}
	}).Numbers(t, testkit.FromMatrix(q.Points))
	n := len(q.Weights)
	d := testkit.Must(spectral.Diagnose(mat.NewDense(n, len(waves), out[0]), mat.NewDense(n, len(waves), out[1]),
		q.Weights))
	for i, wave := range waves {
		// The attraction adds ⟨1/r⟩, which is about √π/s, and the width of the wave subtracts 1/s².
		claim.Corrected.Within(t, "how far ⟨T⟩ of a wave of wave number q is above −q² + 1, q = 2, 4, 8",
			max(0, d.Quotients[i]-(1-wave*wave)), 0)
		kappa := wave*wave - 2
		claim.Printed.Beyond(t, "how far ⟨T + κI⟩ is below 0 for some wave, κ = 2, 14, 62", -d.Quotients[i]-kappa, 0)
	}
	claim.Corrected.Within(t, "1 less the smallest Ritz value of T + 70 I on the span of the three waves",
		1-slices.Min(d.Ritz)-70, 0)
}

// If the spectrum of H reaches down to a continuum at 0, section 3.2.2 takes (H + ε)⁻¹ with some ε > 0. With bound
// states below 0, as in hydrogen, that is positive only for ε > |E_0|. Its leading states are then the bound states,
// above its continuum [0, 1/ε].
func TestInverseOfHydrogenNeedsALargeEpsilon(t *testing.T) {
	claim := papertest.Of(t, "inverse-epsilon")
	hydrogen := schrodinger.Hydrogen()
	var energies []float64 // bound states and, in the elements' box, the continuum
	for l := range 4 {
		for range multiplicity(l) {
			energies = append(energies, radial(t, hydrogen, l, 90, math.Inf(1))...)
		}
	}
	inverted := func(epsilon float64) []float64 {
		values := make([]float64, len(energies))
		for i, e := range energies {
			values[i] = 1 / (e + epsilon)
		}
		slices.Sort(values)
		slices.Reverse(values)
		return values
	}
	const enough, small = 1.5, 0.5
	values := inverted(enough)
	claim.Printed.Within(t, "negative part of the spectrum of (H + 1.5)⁻¹", max(0, -values[len(values)-1]-0), 0)
	exact := testkit.Must(hydrogen.Lowest(16))
	for i, energy := range exact.Energies() {
		claim.Printed.Within(t, "relative difference of its leading 16 eigenvalues from 1/(E_n + 1.5)",
			math.Abs(values[i]*(energy+enough)-1), 0.01)
	}
	claim.Note("relative gaps of its leading levels n = 0 to 3: %.2f, %.3f, %.3f",
		1-values[1]/values[0], 1-values[4]/values[1], 1-values[9]/values[4])
	values = inverted(small)
	require.Less(t, values[len(values)-1], 0.0)
	claim.Note("the spectrum of (H + 0.5)⁻¹ goes down to %.2f", values[len(values)-1])
}

// If √ρ·f vanishes at the ends, E_ρ[f₁ Hf₂] = E_ρ[f₂ Hf₁], here as sums over a fine grid
// in one dimension, for functions that are not eigenfunctions.
func TestHamiltonianIsSelfAdjoint(t *testing.T) {
	const n, half, sigma = 2001, 12.0, 1.3
	points, weights := make([]float64, n), make([]float64, n)
	for i := range points {
		points[i] = half * (2*float64(i)/(n-1) - 1)
		weights[i] = math.Exp(-points[i] * points[i] / (2 * sigma * sigma))
	}
	out := testkit.Compile(t, func(in []*Node) []*Node {
		c := jet.Inputs(in[0]).Column(0)
		r2 := jet.Mul(c, c)
		u := jet.Scale(r2, -1/(4*sigma*sigma))
		h := operator.Hamiltonian{Potential: Neg(Exp(Neg(r2.Value))), LogRoot: &u}
		f := jet.Concatenate(jet.Sin(jet.Scale(c, 1.5)), jet.Softplus(jet.Shift(c, 0.3)))
		return []*Node{f.Value, h.Apply(f), operator.Hamiltonian{Potential: h.Potential}.Apply(f)}
	}).Numbers(t, testkit.FromMatrix(mat.NewDense(n, 1, points)))
	// moments returns E_ρ[f₁ Hf₂] and E_ρ[f₂ Hf₁].
	moments := func(hf []float64) (m12, m21 float64) {
		m := testkit.Must(spectral.Diagnose(mat.NewDense(n, 2, out[0]), mat.NewDense(n, 2, hf), weights)).Projected
		return m.At(0, 1), m.At(1, 0)
	}
	m12, m21 := moments(out[1])
	require.Greater(t, math.Abs(m12), 1.0)
	claim := papertest.Of(t, "hydrogen-samples")
	claim.Corrected.Within(t, "relative asymmetry of E_ρ[f_1 Hf_2] for √ρ⁻¹H√ρ, Gaussian ρ", math.Abs(m12/m21-1), 1e-9)
	// −∇² + V itself, on functions of L²_ρ, is not self-adjoint there.
	m12, m21 = moments(out[2])
	claim.Note("relative asymmetry of E_ρ[f_1 Hf_2] for −∇² + V itself: %.2g",
		math.Abs(m12-m21)/math.Max(math.Abs(m12), math.Abs(m21)))
	require.Greater(t, math.Abs(m12-m21), 0.1*math.Abs(m12))
}
