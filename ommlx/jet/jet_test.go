package jet_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/jet"
)

// TestKnownPropertiesDoNotChangeResults: known properties of a jet change no result, and are dropped if a field is set.
func TestKnownPropertiesDoNotChangeResults(t *testing.T) {
	rng := testkit.NewRand(11)
	args := append(parameters(rng, 3), testkit.Gaussian(rng, points, dims))
	last := len(args) - 1
	got := testkit.Compile(t, func(in []*Node) []*Node {
		known := jet.Inputs(in[last])
		bare := func(j jet.Jet) jet.Jet { return jet.Jet{Value: j.Value, Gradient: j.Gradient, Laplacian: j.Laplacian} }
		h := jet.Sin(jet.Dense(known, in[0], nil))
		set := h
		set.Value = AddScalar(h.Value, 1.)
		set.Gradient = slices.Clone(h.Gradient)
		set.Gradient[0] = MulScalar(h.Gradient[0], 2.)
		curved := known // no longer coordinates: u_d = x_d², with only the fields set
		curved.Value = Square(known.Value)
		curved.Gradient = slices.Clone(known.Gradient)
		for d, g := range known.Gradient {
			curved.Gradient[d] = Mul(g, MulScalar(known.Value, 2.))
		}
		curved.Laplacian = AddScalar(known.Laplacian, 2.)
		return slices.Concat(
			streams(network(in[:last], known)), streams(network(in[:last], bare(known))),
			streams(jet.Exp(set)), streams(jet.Exp(bare(set))),
			streams(network(in[:last], curved)), streams(network(in[:last], jet.Mul(known, known))))
	}).Call(t, args)
	const n = dims + 2
	for i := range 3 {
		testkit.RequireAllClose(t, got[(2*i+1)*n:(2*i+2)*n], got[2*i*n:(2*i+1)*n], 1e-13, fmt.Sprint("case ", i))
	}
}

// TestShapesAreAligned: a mask [B, 1] and a function [B, w] of each of M networks, products in either order.
func TestShapesAreAligned(t *testing.T) {
	rng := testkit.NewRand(11)
	x, w := testkit.Gaussian(rng, 4, 2), testkit.Gaussian(rng, 3, 2, 2)
	got := testkit.Compile(t, func(in []*Node) []*Node {
		j := jet.Inputs(in[0])
		f := jet.Sin(jet.Dense(j, in[1], nil))                  // [3, 4, 2]
		mask := jet.Shift(jet.Mul(j.Column(0), j.Column(1)), 1) // [4, 1]
		wide := mask.Map(func(x *Node) *Node { return BroadcastToDims(InsertAxes(x, 0), 3, 4, 2) })
		return slices.Concat(
			streams(jet.Mul(wide, f)), streams(jet.Mul(mask, f)), streams(jet.Mul(f, mask)),
			streams(jet.Add(wide, f)), streams(jet.Add(mask, f)), streams(jet.Add(f, mask)))
	}).Call(t, x, w)
	all := slices.Collect(slices.Chunk(got, 4))
	for i, j := range all {
		testkit.RequireAllClose(t, all[i/3*3], j, 1e-14, fmt.Sprint("case ", i))
	}
}

func TestErrorsNameTheArgument(t *testing.T) {
	x, y := testkit.NewArray(4, 2), testkit.NewArray(3)
	for _, c := range []struct {
		names string
		of    func(x, y *Node) *Node
	}{
		{"jet.Inputs", func(_, y *Node) *Node { return jet.Inputs(y).Value }},
		{"2 and 3", func(x, _ *Node) *Node { return jet.Add(jet.Constant(x, 2), jet.Constant(x, 3)).Value }},
		{"jet.Concatenate", func(_, _ *Node) *Node { return jet.Concatenate().Value }},
		{"jet.Dense", func(x, y *Node) *Node { return jet.Dense(jet.Inputs(x), InsertAxes(y, 0), nil).Value }},
		{"bias", func(x, y *Node) *Node { return jet.Dense(jet.Inputs(x), x, y).Value }},
		{"jet.Standardise", func(x, _ *Node) *Node {
			return jet.Standardise(jet.Inputs(x), make([]float64, 2), make([]float64, 3)).Value
		}},
	} {
		exec := testkit.Compile(t, func(in []*Node) []*Node { return []*Node{c.of(in[0], in[1])} })
		_, err := exec.Try(x, y)
		assert.ErrorContains(t, err, c.names)
	}
}

// streams lists value, Laplacian and gradient.
func streams(j jet.Jet) []*Node { return append([]*Node{j.Value, j.Laplacian}, j.Gradient...) }

// elementwise lists all elementwise functions, with the same function from GoMLX's operations. positive marks functions
// of positive arguments.
var elementwise = []struct {
	name     string
	positive bool
	jet      func(j jet.Jet) jet.Jet
	plain    func(x *Node) *Node
}{
	{"Softplus", false, jet.Softplus, func(x *Node) *Node { return Log1p(Exp(x)) }},
	{"Sin", false, jet.Sin, Sin},
	{"Exp", false, jet.Exp, Exp},
	{"SinCos", false, jet.SinCos, func(x *Node) *Node { return Concatenate([]*Node{Sin(x), Cos(x)}, 1) }},
	{"Sqrt", true, jet.Sqrt, Sqrt},
	{"Scale", false, func(j jet.Jet) jet.Jet { return jet.Scale(j, -1.7) },
		func(x *Node) *Node { return MulScalar(x, -1.7) }},
	{"Shift", false, func(j jet.Jet) jet.Jet { return jet.Shift(j, 2.5) },
		func(x *Node) *Node { return AddScalar(x, 2.5) }},
	{"Mul by itself", false, func(j jet.Jet) jet.Jet { return jet.Mul(j, j) }, Square},
	{"Add to its sine", false, func(j jet.Jet) jet.Jet { return jet.Add(jet.Sin(j), j) },
		func(x *Node) *Node { return Add(Sin(x), x) }},
	{"Chain", false, func(j jet.Jet) jet.Jet { // the logistic function
		s := Logistic(j.Value)
		df := Mul(s, OneMinus(s))
		return jet.Chain(j, s, df, Mul(df, OneMinus(MulScalar(s, 2.))))
	}, Logistic},
}

