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

// withOverlap returns a d×k matrix V whose VᵀV has the given eigenvalues, in a random basis.
func (s spectrum) withOverlap(eigenvalues []float64) *mat.Dense {
	d, k := len(s.values), len(eigenvalues)
	roots := make([]float64, k)
	for i, x := range eigenvalues {
		roots[i] = math.Sqrt(x)
	}
	return Product(Orthonormal(s.rng, d, k), mat.NewDiagDense(k, roots), Orthonormal(s.rng, k, k))
}

// Section 2.2.1, the first derivation: with Ξ = VᵀAV the Lagrangian tr(VᵀAV) − tr(Ξ(VᵀV − I)) is −L_omm(V); the paper
// does not say minus. The condition AV = VΞ holds at V = W_{1:k}Q with that Ξ. Only Ξ's symmetric part is determined:
// any antisymmetric matrix can be added to it.
func TestLagrangianIsMinusOMM(t *testing.T) {
	claim := claims.Of(t, "derivation-lagrange")
	omm := onMatrix(t, ommlx.OMM{})
	rapid.Check(t, func(t *rapid.T) {
		const d = libraryStates
		k := drawLibraryModes(t)
		s := drawSpectrum(t, d, 0, -4, 4)
		v := Scaled(0.5, Gaussian(s.rng, d, k))
		arbitrary := Gaussian(s.rng, k, k)
		lagrangian := func(xi mat.Matrix) float64 {
			return mat.Trace(Product(v.T(), s.a, v)) - mat.Trace(Product(xi, Combine(1, Gram(v), -1, Eye(k))))
		}
		multiplier := Product(v.T(), s.a, v)
		loss, _ := omm(v, s.a)
		ommtest.Within(t, claim.Corrected, "relative difference of Lagrangian and −L_omm",
			ommtest.Difference(-loss, lagrangian(multiplier)), 1e-11)
		other := Combine(1, multiplier, 1, Combine(1, arbitrary, -1, arbitrary.T()))
		ommtest.Within(t, claim.Corrected, "with an antisymmetric matrix added to Ξ",
			ommtest.Difference(-loss, lagrangian(other)), 1e-11)

		best := Product(s.leading(k), Orthonormal(s.rng, k, k))
		ommtest.Within(t, claim.Corrected, "AV − VΞ* at W_{1:k}Q",
			matrixDifference(Product(s.a, best), Product(best, best.T(), s.a, best)), 1e-12)
	})
}

// neumann returns Σ_{n<terms} (I − S)^n.
func neumann(overlap *mat.Dense, terms int) *mat.Dense {
	k, _ := overlap.Dims()
	e := Combine(1, Eye(k), -1, overlap)
	sum, term := mat.NewDense(k, k, nil), Eye(k)
	for range terms {
		sum.Add(sum, term)
		term = Product(term, e)
	}
	return sum
}

// Section 2.2.1, the second derivation: the remainder of the Neumann series of S⁻¹ after q terms is S⁻¹(I − S)^q, which
// goes to zero if and only if the eigenvalues of S = VᵀV are in (0, 2). The paper asks for a spectrum "bounded by 1",
// which lets in 0, where the sum grows without bound, and leaves out (1, 2), where it converges. Two terms are −L_omm.
func TestNeumannSeriesConvergesBetweenZeroAndTwo(t *testing.T) {
	claim := claims.Of(t, "derivation-neumann")
	omm := onMatrix(t, ommlx.OMM{})
	rapid.Check(t, func(t *rapid.T) {
		const d, k = libraryStates, 3
		s := drawSpectrum(t, d, 0, -4, 4)
		overlaps := make([]float64, k)
		for i := range overlaps {
			overlaps[i] = rapid.Float64Range(0.1, 1.9).Draw(t, "eigenvalue of VᵀV")
		}
		v := s.withOverlap(overlaps)
		inv := inverse(t, Gram(v))
		for q := range 8 {
			e := Power(Combine(1, Eye(k), -1, Gram(v)), q)
			remainder := matrixDifference(Combine(1, inv, -1, Product(inv, e)), neumann(Gram(v), q))
			ommtest.Within(t, claim.Corrected, "relative difference of the remainder from S⁻¹(I − S)^q",
				remainder, 1e-11)
		}
		// 0.9⁴⁰⁰·10 is below 10⁻¹⁷.
		ommtest.Within(t, claim.Corrected, "of the sum of 400 terms from S⁻¹",
			matrixDifference(inv, neumann(Gram(v), 400)), 1e-9)
		loss, _ := omm(v, s.a)
		ommtest.Within(t, claim.Corrected, "of two terms from −L_omm",
			ommtest.Difference(-loss, mat.Trace(Product(neumann(Gram(v), 2), v.T(), s.a, v))), 1e-11)
		for _, outside := range []float64{0, 2.1} {
			overlaps[0] = outside
			size := mat.Norm(neumann(Gram(s.withOverlap(overlaps)), 101), 2)
			require.Greater(t, size, 100.0)
		}
	})
}

