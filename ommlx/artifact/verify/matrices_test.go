package verify

import (
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	. "omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
)

// quotient returns tr((VᵀV)⁻¹VᵀAV).
func (s spectrum) quotient(t require.TestingT, v *mat.Dense) float64 {
	return mat.Trace(Product(inverse(t, Gram(v)), v.T(), s.a, v))
}

// Eqs. (1) and (2), for any symmetric A: an orthonormal V falls short of Σ_{i≤k} λ_i by at least (λ_k − λ_{k+1})‖(I −
// W_{1:k}W_{1:k}ᵀ)V‖²_F, so only W_{1:k}Q attains it. The quotient is the same for V and VG, G invertible. As V → 0
// along different eigenvectors it has different limits.
func TestRayleighQuotient(t *testing.T) {
	constrained, free := papertest.Of(t, "rayleigh-constrained").Printed, papertest.Of(t, "rayleigh-unconstrained")
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(1, 12).Draw(t, "d")
		k := rapid.OneOf(rapid.Just(1), rapid.Just(d), rapid.IntRange(1, d)).Draw(t, "k")
		s := drawSpectrum(t, d, 0, -4, 4)
		v, gap := s.orthonormal(k), s.values[k-1]-s.values[min(k, d-1)]
		outside := Difference(v, Product(projector(s.leading(k)), v))
		constrained.Within(t, "largest excess of an orthonormal V over the bound",
			max(0, gap*squaredNorm(outside)-(s.top(k)-s.energy(v))), 1e-12)
		constrained.Equal(t, "distance from Σ_{i≤k} λ_i at W_{1:k}Q", s.top(k), s.energy(s.rotated(k)), 1e-12)

		stretch := mat.NewDiagDense(k, drawNumbers(t, k, 0.1, 3))
		g := Product(RandomOrthonormal(s.rng, k, k), stretch, RandomOrthonormal(s.rng, k, k))
		value := s.quotient(t, Product(v, g))
		free.Printed.Equal(t, "difference between V and VG", s.energy(v), value, 1e-9)
		free.Printed.Within(t, "largest excess over Σ_{i≤k} λ_i", max(0, value-s.top(k)), 1e-9)
		free.Printed.Equal(t, "distance from it at W_{1:k}G", s.top(k), s.quotient(t, Product(s.leading(k), g)), 1e-9)
		for i, value := range s.values {
			limit := s.quotient(t, Scaled(1e-100, s.mode(i)))
			free.Corrected.Equal(t, "distance of the limit at V = 0 along w_i from λ_i", value, limit, 1e-11)
		}
	})
}

// Section 2.1: as the two columns of V approach each other, the condition number of VᵀV is about 4/ε². (VᵀV)⁻¹ then
// makes the gradient of the quotient inaccurate in single precision, and OMM stays accurate.
func TestInverseLosesWhatOMMKeeps(t *testing.T) {
	claim := papertest.Of(t, "rayleigh-inverse-unstable")
	rayleigh := func(v, a *Node) *Node { // −tr(S⁻¹B), k = 2
		entry := func(m *Node, i, j int) *Node { return Slice(m, AxisElem(i), AxisElem(j)) }
		s := MatMul(Transpose(v, 0, 1), v)
		b := MatMul(Transpose(v, 0, 1), MatMul(a, v))
		determinant := Sub(Mul(entry(s, 0, 0), entry(s, 1, 1)), Square(entry(s, 0, 1)))
		numerator := Sub(Add(Mul(entry(s, 1, 1), entry(b, 0, 0)), Mul(entry(s, 0, 0), entry(b, 1, 1))),
			MulScalar(Mul(entry(s, 0, 1), entry(b, 0, 1)), 2))
		return Neg(ReduceAllSum(Div(numerator, determinant)))
	}
	worst := func(loss func(v, a *Node) *Node, epsilon float64) (largest float64) {
		gradient := func(in []*Node) []*Node { return Gradient(loss(in[0], in[1]), in[0]) }
		double := testkit.Compile(t, gradient)
		single := testkit.CompileFor(t, engine, testkit.In(dtypes.Float32, gradient))
		rounded := func(_, _ int, x float64) float64 { return float64(float32(x)) }
		for seed := range uint64(8) {
			s := newSpectrum(testkit.NewRand(700+seed), 4, 3, 2, 1, 0.5)
			v := Product(s.gaussian(1, 2), mat.NewDense(2, 2, []float64{1, 1, 0, epsilon}))
			v.Apply(rounded, v)
			s.a.Apply(rounded, s.a)
			in := []testkit.Array{testkit.FromMatrix(v), testkit.FromMatrix(s.a)}
			want, got := double.Call(t, in)[0].Matrix(), single.Call(t, in)[0].Matrix()
			largest = max(largest, mat.Norm(Difference(want, got), 2)/mat.Norm(want, 2))
		}
		return largest
	}
	for _, epsilon := range []float64{1, 1e-1, 1e-2} {
		claim.Printed.Within(t, "largest relative error of OMM's gradient in float32",
			worst(ofMatrix(ommlx.OMM{}), epsilon), 2e-6)
	}
	well, ill := worst(rayleigh, 1), worst(rayleigh, 1e-2)
	claim.Printed.Within(t, "the same of the quotient's gradient, V well conditioned", well, 1e-4)
	claim.Printed.Within(t, "that error over the error for VᵀV of condition about 4·10⁴", well/ill, 0.1)
	claim.Note("relative error of the quotient's gradient there: %.2g", ill)
}

