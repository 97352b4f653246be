package verify

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/testkit"
)

// Section 2.3.2: ‖A − VVᵀ‖²_F − ‖A‖²_F = −2 tr(VᵀAV) + tr((VᵀV)²), for any symmetric A, is LoRA's loss.
func TestLoRAIsALowRankApproximation(t *testing.T) {
	claim := papertest.Of(t, "lora-objective")
	program := onMatrix(t, ommlx.LoRA{})
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpectrum(t, libraryStates, 0, -4, 4)
		v := s.gaussian(1, drawLibraryModes(t))
		loss, _ := program(v, s.a)
		want := square(mat.Norm(Combine(1, s.a, -1, projector(v)), 2)) - square(mat.Norm(s.a, 2))
		claim.Printed.Within(t, "largest relative difference of the two sides",
			math.Abs(want-loss)/(1+square(square(mat.Norm(v, 2)))), 1e-11)
	})

	// ‖T‖²_HS = Σ λ² of the oscillator's inverse: of n functions each has the energy 2n, so it is Σ 1/(4n).
	norm := 0.0
	for n := 1_001; n <= 100_000; n++ {
		norm += float64(n) / square(2*float64(n))
	}
	claim.Corrected.Within(t, "distance of what the shells from 1,000 to 100,000 add to ‖T‖² of the oscillator's "+
		"inverse from ¼ log 100", math.Abs(norm-math.Log(100)/4), 1e-3)
}

// Section 2.3.2: of any symmetric A, LoRA learns VVᵀ = Σ λ_i w_iw_iᵀ over the leading k positive eigenvalues, with
// loss −Σ λ_i²; functions beyond the number of positive eigenvalues vanish. So of −H for the oscillator, with the
// eigenvalues −2, −4, −4, …, it learns nothing, and of −H + 5 I the modes of energy below 5, where OMM falls along
// each mode of energy above 5 without bound.
func TestLoRALearnsThePositiveModes(t *testing.T) {
	claim := papertest.Of(t, "lora-optimum")
	lora, omm := onMatrix(t, ommlx.LoRA{}), onMatrix(t, ommlx.OMM{})
	shifted := []float64{3, 1, 1, -1, -1, -1} // the oscillator + 5 I
	for _, c := range []struct {
		values []float64
		k      int
	}{
		{[]float64{4, 3, 2, 1, -3, -5}, 3}, // fewer than are positive
		{[]float64{4, 2, 0, -1, -3, -5}, 4},
		{[]float64{-2, -4, -4, -6, -6, -6}, 4}, // the oscillator
		{shifted, 5},
	} {
		for seed := range uint64(2) {
			s := newSpectrum(testkit.NewRand(750+seed), c.values...)
			loss, v := s.minimise(t, lora, 0.5, c.k)
			kept := diagonal(c.values[:c.k], func(x float64) float64 { return max(0, x) })
			claim.Printed.Agree(t, "relative distance of the minimum from −Σ λ_i² over the leading positive "+
				"eigenvalues", -square(mat.Norm(kept, 2)), loss, 1e-9)
			claim.Printed.Same(t, "of VVᵀ from Σ λ_i w_iw_iᵀ over them",
				Product(s.leading(c.k), kept, s.leading(c.k).T()), projector(v), 2e-4)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		negative := drawSpectrum(t, libraryStates, 0, -9, -1)
		loss, _ := lora(negative.gaussian(1, 3), negative.a)
		require.Positive(t, loss, "f = 0 is LoRA's minimiser where no eigenvalue is positive")

		s := newSpectrum(negative.rng, shifted...)
		loss, _ = omm(Scaled(100, s.mode(5)), s.a)
		require.Less(t, loss, -9e7)
		loss, _ = lora(s.gaussian(math.Abs(s.rng.NormFloat64()), 3), s.a)
		require.GreaterOrEqual(t, loss, -11-1e-10)
	})
}

