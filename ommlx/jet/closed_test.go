package jet_test

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/floats"

	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/jet"
)

// closedForm is a function whose value, gradient and Laplacian are known.
type closedForm struct {
	name string
	jet  func(x jet.Jet) jet.Jet
	at   func(x []float64) (value float64, gradient []float64, laplacian float64)
}

// times returns c·x.
func times(c float64, x []float64) []float64 { return floats.ScaleTo(make([]float64, len(x)), c, x) }

// squaredRadius is |x|² as a jet.
func squaredRadius(x jet.Jet) jet.Jet {
	sum := jet.Mul(x.Column(0), x.Column(0))
	for d := 1; d < x.Dims(); d++ {
		sum = jet.Add(sum, jet.Mul(x.Column(d), x.Column(d)))
	}
	return sum
}

// phase is k·x with k = (1, −1/2, 1/3, …).
func phase(x jet.Jet) jet.Jet {
	k := make([]float64, x.Dims())
	for d := range k {
		k[d] = wave(d)
	}
	return jet.Dense(x, ConstTensor(x.Value.Graph(), tensors.FromFlatDataAndDimensions(k, 1, len(k))), nil)
}

func wave(d int) float64 { return math.Pow(-1, float64(d)) * 1.3 / float64(d+1) }

// dot returns k·x and k.
func dot(x []float64) (kx float64, k []float64) {
	for d := range x {
		k = append(k, wave(d))
	}
	return floats.Dot(k, x), k
}

const width = 0.4 // a in exp(−a|x|²)

func closedForms() []closedForm {
	gauss := func(x jet.Jet) jet.Jet { return jet.Exp(jet.Scale(squaredRadius(x), -width)) }
	gaussAt := func(x []float64) (float64, []float64, float64) {
		r2, n := floats.Dot(x, x), float64(len(x))
		e := math.Exp(-width * r2)
		return e, times(-2*width*e, x), (4*width*width*r2 - 2*width*n) * e
	}
	polynomial := func(x jet.Jet) jet.Jet { // Σ_d x_d³ − 2 Π_d x_d + 5
		var sum jet.Jet
		product := x.Column(0)
		for d := range x.Dims() {
			c := x.Column(d)
			if cube := jet.Mul(c, jet.Mul(c, c)); d == 0 {
				sum = cube
			} else {
				sum, product = jet.Add(sum, cube), jet.Mul(product, c)
			}
		}
		return jet.Shift(jet.Sub(sum, jet.Scale(product, 2)), 5)
	}
	return []closedForm{
		{"coordinate", func(x jet.Jet) jet.Jet { return x.Column(x.Dims() - 1) },
			func(x []float64) (float64, []float64, float64) {
				g := make([]float64, len(x))
				g[len(x)-1] = 1
				return x[len(x)-1], g, 0
			}},
		{"Gaussian", gauss, gaussAt},
		{"sine wave", func(x jet.Jet) jet.Jet { return jet.Sin(phase(x)) },
			func(x []float64) (float64, []float64, float64) {
				kx, k := dot(x)
				return math.Sin(kx), times(math.Cos(kx), k), -floats.Dot(k, k) * math.Sin(kx)
			}},
		{"polynomial", polynomial, func(x []float64) (value float64, gradient []float64, laplacian float64) {
			product := floats.Prod(x)
			for _, c := range x {
				value += c * c * c
				gradient = append(gradient, 3*c*c-2*product/c)
				laplacian += 6 * c
			}
			return value - 2*product + 5, gradient, laplacian
		}},
		{"Gaussian wave packet", func(x jet.Jet) jet.Jet { return jet.Mul(gauss(x), jet.Sin(phase(x))) },
			func(x []float64) (float64, []float64, float64) {
				kx, k := dot(x)
				e, ge, le := gaussAt(x)
				s, c := math.Sin(kx), math.Cos(kx)
				g := times(s, ge)
				floats.AddScaled(g, e*c, k)
				return e * s, g, s*le - floats.Dot(k, k)*s*e - 4*width*kx*c*e
			}},
		{"power of the radius", func(x jet.Jet) jet.Jet {
			squared := squaredRadius(x)
			return jet.Mul(squared, jet.Sqrt(jet.Sqrt(squared)))
		},
			func(x []float64) (float64, []float64, float64) { // r^p with p = 5/2: Δ = p(p + D − 2) r^(p−2)
				r, n := floats.Norm(x, 2), float64(len(x))
				return math.Pow(r, 2.5), times(2.5*math.Sqrt(r), x), 2.5 * (0.5 + n) * math.Sqrt(r)
			}},
		{"sum of all kinds", func(x jet.Jet) jet.Jet {
			c := jet.Constant(AddScalar(ZerosLike(x.Column(0).Value), 3.0), x.Dims())
			return jet.Add(jet.Mul(c, gauss(x)), jet.Sub(polynomial(x), c))
		}, func(x []float64) (value float64, gradient []float64, laplacian float64) {
			e, ge, le := gaussAt(x)
			product := floats.Prod(x)
			value, gradient, laplacian = 3*e-2*product+2, times(3, ge), 3*le
			for d, c := range x {
				value += c * c * c
				gradient[d] += 3*c*c - 2*product/c
				laplacian += 6 * c
			}
			return value, gradient, laplacian
		}},
	}
}

func TestClosedForms(t *testing.T) {
	const n = 9
	forms := closedForms()
	for dims := 1; dims <= 3; dims++ {
		x := normal(newRand(), 1.5, n, dims)
		points := graphtest.Flat(x)
		got := graphtest.Evaluate(t, func(in []*Node) (out []*Node) {
			for _, c := range forms {
				out = append(out, streams(c.jet(jet.Inputs(in[0])))...)
			}
			return out
		}, x)
		for f, c := range forms {
			want := make([][]float64, dims+2)
			for b := range n {
				value, gradient, laplacian := c.at(points[b*dims : (b+1)*dims])
				for i, v := range append([]float64{value, laplacian}, gradient...) {
					want[i] = append(want[i], v)
				}
			}
			for i := range want {
				assertClose(t, want[i], got[f*len(want)+i], 1e-12, c.name, " in ", dims, " dimensions, stream ", i)
			}
		}
	}
}