// Section 2.1, first footnote. H = X + iY acts on u + iv as [X −Y; Y X] on (u, v), and the real form of V = P + iQ is
// [P −Q; Q P]. OMM-1 of the real forms is twice the complex OMM-1.
func TestOMMOfAHermitianMatrix(t *testing.T) {
	claim := papertest.Of(t, "hermitian")
	const d, k = 5, 2
	realForm := func(re, im *mat.Dense) *mat.Dense {
		var m mat.Dense
		m.Stack(augmented(re, Scaled(-1, im)), augmented(im, re))
		return &m
	}
	// times returns the real and imaginary parts of (a + ib)(c + id).
	times := func(a, b, c, d mat.Matrix) (re, im *mat.Dense) {
		return Difference(Product(a, c), Product(b, d)), Sum(Product(a, d), Product(b, c))
	}
	for seed := range uint64(5) {
		rng := testkit.NewRand(830 + seed)
		x, y := RandomGaussian(rng, d, d), RandomGaussian(rng, d, d)
		x, y = Sum(x, x.T()), Difference(y, y.T())
		p, q := RandomGaussian(rng, d, k), RandomGaussian(rng, d, k)
		hv, hvIm := times(x, y, p, q)
		overlap, overlapIm := times(p.T(), Scaled(-1, q.T()), p, q)
		projected, projectedIm := times(p.T(), Scaled(-1, q.T()), hv, hvIm)
		metric, _ := times(overlap, overlapIm, projected, projectedIm)
		twice := 2 * (mat.Trace(metric) - 2*mat.Trace(projected))
		claim.Printed.Equal(t, "relative difference of the real OMM-1 and twice the complex one", twice,
			omm(1, realForm(p, q), realForm(x, y)), 1e-12)
	}
}

// Section 2.2.1: with Ξ = VᵀAV the Lagrangian tr(VᵀAV) − tr(Ξ(VᵀV − I)) is −L_omm(V).
func TestLagrangianIsMinusOMM(t *testing.T) {
	claim := papertest.Of(t, "derivation-lagrange")
	forAll(t, 0, -4, 4, func(t *rapid.T, s spectrum, k int) {
		v, arbitrary := s.gaussian(0.5, k), RandomGaussian(s.rng, k, k)
		multiplier := Product(v.T(), s.a, v)
		lagrangian := func(xi mat.Matrix) float64 { return s.energy(v) + mat.Trace(Product(xi, defect(Gram(v)))) }
		loss := omm(1, v, s.a)
		claim.Printed.Equal(t, "relative difference of Lagrangian and −L_omm", -loss, lagrangian(multiplier), 1e-11)
		other := Sum(multiplier, Difference(arbitrary, arbitrary.T()))
		claim.Corrected.Equal(t, "with an antisymmetric matrix added to Ξ", -loss, lagrangian(other), 1e-11)
		best := s.rotated(k)
		claim.Printed.EqualMatrix(t, "AV − VΞ* at W_{1:k}Q", Product(s.a, best), Product(best, best.T(), s.a, best),
			1e-12)
	})
}

