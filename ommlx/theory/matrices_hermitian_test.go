package theory

import (
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/cblas128"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx"
	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
)

// First footnote of section 2.1. A Hermitian H = X + iY acts on u + iv as [X −Y; Y X] on (u, v), with each eigenvalue
// twice. Of V = P + iQ the real form is [P −Q; Q P], and OMM-1 of the real forms is twice the complex OMM-1.
func TestOMMOfAHermitianMatrix(t *testing.T) {
	claim := claims.Of(t, "hermitian")
	const d, k = 5, 2
	program := onMatrix(t, ommlx.OMM{})
	for seed := range uint64(5) {
		rng := graphtest.NewRand(830 + seed)
		x, y := Gaussian(rng, d, d), Gaussian(rng, d, d)
		h := mat.NewCDense(d, d, nil)
		for i := range d {
			for j := range d {
				h.Set(i, j, complex(x.At(i, j)+x.At(j, i), y.At(i, j)-y.At(j, i)))
			}
		}
		v := mat.NewCDense(d, k, nil)
		p, q := Gaussian(rng, d, k), Gaussian(rng, d, k)
		for i := range d {
			for j := range k {
				v.Set(i, j, complex(p.At(i, j), q.At(i, j)))
			}
		}
		overlap := complexProduct(blas.ConjTrans, v, v)
		projected := complexProduct(blas.ConjTrans, v, complexProduct(blas.NoTrans, h, v))
		want := 0.0
		for i := range k {
			want -= 2 * real(projected.At(i, i))
			for j := range k {
				want += real(overlap.At(i, j) * projected.At(j, i))
			}
		}
		loss, _ := program(realForm(v), realForm(h))
		ommtest.Within(t, claim.Printed, "relative difference of the real OMM-1 and twice the complex one",
			ommtest.Difference(2*want, loss), 1e-12)
	}
}

// realForm is [Re −Im; Im Re].
func realForm(c *mat.CDense) *mat.Dense {
	n, m := c.Dims()
	out := mat.NewDense(2*n, 2*m, nil)
	for i := range n {
		for j := range m {
			x := c.At(i, j)
			out.Set(i, j, real(x))
			out.Set(n+i, m+j, real(x))
			out.Set(n+i, j, imag(x))
			out.Set(i, m+j, -imag(x))
		}
	}
	return out
}

// complexProduct is op(a) b.
func complexProduct(op blas.Transpose, a, b *mat.CDense) *mat.CDense {
	n, m := a.Dims()
	if op == blas.ConjTrans {
		n = m
	}
	_, m = b.Dims()
	out := mat.NewCDense(n, m, nil)
	cblas128.Gemm(op, blas.NoTrans, 1, a.RawCMatrix(), b.RawCMatrix(), 0, out.RawCMatrix())
	return out
}
