package verify

import (
	"math/cmplx"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/ommtest"
	"omm-go/ommlx/internal/testkit"
)

// Eq. (1), section 2.1, for any symmetric A. What an orthonormal V misses of Σ_{i≤k} λ_i is at least
// (λ_k − λ_{k+1}) ‖(I − W_{1:k}W_{1:k}ᵀ)V‖²_F, so that only W_{1:k}Q misses nothing.
func TestConstrainedRayleighQuotient(t *testing.T) {
	claim := papertest.Of(t, "rayleigh-constrained")
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(1, 12).Draw(t, "d")
		k := drawModes(t, d)
		s := drawSpectrum(t, d, 0, -4, 4)
		v := s.orthonormal(k)
		gap := 0.0
		if k < d {
			gap = s.values[k-1] - s.values[k]
		}
		outside := Combine(1, v, -1, Product(s.leading(k), s.leading(k).T(), v))
		missing := s.top(k) - mat.Trace(Product(v.T(), s.a, v))
		claim.Printed.AtMost(t, "largest excess of an orthonormal V over the bound",
			gap*square(mat.Norm(outside, 2)), missing, 1e-12)

		best := Product(s.leading(k), Orthonormal(s.rng, k, k))
		claim.Printed.Agree(t, "distance from Σ_{i≤k} λ_i at W_{1:k}Q", s.top(k),
			mat.Trace(Product(best.T(), s.a, best)), 1e-12)
	})
}

// quotient returns tr((VᵀV)⁻¹VᵀAV).
func quotient(t require.TestingT, v, a *mat.Dense) float64 {
	return mat.Trace(Product(inverse(t, Gram(v)), v.T(), a, v))
}

// Eq. (2), section 2.1: the quotient is the same for V and VG, G invertible, and so has the maximum of the constrained
// form. It is defined for full column rank only: towards V = 0 along different eigenvectors it has different limits.
func TestUnconstrainedRayleighQuotient(t *testing.T) {
	claim := papertest.Of(t, "rayleigh-unconstrained")
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(1, 8).Draw(t, "d")
		k := drawModes(t, d)
		s := drawSpectrum(t, d, 0, -4, 4)
		basis := s.orthonormal(k)
		stretch := diagonal(make([]float64, k), func(float64) float64 { return 0.1 + 2.9*s.rng.Float64() })
		g := Product(Orthonormal(s.rng, k, k), stretch, Orthonormal(s.rng, k, k))
		value := quotient(t, Product(basis, g), s.a)
		claim.Printed.Agree(t, "difference between V and VG", mat.Trace(Product(basis.T(), s.a, basis)), value, 1e-9)
		claim.Printed.AtMost(t, "largest excess over Σ_{i≤k} λ_i", value, s.top(k), 1e-9)
		claim.Printed.Agree(t, "distance from it at W_{1:k}G", s.top(k),
			quotient(t, Product(s.leading(k), g), s.a), 1e-9)

		for i, value := range s.values {
			claim.Corrected.Agree(t, "distance of the limit at V = 0 along w_i from λ_i", value,
				quotient(t, Scaled(1e-100, s.mode(i)), s.a), 1e-11)
		}
	})
}

