package jet_test

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/floats"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/jet"
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

// phase is k·x with k = (1.3, −1.3/2, 1.3/3, …).
func phase(x jet.Jet) jet.Jet {
	k := waves(x.Dims())
	return jet.Dense(x, ConstTensor(x.Value.Graph(), tensors.FromFlatDataAndDimensions(k, 1, len(k))), nil)
}

func waves(dims int) (k []float64) {
	for d := range dims {
		k = append(k, math.Pow(-1, float64(d))*1.3/float64(d+1))
	}
	return k
}

var closedForms = []closedForm{
	{"Σ_d x_d³ − 2 Π_d x_d + 5", func(x jet.Jet) jet.Jet {
		sum, product := jet.Constant(ZerosLike(x.Column(0).Value), x.Dims()), x.Column(0)
		for d := range x.Dims() {
			c := x.Column(d)
			if sum = jet.Add(sum, jet.Mul(c, jet.Mul(c, c))); d > 0 {
				product = jet.Mul(product, c)
			}
		}
		five := jet.Constant(AddScalar(ZerosLike(sum.Value), 5), x.Dims())
		return jet.Add(five, jet.Sub(sum, jet.Scale(product, 2)))
	}, func(x []float64) (value float64, gradient []float64, laplacian float64) {
		product := floats.Prod(x)
		for _, c := range x {
			value += c * c * c
			gradient = append(gradient, 3*c*c-2*product/c)
			laplacian += 6 * c
		}
		return value - 2*product + 5, gradient, laplacian
	}},
	{"(exp(−0.4|x|²) + 2) sin k·x", func(x jet.Jet) jet.Jet {
		return jet.Mul(jet.Shift(jet.Exp(jet.Scale(squaredRadius(x), -0.4)), 2), jet.Sin(phase(x)))
	}, func(x []float64) (float64, []float64, float64) {
		k, r2, n := waves(len(x)), floats.Dot(x, x), float64(len(x))
		kx, k2, e := floats.Dot(k, x), floats.Dot(k, k), math.Exp(-0.4*r2)
		s, c := math.Sin(kx), math.Cos(kx)
		g := times(-0.8*e*s, x)
		floats.AddScaled(g, (e+2)*c, k)
		return (e + 2) * s, g, (0.64*r2-0.8*n)*e*s - k2*s*(e+2) - 1.6*kx*c*e
	}},
	{"|x|^5/2", func(x jet.Jet) jet.Jet {
		squared := squaredRadius(x)
		return jet.Mul(squared, jet.Sqrt(jet.Sqrt(squared)))
	}, func(x []float64) (float64, []float64, float64) { // r^p: Δ = p(p + D − 2) r^(p−2)
		r, n := floats.Norm(x, 2), float64(len(x))
		return math.Pow(r, 2.5), times(2.5*math.Sqrt(r), x), 2.5 * (0.5 + n) * math.Sqrt(r)
	}},
}

func TestClosedForms(t *testing.T) {
	const n = 9
	for dims := 1; dims <= 3; dims++ {
		x := normal(newRand(), 1.5, n, dims)
		points := testkit.Flat(x)
		got := testkit.Evaluate(t, func(in []*Node) (out []*Node) {
			for _, c := range closedForms {
				out = append(out, streams(c.jet(jet.Inputs(in[0])))...)
			}
			return out
		}, x)
		for f, c := range closedForms {
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
