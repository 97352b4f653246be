package theory

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"operator-omm/ommlx"
	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
)

// Section 2.3.2: ‖A − VVᵀ‖²_F − ‖A‖²_F = −2 tr(VᵀAV) + tr((VᵀV)²), for any symmetric A, is LoRA's loss. For operators
// the norms exist only if T is Hilbert–Schmidt, which the −H of the paper's examples is not, nor the inverse of H for
// the oscillator; the right side needs less.
func TestLoRAIsALowRankApproximation(t *testing.T) {
	claim := claims.Of(t, "lora-objective")
	program := onMatrix(t, ommlx.LoRA{})
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpectrum(t, libraryStates, 0, -4, 4)
		v := Gaussian(s.rng, libraryStates, drawLibraryModes(t))
		loss, _ := program(v, s.a)
		want := square(mat.Norm(Combine(1, s.a, -1, Product(v, v.T())), 2)) - square(mat.Norm(s.a, 2))
		size := 1 + square(square(mat.Norm(v, 2)))
		ommtest.Within(t, claim.Corrected, "largest relative difference of the two sides",
			math.Abs(want-loss)/size, 1e-11)
	})

	// ‖T‖²_HS = Σ λ² of the oscillator's inverse: of n functions each has the energy 2n, so it is Σ 1/(4n).
	norm, before := 0.0, 0.0
	for n := 1; n <= 100_000; n++ {
		norm += float64(n) / square(2*float64(n))
		if n == 1_000 {
			before = norm
		}
	}
	ommtest.Within(t, claim.Corrected, "distance of what the shells from 1,000 to 100,000 add to ‖T‖² of the "+
		"oscillator's inverse from ¼ log 100",
		math.Abs(norm-before-math.Log(100)/4), 1e-3)
}

// Section 2.3.2: of any symmetric A, LoRA learns VVᵀ = Σ λ_i w_iw_iᵀ over the leading k positive eigenvalues, with loss
// −Σ λ_i²; functions beyond the number r₊ of positive eigenvalues vanish.
//
// So LoRA, which section 3.2.2 and appendix C say can do operators unbounded above (T = −H unbounded below), cannot do
// without a shift what the examples need: the eigenvalues of −H for the oscillator, −2, −4, −4, …, are all negative,
// and LoRA learns nothing. What it does not need, and OMM does, is a shift above all of the spectrum: with 5 I it
// learns the modes of energy below 5, whatever comes after, where OMM falls along each mode of energy above 5 without
// bound.
func TestLoRALearnsThePositiveModes(t *testing.T) {
	claim := claims.Of(t, "lora-optimum")
	lora, omm := onMatrix(t, ommlx.LoRA{}),
		onMatrix(t, ommlx.OMM{})
	oscillator := []float64{-2, -4, -4, -6, -6, -6}
	for _, c := range map[string]struct {
		values []float64
		k      int
	}{
		"fewer than are positive": {[]float64{4, 3, 2, 1, -3, -5}, 3},
		"more than are positive":  {[]float64{4, 2, 0, -1, -3, -5}, 4},
		"oscillator":              {oscillator, 4},
		"oscillator + 5 I":        {[]float64{3, 1, 1, -1, -1, -1}, 5},
	} {
		for seed := range uint64(2) {
			rng := graphtest.NewRand(750 + seed)
			a, w := Symmetric(rng, c.values)
			loss, v := minimise(t, lora, Scaled(0.5, Gaussian(rng, libraryStates, c.k)), a)
			kept, want := mat.NewDiagDense(libraryStates, nil), 0.0
			for i, value := range c.values[:c.k] {
				if value > 0 {
					kept.SetDiag(i, value)
					want -= value * value
				}
			}
			ommtest.Within(t, claim.Printed, "relative distance of the minimum from −Σ λ_i² over the leading "+
				"positive eigenvalues", ommtest.Difference(want, loss), 1e-9)
			ommtest.Within(t, claim.Printed, "of VVᵀ from Σ λ_i w_iw_iᵀ over them",
				matrixDifference(Product(w, kept, w.T()), Product(v, v.T())), 2e-4)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpectrum(t, libraryStates, 0, -9, -1)
		v := Gaussian(s.rng, libraryStates, 3)
		loss, _ := lora(v, s.a)
		require.Positive(t, loss, "f = 0 is LoRA's minimiser where no eigenvalue is positive")

		energies := floats.AddTo(make([]float64, libraryStates), oscillator, []float64{5, 5, 5, 5, 5, 5})
		a, w := Symmetric(s.rng, energies)
		far := Scaled(100, Columns(w, 5, 6))
		loss, _ = omm(far, a)
		require.Less(t, loss, -9e7)
		loss, _ = lora(graphtest.Gaussian(s.rng, libraryStates,
			3).Scaled(math.Abs(s.rng.NormFloat64())).Matrix(), a)
		require.GreaterOrEqual(t, loss, -11-1e-10)
	})
}

// Section 2.3.2, LoRA for a singular value decomposition: −2 tr(UᵀAV) + tr(UᵀU VᵀV) = ‖A − UVᵀ‖²_F − ‖A‖²_F, whose
// minimum is −Σ_{i≤k} σ_i² at the leading singular vectors, each times √σ_i.
func TestLoRAOfARectangularMatrix(t *testing.T) {
	claim := claims.Of(t, "lora-svd")
	rapid.Check(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(1, 8).Draw(t, "rows"), rapid.IntRange(1, 8).Draw(t, "cols")
		k := drawModes(t, min(rows, cols))
		rng := graphtest.NewRand(rapid.Uint64().Draw(t, "seed"))
		a := Gaussian(rng, rows, cols)
		lossAt := func(u, v *mat.Dense) float64 {
			return -2*mat.Trace(Product(u.T(), a, v)) + mat.Trace(Product(Gram(u), Gram(v)))
		}
		u, v := Gaussian(rng, rows, k), Gaussian(rng, cols, k)
		loss := lossAt(u, v)
		want := square(mat.Norm(Combine(1, a, -1, Product(u, v.T())), 2)) - square(mat.Norm(a, 2))
		ommtest.Within(t, claim.Printed, "largest relative difference of ‖A − UVᵀ‖² − ‖A‖² and the expression",
			ommtest.Difference(want, loss), 1e-11)

		var svd mat.SVD
		require.True(t, svd.Factorize(a, mat.SVDThin))
		var left, right mat.Dense
		svd.UTo(&left)
		svd.VTo(&right)
		roots, minimum := mat.NewDiagDense(k, nil), 0.0
		for i, value := range svd.Values(nil)[:k] {
			roots.SetDiag(i, math.Sqrt(value))
			minimum -= value * value
		}
		atVectors := lossAt(Product(Columns(&left, 0, k), roots), Product(Columns(&right, 0, k), roots))
		ommtest.Within(t, claim.Printed, "of the latter at the singular vectors and −Σ_{i≤k} σ_i²",
			ommtest.Difference(minimum, atVectors), 1e-11)
		ommtest.Within(t, claim.Printed, "how far random U, V are below that", ommtest.Excess(minimum, loss), 0)
	})
}