// withOverlap returns a d×k matrix V whose VᵀV has the given eigenvalues, in a random basis.
func (s spectrum) withOverlap(eigenvalues []float64) *mat.Dense {
	k := len(eigenvalues)
	return Product(s.orthonormal(k), diagonal(eigenvalues, math.Sqrt), RandomOrthonormal(s.rng, k, k))
}

// neumann returns Σ_{n<terms} (I − S)^n by Horner's rule.
func neumann(overlap *mat.Dense, terms int) *mat.Dense {
	k, _ := overlap.Dims()
	sum, e := mat.NewDense(k, k, nil), defect(overlap)
	for range terms {
		sum = Sum(IdentityMatrix(k), Product(e, sum))
	}
	return sum
}

// Section 2.2.1: after q terms the remainder of the Neumann series of S⁻¹, S = VᵀV, is S⁻¹(I − S)^q. Q_p, the sum of 2p
// terms, approximates S⁻¹ to order 2p − 1, and the sign of its error proves −L^(p)(V) ≤ tr((VᵀV)⁻¹VᵀAV) ≤ Σ_{i≤k} λ_i.
func TestNeumannSeries(t *testing.T) {
	series, slope := papertest.Of(t, "derivation-neumann").Printed, papertest.Of(t, "neumann-order")
	bound := papertest.Of(t, "theorem1-value").Printed
	forAll(t, 0, 0.1, 4, func(t *rapid.T, s spectrum, _ int) {
		const k = 3
		p := drawOrder(t)
		v := s.withOverlap(drawNumbers(t, k, 0.1, 1.9))
		overlap := Gram(v)
		inv := inverse(t, overlap)
		for q := range 8 {
			series.EqualMatrix(t, "relative difference of the remainder from S⁻¹(I − S)^q",
				Product(inv, Power(defect(overlap), q)), Difference(inv, neumann(overlap, q)), 1e-11)
		}
		series.EqualMatrix(t, "of the sum of 400 terms from S⁻¹", inv, neumann(overlap, 400), 1e-9)
		twoTerms := mat.Trace(Product(neumann(overlap, 2), v.T(), s.a, v))
		series.Equal(t, "of two terms from −L_omm", -omm(1, v, s.a), twoTerms, 1e-11)

		direction := Gram(RandomGaussian(s.rng, k, k))
		truncation := func(size float64) float64 {
			overlap := Difference(IdentityMatrix(k), Scaled(size/mat.Norm(direction, 2), direction))
			return mat.Norm(Difference(inverse(t, overlap), neumann(overlap, 2*p)), 2)
		}
		// The factor S⁻¹ of the error is at most 1/0.9, which changes the slope by less than 0.05.
		slope.Printed.Near(t, "distance from slope 2p", 2*float64(p), math.Log10(truncation(0.1)/truncation(0.01)), 0.1)

		v = s.withOverlap(drawNumbers(t, k, 0.1, 3))
		loss, quotient := omm(p, v, s.a), s.quotient(t, v)
		size := 1 + math.Abs(loss)
		slope.Corrected.Within(t, "excess of −L^(p) over the Rayleigh quotient", max(0, -loss/size-quotient/size),
			1e-10)
		bound.Within(t, "excess of −L^(p) over Σ_{i≤k} λ_i at random V", max(0, -loss/size-s.top(k)/size), 1e-10)
	})
}