// TestElementwiseIsNestedReverse applies every function to affine and other arguments.
func TestElementwiseIsNestedReverse(t *testing.T) {
	rng := testkit.NewRand(11)
	x, weights := testkit.Gaussian(rng, 7, 3), testkit.Gaussian(rng, 1, 3).Scaled(0.8)
	for _, c := range elementwise {
		for _, affine := range []bool{true, false} {
			if c.positive && affine {
				continue
			}
			got := testkit.Compile(t, func(in []*Node) []*Node {
				u := jet.Dense(jet.Inputs(in[0]), in[1], nil)
				if !affine {
					u = jet.Shift(jet.Mul(u, u), 0.3)
				}
				value, laplacian := nestedReverse(func(x *Node) *Node {
					u := DotGeneral(x, []int{1}, nil, in[1], []int{1}, nil)
					if !affine {
						u = AddScalar(Square(u), 0.3)
					}
					return c.plain(u)
				}, in[0])
				j := c.jet(u)
				return []*Node{value, laplacian, j.Value, j.Laplacian}
			}).Call(t, x, weights)
			testkit.RequireAllClose(t, got[:2], got[2:], 1e-12, fmt.Sprintf("%s, affine %v", c.name, affine))
		}
	}
}

// TestSoftplusIsAccurate: in float32, value, derivatives and reverse-mode gradient are accurate to a few units in the
// last place, even for negative arguments, where log(1 + eᵘ) is small. Up to ±100 nothing is NaN or infinite, and
// neither is the reverse-mode gradient of all derivatives.
func TestSoftplusIsAccurate(t *testing.T) {
	points := []float32{-100, -88.8, -1e-4, -1e-30, 0, 1e-30, 1e-4, 88.8, 100}
	for u := float32(-60); u <= 60; u += 0.37 {
		points = append(points, u)
	}
	got := testkit.CompileFor(t, testkit.Backend(t), func(in []*Node) []*Node {
		j := jet.Softplus(jet.Inputs(in[0]))
		one := OnesLike(in[0])
		all := jet.Softplus(jet.Jet{Value: in[0], Gradient: []*Node{one}, Laplacian: one}) // so that no term drops out
		sum := ReduceAllSum(Add(Add(all.Value, all.Laplacian), all.Gradient[0]))
		return append(streams(j), Gradient(ReduceAllSum(j.Value), in[0])[0], Gradient(sum, in[0])[0], all.Laplacian)
	}).Numbers(t, tensors.FromFlatDataAndDimensions(points, len(points), 1))
	for i, p := range points {
		for result := range got {
			v := got[result][i]
			assert.False(t, math.IsNaN(v) || math.IsInf(v, 0), "result %d at %g: %g", result, p, v)
		}
		if math.Abs(float64(p)) > 60 {
			continue
		}
		u := float64(p)
		s := 1 / (1 + math.Exp(-u))
		assert.InEpsilon(t, max(u, 0)+math.Log1p(math.Exp(-math.Abs(u))), got[0][i], 2e-6, "value at %g", u)
		assert.InDelta(t, s/(1+math.Exp(u)), got[1][i], 2e-7, "second derivative at %g", u)
		assert.InEpsilon(t, s, got[2][i], 2e-6, "derivative at %g", u)
		assert.InEpsilon(t, s, got[3][i], 2e-6, "reverse-mode gradient at %g", u)
	}
}

// TestStandardise: value, gradient and Laplacian of (j_i − centre_i)·scale_i agree with [jet.Shift] and [jet.Scale] of
// each column, for affine and other jets.
func TestStandardise(t *testing.T) {
	centre, scale := []float64{1, -30, 0}, []float64{0.5, 7, -2}
	for _, before := range []func(j jet.Jet) jet.Jet{func(j jet.Jet) jet.Jet { return j }, jet.Softplus} {
		out := testkit.CompileFor(t, testkit.Backend(t), func(in []*Node) []*Node {
			x := before(jet.Inputs(in[0]))
			var columns []jet.Jet
			for i := range centre {
				columns = append(columns, jet.Scale(jet.Shift(x.Column(i), -centre[i]), scale[i]))
			}
			got, want := jet.Standardise(x, centre, scale), jet.Concatenate(columns...)
			return append(append(streams(got), streams(want)...), streams(jet.Sin(got))[1], streams(jet.Sin(want))[1])
		}).Call(t, testkit.Gaussian(testkit.NewRand(11), 2, 7, 3))
		testkit.RequireAllClose(t, out[5:10], out[:5], 1e-14, "streams")
		testkit.RequireClose(t, out[11], out[10], 1e-14, "what is known of the jet is right")
	}
}
