package verify

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
)

// withOverlap returns a d×k matrix V whose VᵀV has the given eigenvalues, in a random basis.
func (s spectrum) withOverlap(eigenvalues []float64) *mat.Dense {
	k := len(eigenvalues)
	return Product(s.orthonormal(k), diagonal(eigenvalues, math.Sqrt), Orthonormal(s.rng, k, k))
}

// Section 2.2.1, the first derivation: with Ξ = VᵀAV the Lagrangian tr(VᵀAV) − tr(Ξ(VᵀV − I)) is −L_omm(V).
func TestLagrangianIsMinusOMM(t *testing.T) {
	claim := papertest.Of(t, "derivation-lagrange")
	omm := onMatrix(t, ommlx.OMM{})
	rapid.Check(t, func(t *rapid.T) {
		k := drawLibraryModes(t)
		s := drawSpectrum(t, libraryStates, 0, -4, 4)
		v := s.gaussian(0.5, k)
		arbitrary := Gaussian(s.rng, k, k)
		lagrangian := func(xi mat.Matrix) float64 {
			return mat.Trace(Product(v.T(), s.a, v)) - mat.Trace(Product(xi, Combine(1, Gram(v), -1, Eye(k))))
		}
		multiplier := Product(v.T(), s.a, v)
		loss, _ := omm(v, s.a)
		claim.Printed.Agree(t, "relative difference of Lagrangian and −L_omm", -loss, lagrangian(multiplier), 1e-11)
		other := Combine(1, multiplier, 1, Combine(1, arbitrary, -1, arbitrary.T()))
		claim.Corrected.Agree(t, "with an antisymmetric matrix added to Ξ", -loss, lagrangian(other), 1e-11)

		best := Product(s.leading(k), Orthonormal(s.rng, k, k))
		claim.Printed.Same(t, "AV − VΞ* at W_{1:k}Q", Product(s.a, best), Product(best, best.T(), s.a, best), 1e-12)
	})
}

// neumann returns Σ_{n<terms} (I − S)^n.
func neumann(overlap *mat.Dense, terms int) *mat.Dense {
	k, _ := overlap.Dims()
	sum, term, e := mat.NewDense(k, k, nil), Eye(k), defect(overlap)
	for range terms {
		sum.Add(sum, term)
		term = Product(term, e)
	}
	return sum
}

// Section 2.2.1, the second derivation: the remainder of the Neumann series of S⁻¹, S = VᵀV, after q terms is S⁻¹(I −
// S)^q. The paper asks for a spectrum "bounded by 1".
func TestNeumannSeriesConvergesBetweenZeroAndTwo(t *testing.T) {
	claim := papertest.Of(t, "derivation-neumann")
	omm := onMatrix(t, ommlx.OMM{})
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpectrum(t, libraryStates, 0, -4, 4)
		overlaps := drawNumbers(t, 3, 0.1, 1.9, "eigenvalue of VᵀV")
		v := s.withOverlap(overlaps)
		inv := inverse(t, Gram(v))
		for q := range 8 {
			remainder := Combine(1, inv, -1, Product(inv, Power(defect(Gram(v)), q)))
			claim.Printed.Same(t, "relative difference of the remainder from S⁻¹(I − S)^q", remainder,
				neumann(Gram(v), q), 1e-11)
		}
		// 0.9⁴⁰⁰·10 is below 10⁻¹⁷.
		claim.Printed.Same(t, "of the sum of 400 terms from S⁻¹", inv, neumann(Gram(v), 400), 1e-9)
		loss, _ := omm(v, s.a)
		claim.Printed.Agree(t, "of two terms from −L_omm", -loss,
			mat.Trace(Product(neumann(Gram(v), 2), v.T(), s.a, v)), 1e-11)
		for _, outside := range []float64{0, 2.1} {
			overlaps[0] = outside
			require.Greater(t, mat.Norm(neumann(Gram(s.withOverlap(overlaps)), 101), 2), 100.0)
		}
	})
}

// Section 2.2.1: Q_p = Σ_{i<2p} (I − S)^i approximates S⁻¹ to order 2p − 1: the error S⁻¹(I − S)^{2p} shrinks with
// power 2p of ‖I − S‖. It is positive semidefinite, which is a proof of Theorem 1's bound in one line that the paper
// does not have: −L^(p)(V) ≤ tr((VᵀV)⁻¹VᵀAV) ≤ Σ_{i≤k} λ_i. An odd number of terms has no such sign: there the loss
// falls without bound.
func TestNeumannTruncationBoundsTheRayleighQuotient(t *testing.T) {
	order, bound := papertest.Of(t, "neumann-order"), papertest.Of(t, "theorem1-value")
	programs := ommLosses(t)
	rapid.Check(t, func(t *rapid.T) {
		const k = 3
		p := drawOrder(t)
		s := drawSpectrum(t, libraryStates, 0, 0.1, 4)
		direction := Gram(Gaussian(s.rng, k, k))
		direction = Scaled(1/mat.Norm(direction, 2), direction)
		truncation := func(size float64) float64 {
			overlap := Combine(1, Eye(k), -size, direction)
			return mat.Norm(Combine(1, inverse(t, overlap), -1, neumann(overlap, 2*p)), 2)
		}
		// The factor S⁻¹ of the error is at most 1/0.9, which moves the slope by less than 0.05.
		slope := math.Log10(truncation(0.1) / truncation(0.01))
		order.Printed.Within(t, "distance of the slope from 2p", math.Abs(slope-2*float64(p)), 0.1)

		v := s.withOverlap(drawNumbers(t, k, 0.1, 3, "eigenvalue of VᵀV"))
		loss, _ := programs[p-1](v, s.a)
		size := 1 + math.Abs(loss)
		order.Corrected.AtMost(t, "excess of −L^(p) over the Rayleigh quotient", -loss/size, quotient(t, v, s.a)/size,
			1e-10)
		bound.Printed.AtMost(t, "excess of −L^(p) over Σ_{i≤k} λ_i at random V", -loss/size, s.top(k)/size, 1e-10)
		require.LessOrEqual(t, quotient(t, v, s.a), s.top(k)+1e-10*size)

		if s.values[0] > 0 {
			far := Scaled(10, s.leading(1))
			odd := -mat.Trace(Product(neumann(Gram(far), 2*p+1), far.T(), s.a, far))
			require.Less(t, odd, -1e5*s.values[0])
		}
	})
}