// Section 2.3.2, LoRA for a singular value decomposition: −2 tr(UᵀAV) + tr(UᵀU VᵀV) = ‖A − UVᵀ‖²_F − ‖A‖²_F, whose
// minimum is −Σ_{i≤k} σ_i² at the leading singular vectors, each times √σ_i.
func TestLoRAOfARectangularMatrix(t *testing.T) {
	claim := papertest.Of(t, "lora-svd")
	rapid.Check(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(1, 8).Draw(t, "rows"), rapid.IntRange(1, 8).Draw(t, "cols")
		k := drawModes(t, min(rows, cols))
		rng := drawRand(t)
		a := Gaussian(rng, rows, cols)
		lossAt := func(u, v *mat.Dense) float64 {
			return -2*mat.Trace(Product(u.T(), a, v)) + mat.Trace(Product(Gram(u), Gram(v)))
		}
		u, v := Gaussian(rng, rows, k), Gaussian(rng, cols, k)
		want := square(mat.Norm(Combine(1, a, -1, Product(u, v.T())), 2)) - square(mat.Norm(a, 2))
		claim.Printed.Agree(t, "largest relative difference of ‖A − UVᵀ‖² − ‖A‖² and the expression", want,
			lossAt(u, v), 1e-11)

		var svd mat.SVD
		require.True(t, svd.Factorize(a, mat.SVDThin))
		var left, right mat.Dense
		svd.UTo(&left)
		svd.VTo(&right)
		values := svd.Values(nil)[:k]
		minimum, roots := -floats.Dot(values, values), diagonal(values, math.Sqrt)
		claim.Printed.Agree(t, "of the latter at the singular vectors and −Σ_{i≤k} σ_i²", minimum,
			lossAt(Product(Columns(&left, 0, k), roots), Product(Columns(&right, 0, k), roots)), 1e-11)
		claim.Printed.AtMost(t, "how far random U, V are below that", minimum, lossAt(u, v), 0)
	})
}

// Section 2.3 asks for a point spectrum that is isolated and has a gap to the essential spectrum. Eigenvalues 1/n²
// that accumulate at 0, the essential spectrum, have no such gap, and the minimiser is the leading space however many
// of them there are.
func TestSpectrumOfAnOperator(t *testing.T) {
	claim, symmetric := papertest.Of(t, "operator-minimiser"), papertest.Of(t, "operator-spectrum")
	const k = 3
	omm := onMatrix(t, ommlx.OMM{})
	for _, d := range []int{8, 32, 96} {
		values := Harmonic(d)
		for i := range values {
			values[i] = 1 / square(float64(i+1))
		}
		s := newSpectrum(testkit.NewRand(800), values...)
		found := eigen(s.a)
		symmetric.Printed.Same(t, "distance of the Gram matrix of eigenvectors of a self-adjoint T from I", Eye(d),
			Gram(found.Vectors), 1e-12)
		symmetric.Printed.Within(t, "distance of its eigenvalues from the descending λ_n ≥ 0",
			math.Abs(found.Values[0]-values[0])+math.Abs(found.Values[d-1]-values[d-1]), 1e-12)
		loss, v := s.minimise(t, omm, 1/math.Sqrt(float64(d)), k)
		claim.Printed.Within(t, "distance of the minimum from −Σ_{i≤3} λ_i for λ_n = 1/n², n up to 8, 32, 96",
			math.Abs(loss+s.top(k)), 1e-10)
		claim.Printed.Same(t, "relative distance of VVᵀ there from W_{1:k}W_{1:k}ᵀ", projector(s.leading(k)),
			projector(v), 1e-3)
		if d == 96 {
			claim.Note("the smallest gap of the spectrum is %.0e there", values[d-2]-values[d-1])
		}
	}

	turned := mat.NewDense(2, 2, []float64{1, -1, 1, 1}) // ⟨f, Tf⟩ = |f|²
	require.Equal(t, []float64{1, 1}, eigenvaluesOf(t, turned), "of the symmetric part")
	var eigen mat.Eigen
	require.True(t, eigen.Factorize(turned, mat.EigenNone))
	require.InDelta(t, 1, math.Abs(imag(eigen.Values(nil)[0])), 1e-9)
	symmetric.Note("T = [1 −1; 1 1] has ⟨f, Tf⟩ = ‖f‖² for real f, and the eigenvalues 1 ± i")
}