// Section 2.2.1: Q_p = Σ_{i<2p} (I − S)^i approximates S⁻¹ to order 2p − 1, that is, the error S⁻¹(I − S)^{2p} shrinks
// with power 2p of ‖I − S‖ (the slope is fitted over a decade).
//
// That error is positive semidefinite, which is a proof of Theorem 1's bound in one line that the paper does not have:
// −L^(p)(V) ≤ tr((VᵀV)⁻¹VᵀAV) ≤ Σ_{i≤k} λ_i. An odd number of terms has no such sign: there the loss falls without
// bound.
func TestNeumannTruncationBoundsTheRayleighQuotient(t *testing.T) {
	order := claims.Of(t, "neumann-order")
	bound := claims.Of(t, "theorem1-value")
	programs := ommLosses(t)
	rapid.Check(t, func(t *rapid.T) {
		const d, k = libraryStates, 3
		p := drawOrder(t)
		s := drawSpectrum(t, d, 0, 0.1, 4)
		direction := Gaussian(s.rng, k, k)
		direction = Scaled(1/mat.Norm(Gram(direction), 2), Gram(direction))
		truncation := func(size float64) float64 {
			overlap := Combine(1, Eye(k), -size, direction)
			return mat.Norm(Combine(1, inverse(t, overlap), -1, neumann(overlap, 2*p)), 2)
		}
		// The factor S⁻¹ of the error is at most 1/0.9, which moves the slope by less than 0.05.
		slope := math.Log10(truncation(0.1) / truncation(0.01))
		ommtest.Within(t, order.Printed, "distance of the slope from 2p", math.Abs(slope-2*float64(p)), 0.1)

		overlaps := make([]float64, k)
		for i := range overlaps {
			overlaps[i] = rapid.Float64Range(0.1, 3).Draw(t, "eigenvalue of VᵀV")
		}
		v := s.withOverlap(overlaps)
		loss, _ := programs[p-1](v, s.a)
		size := 1 + math.Abs(loss)
		ommtest.Within(t, order.Corrected, "excess of −L^(p) over the Rayleigh quotient",
			ommtest.Excess(-loss, quotient(t, v, s.a))/size, 1e-10)
		ommtest.Within(t, bound.Printed, "excess of −L^(p) over Σ_{i≤k} λ_i at random V",
			ommtest.Excess(-loss, s.top(k))/size, 1e-10)
		require.LessOrEqual(t, quotient(t, v, s.a), s.top(k)+1e-10*size)

		if s.values[0] > 0 {
			far := Scaled(10, Columns(s.w, 0, 1))
			odd := -mat.Trace(Product(neumann(Gram(far), 2*p+1), far.T(), s.a, far))
			require.Less(t, odd, -1e5*s.values[0])
		}
	})
}

// Section 2.2.3: for samples x with second moment A, E‖x − VVᵀx‖² = tr((I − VVᵀ)²A) = L_omm(V) + tr A. The mean need
// not be zero. With (VᵀV)⁻¹ in the middle, Eq. (6), the least value is the same, Σ_{i>k} λ_i: whitening is not
// required.
func TestPCA(t *testing.T) {
	claim := claims.Of(t, "pca-identity")
	omm := onMatrix(t, ommlx.OMM{})
	rapid.Check(t, func(t *rapid.T) {
		const d = libraryStates
		k := drawLibraryModes(t)
		n := rapid.IntRange(1, 20).Draw(t, "samples")
		rng := graphtest.NewRand(rapid.Uint64().Draw(t, "seed"))
		x, v := graphtest.Gaussian(rng, d, n), Scaled(0.5, Gaussian(rng, d, k))
		for i := range x.Data {
			x.Data[i] += 0.5 // a mean that is not zero
		}
		a := Scaled(1/float64(n), Product(x.Matrix(), x.Matrix().T()))
		reconstruction := func(v, middle *mat.Dense) float64 {
			rest := Combine(1, x.Matrix(), -1, Product(v, middle, v.T(), x.Matrix()))
			return square(mat.Norm(rest, 2)) / float64(n)
		}
		loss, _ := omm(v, a)
		ommtest.Within(t, claim.Printed, "relative difference of L + tr A and the mean error",
			ommtest.Difference(loss+mat.Trace(a), reconstruction(v, Eye(k))), 1e-11)

		var svd mat.SVD
		require.True(t, svd.Factorize(x.Matrix(), mat.SVDFull))
		var u mat.Dense
		svd.UTo(&u)
		least := 0.0
		for i, value := range svd.Values(nil) {
			if i >= k {
				least += value * value / float64(n)
			}
		}
		best := Columns(&u, 0, k)
		atBest, _ := omm(best, a)
		ommtest.Within(t, claim.Printed, "of L + tr A at the SVD's space from the least error",
			ommtest.Difference(least, atBest+mat.Trace(a)), 1e-11)
		ommtest.Within(t, claim.Printed, "how far random V get below it without (VᵀV)⁻¹",
			ommtest.Excess(least, reconstruction(v, Eye(k))), 1e-11)
		ommtest.Within(t, claim.Printed, "and with", ommtest.Excess(least,
			reconstruction(v, inverse(t, Gram(v)))), 1e-9)
	})
}

// Section 2.2.3 calls it peculiar to OMM-1 that the shift is a penalty. For every order
//
//	L^(p) for A + κI  =  L^(p) for A  +  κ‖(I − VᵀV)^p‖²_F  −  κk.
func TestShiftIsAPenaltyAtEveryOrder(t *testing.T) {
	claim := claims.Of(t, "shift-is-penalty")
	programs := ommLosses(t)
	rapid.Check(t, func(t *rapid.T) {
		const d = libraryStates
		p, k := drawOrder(t), drawLibraryModes(t)
		kappa := rapid.Float64Range(0, 5).Draw(t, "kappa")
		s := drawSpectrum(t, d, 0, -4, 4)
		v := Scaled(0.4, Gaussian(s.rng, d, k))
		loss, _ := programs[p-1](v, s.a)
		shifted, _ := programs[p-1](v, Combine(1, s.a, kappa, Eye(d)))
		penalty := square(mat.Norm(Power(Combine(1, Eye(k), -1, Gram(v)), p), 2))
		deviation := math.Abs(loss+kappa*(penalty-float64(k))-shifted) / (1 + math.Abs(shifted) + kappa*penalty)
		ommtest.Within(t, claim.Corrected, "relative difference of shift and penalty less κk, p = 1, 2, 3",
			deviation, 1e-10)
	})
}