// Section 2.2.3: for samples x with second moment A, E‖x − VVᵀx‖² = L_omm(V) + tr A. With (VᵀV)⁻¹ in the middle, Eq.
// (6), the least value is the same, Σ_{i>k} λ_i.
func TestPCA(t *testing.T) {
	printed := papertest.Of(t, "pca-identity").Printed
	forAll(t, 0, -4, 4, func(t *rapid.T, s spectrum, k int) {
		n := rapid.IntRange(1, 20).Draw(t, "samples")
		x, v := RandomGaussian(s.rng, states, n), s.gaussian(0.5, k)
		x.Apply(func(_, _ int, x float64) float64 { return x + 0.5 }, x)
		a := Scaled(1/float64(n), projector(x))
		reconstruction := func(middle *mat.Dense) float64 {
			return squaredNorm(Difference(x, Product(v, middle, v.T(), x))) / float64(n)
		}
		plain, projected := reconstruction(IdentityMatrix(k)), reconstruction(inverse(t, Gram(v)))
		sum := omm(1, v, a) + mat.Trace(a)
		printed.Equal(t, "relative difference of L + tr A and the mean error", sum, plain, 1e-11)

		best := eigen(a)
		least, sum := floats.Sum(best.Values[k:]), omm(1, Columns(best.Vectors, 0, k), a)+mat.Trace(a)
		printed.Equal(t, "of L + tr A at the SVD's space from the least error", least, sum, 1e-11)
		printed.Within(t, "how far random V get below it without (VᵀV)⁻¹", max(0, least-plain), 1e-11)
		printed.Within(t, "and with", max(0, least-projected), 1e-9)
	})
}

// Section 2.3.2: ‖A − VVᵀ‖²_F − ‖A‖²_F = −2 tr(VᵀAV) + tr((VᵀV)²), for any symmetric A, is LoRA's loss.
func TestLoRAIsALowRankApproximation(t *testing.T) {
	claim := papertest.Of(t, "lora-objective")
	forAll(t, 0, -4, 4, func(t *rapid.T, s spectrum, k int) {
		v := s.gaussian(1, k)
		loss, _ := onMatrix(ommlx.LoRA{})(v, s.a)
		want := squaredNorm(Difference(s.a, projector(v))) - squaredNorm(s.a)
		claim.Printed.Within(t, "largest relative difference of the two sides",
			math.Abs(want-loss)/(1+square(squaredNorm(v))), 1e-11)
	})
	// ‖T‖²_HS = Σ λ² for the oscillator's inverse: n functions have energy 2n each, so it is Σ 1/(4n).
	norm := 0.0
	for n := 1_001; n <= 100_000; n++ {
		norm += float64(n) / square(2*float64(n))
	}
	claim.Corrected.Near(t,
		"distance of what the shells from 1,000 to 100,000 add to ‖T‖² of the oscillator's inverse from ¼ log 100",
		math.Log(100)/4, norm, 1e-3)
}

// Section 2.3.2, LoRA for a singular value decomposition: −2 tr(UᵀAV) + tr(UᵀU VᵀV) = ‖A − UVᵀ‖²_F − ‖A‖²_F, whose
// minimum −Σ_{i≤k} σ_i² is at the leading singular vectors, each scaled by √σ_i.
func TestLoRAOfARectangularMatrix(t *testing.T) {
	printed := papertest.Of(t, "lora-svd").Printed
	rapid.Check(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(1, 8).Draw(t, "rows"), rapid.IntRange(1, 8).Draw(t, "cols")
		rank, rng := min(rows, cols), drawRand(t)
		k, values := rapid.IntRange(1, rank).Draw(t, "k"), drawNumbers(t, rank, 0, 4)
		slices.Sort(values)
		slices.Reverse(values)
		left, right := RandomOrthonormal(rng, rows, rank), RandomOrthonormal(rng, cols, rank)
		a := Product(left, mat.NewDiagDense(rank, values), right.T())
		u, v := RandomGaussian(rng, rows, k), RandomGaussian(rng, cols, k)
		lossAt := func(u, v *mat.Dense) float64 {
			return -2*mat.Trace(Product(u.T(), a, v)) + mat.Trace(Product(Gram(u), Gram(v)))
		}
		printed.Equal(t, "largest relative difference of ‖A − UVᵀ‖² − ‖A‖² and the expression",
			squaredNorm(Difference(a, Product(u, v.T())))-squaredNorm(a), lossAt(u, v), 1e-11)

		minimum, roots := -floats.Dot(values[:k], values[:k]), diagonal(values[:k], math.Sqrt)
		printed.Equal(t, "of the latter at the singular vectors and −Σ_{i≤k} σ_i²", minimum,
			lossAt(Product(Columns(left, 0, k), roots), Product(Columns(right, 0, k), roots)), 1e-11)
		printed.Within(t, "how far random U, V are below that", max(0, minimum-lossAt(u, v)), 0)
	})
}