// Section 2.2.2 and appendix A: the trace form tr((I − VVᵀ)^{2p}A) − tr A and the original form −tr(Q_pVᵀAV) agree,
// also for zero and repeated columns, and for more columns than rows.
func TestFormsAgreeWithoutFullRank(t *testing.T) {
	claim := papertest.Of(t, "omm-p-forms")
	original := func(p int) Loss { return graphLoss(t, func(v, a *Node) *Node { return MatrixOMM(v, a, p) }) }
	forms := []Loss{original(1), original(2), original(3)}
	rapid.Check(t, func(t *rapid.T) {
		const d = 4
		p := drawOrder(t)
		s := drawSpectrum(t, d, 0, -4, 4)
		rank := rapid.IntRange(0, 2).Draw(t, "rank of V")
		k := rapid.SampledFrom([]int{3, 6}).Draw(t, "k")
		v := mat.NewDense(d, k, nil)
		if rank > 0 {
			v = Product(Gaussian(s.rng, d, rank), Scaled(0.4, Gaussian(s.rng, rank, k)))
		}
		loss, _ := forms[p-1](v, s.a)
		want := mat.Trace(Product(Power(residual(v), 2*p), s.a)) - mat.Trace(s.a)
		size := 1 + 10*math.Pow(1+square(mat.Norm(v, 2)), float64(2*p))
		claim.Corrected.Within(t, "relative difference of trace form and original form, V of lower rank",
			math.Abs(want-loss)/size, 1e-12)
	})
}

// Section 2.2.3: for samples x with second moment A, E‖x − VVᵀx‖² = tr((I − VVᵀ)²A) = L_omm(V) + tr A, also where
// their mean is not zero. With (VᵀV)⁻¹ in the middle, Eq. (6), the least value is the same, Σ_{i>k} λ_i.
func TestPCA(t *testing.T) {
	claim := papertest.Of(t, "pca-identity")
	omm := onMatrix(t, ommlx.OMM{})
	rapid.Check(t, func(t *rapid.T) {
		const d = libraryStates
		k := drawLibraryModes(t)
		n := rapid.IntRange(1, 20).Draw(t, "samples")
		rng := drawRand(t)
		x, v := Gaussian(rng, d, n), Scaled(0.5, Gaussian(rng, d, k))
		x.Apply(func(_, _ int, x float64) float64 { return x + 0.5 }, x)
		a := Scaled(1/float64(n), projector(x))
		reconstruction := func(v, middle *mat.Dense) float64 {
			return square(mat.Norm(Combine(1, x, -1, Product(v, middle, v.T(), x)), 2)) / float64(n)
		}
		loss, _ := omm(v, a)
		claim.Printed.Agree(t, "relative difference of L + tr A and the mean error", loss+mat.Trace(a),
			reconstruction(v, Eye(k)), 1e-11)

		var svd mat.SVD
		require.True(t, svd.Factorize(x, mat.SVDFull))
		var u mat.Dense
		svd.UTo(&u)
		least, values := 0.0, svd.Values(nil)
		for _, value := range values[min(k, len(values)):] {
			least += value * value / float64(n)
		}
		atBest, _ := omm(Columns(&u, 0, k), a)
		claim.Printed.Agree(t, "of L + tr A at the SVD's space from the least error", least, atBest+mat.Trace(a), 1e-11)
		claim.Printed.AtMost(t, "how far random V get below it without (VᵀV)⁻¹", least, reconstruction(v, Eye(k)),
			1e-11)
		claim.Printed.AtMost(t, "and with", least, reconstruction(v, inverse(t, Gram(v))), 1e-9)
	})
}

// Section 2.2.3 calls it peculiar to OMM-1 that the shift is a penalty. For every order
//
//	L^(p) for A + κI  =  L^(p) for A  +  κ‖(I − VᵀV)^p‖²_F  −  κk.
func TestShiftIsAPenaltyAtEveryOrder(t *testing.T) {
	claim := papertest.Of(t, "shift-is-penalty")
	programs := ommLosses(t)
	rapid.Check(t, func(t *rapid.T) {
		p, k := drawOrder(t), drawLibraryModes(t)
		kappa := rapid.Float64Range(0, 5).Draw(t, "kappa")
		s := drawSpectrum(t, libraryStates, 0, -4, 4)
		v := s.gaussian(0.4, k)
		loss, _ := programs[p-1](v, s.a)
		shifted, _ := programs[p-1](v, Combine(1, s.a, kappa, Eye(libraryStates)))
		penalty := square(mat.Norm(Power(defect(Gram(v)), p), 2))
		deviation := math.Abs(loss+kappa*(penalty-float64(k))-shifted) / (1 + math.Abs(shifted) + kappa*penalty)
		claim.Corrected.Within(t, "relative difference of shift and penalty less κk, p = 1, 2, 3", deviation, 1e-10)
	})
}