// Section 2.1: where V is nearly of lower rank, (VᵀV)⁻¹ makes the quotient's gradient inaccurate, and OMM, which has no
// inverse, is as accurate as ever. Both are computed in single and double precision from the same numbers while the two
// columns of V are turned together: the condition number of VᵀV is about 4/ε².
func TestInverseLosesWhatOMMKeeps(t *testing.T) {
	claim := papertest.Of(t, "rayleigh-inverse-unstable")
	rayleigh := func(in []*Node) []*Node {
		v, a := in[0], in[1]
		entry := func(m *Node, i, j int) *Node { return Slice(m, AxisElem(i), AxisElem(j)) }
		overlap := MatMul(Transpose(v, 0, 1), v)
		projected := MatMul(Transpose(v, 0, 1), MatMul(a, v))
		determinant := Sub(Mul(entry(overlap, 0, 0), entry(overlap, 1, 1)), Square(entry(overlap, 0, 1)))
		numerator := Sub(Add(Mul(entry(overlap, 1, 1), entry(projected, 0, 0)),
			Mul(entry(overlap, 0, 0), entry(projected, 1, 1))),
			MulScalar(Mul(entry(overlap, 0, 1), entry(projected, 0, 1)), 2))
		loss := Neg(ReduceAllSum(Div(numerator, determinant)))
		return []*Node{loss, Gradient(loss, v)[0]}
	}
	worst := func(fn func([]*Node) []*Node, epsilon float64) (largest float64) {
		single := testkit.NewProgramOn(t, testkit.PureGo(t), dtypes.Float32, fn)
		double := testkit.NewProgram(t, fn)
		rounded := func(_, _ int, x float64) float64 { return float64(float32(x)) }
		for seed := range uint64(8) {
			s := newSpectrum(testkit.NewRand(700+seed), 4, 3, 2, 1, 0.5)
			v := s.gaussian(1, 2)
			for i := range 5 {
				v.Set(i, 1, v.At(i, 0)+epsilon*v.At(i, 1))
			}
			v.Apply(rounded, v)
			s.a.Apply(rounded, s.a)
			in := []testkit.Array{testkit.FromMatrix(v), testkit.FromMatrix(s.a)}
			want, got := double.Call(t, in...)[1].Matrix(), single.Call(t, in...)[1].Matrix()
			largest = max(largest, mat.Norm(Combine(1, want, -1, got), 2)/mat.Norm(want, 2))
		}
		return largest
	}
	for _, epsilon := range []float64{1, 1e-1, 1e-2} {
		claim.Printed.Within(t, "largest relative error of OMM's gradient in float32",
			worst(ommtest.OnMatrix(ommlx.OMM{}), epsilon), 2e-6)
	}
	well, ill := worst(rayleigh, 1), worst(rayleigh, 1e-2)
	claim.Printed.Within(t, "the same of the quotient's gradient, V well conditioned", well, 1e-4)
	claim.Printed.Within(t, "that error, V well conditioned, over the error for VᵀV of condition about 4·10⁴",
		well/ill, 0.1)
	claim.Note("relative error of the quotient's gradient there: %.2g", ill)
	require.Greater(t, ill, 1e-3, "a relative error of 10⁻⁷ times a condition number of 4·10⁴")
}

// First footnote of section 2.1. A Hermitian H = X + iY acts on u + iv as [X −Y; Y X] on (u, v), with each eigenvalue
// twice. Of V = P + iQ the real form is [P −Q; Q P], and OMM-1 of the real forms is twice the complex OMM-1.
func TestOMMOfAHermitianMatrix(t *testing.T) {
	claim := papertest.Of(t, "hermitian")
	const d, k = 5, 2
	program := onMatrix(t, ommlx.OMM{})
	for seed := range uint64(5) {
		rng := testkit.NewRand(830 + seed)
		x, y := Gaussian(rng, d, d), Gaussian(rng, d, d)
		x, y = Combine(1, x, 1, x.T()), Combine(1, y, -1, y.T())
		p, q := Gaussian(rng, d, k), Gaussian(rng, d, k)
		h := func(a, b int) complex128 { return complex(x.At(a, b), y.At(a, b)) }
		v := func(a, i int) complex128 { return complex(p.At(a, i), q.At(a, i)) }
		want := 0.0
		for i := range k {
			for j := range k {
				var overlap, projected complex128 // (V*V)_ij and (V*HV)_ji
				for a := range d {
					overlap += cmplx.Conj(v(a, i)) * v(a, j)
					for b := range d {
						projected += cmplx.Conj(v(a, j)) * h(a, b) * v(b, i)
					}
				}
				if want += real(overlap * projected); i == j {
					want -= 2 * real(projected)
				}
			}
		}
		loss, _ := program(realForm(p, q), realForm(x, y))
		claim.Printed.Agree(t, "relative difference of the real OMM-1 and twice the complex one", 2*want, loss, 1e-12)
	}
}

// realForm is [Re −Im; Im Re].
func realForm(re, im *mat.Dense) *mat.Dense {
	var m mat.Dense
	m.Stack(beside(re, Scaled(-1, im)), beside(im, re))
	return &m
}
