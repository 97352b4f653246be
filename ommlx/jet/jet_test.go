package jet_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/jet"
)

// TestAnyJetWillDo: what the package knows of a jet besides its fields saves time and changes nothing, and is forgotten
// when somebody sets a field.
func TestAnyJetWillDo(t *testing.T) {
	rng := newRand()
	args := append(parameters(rng, 3), normal(rng, 1, points, dims))
	last := len(args) - 1
	got := evaluate(t, func(in []*Node) []*Node {
		known := jet.Inputs(in[last])
		bare := func(j jet.Jet) jet.Jet { return jet.Jet{Value: j.Value, Gradient: j.Gradient, Laplacian: j.Laplacian} }
		h := jet.Sin(jet.Dense(known, in[0], nil))
		set := h
		set.Value = AddScalar(h.Value, 1.)
		set.Gradient = slices.Clone(h.Gradient)
		set.Gradient[0] = MulScalar(h.Gradient[0], 2.)
		curved := known // coordinates no more: u_d = x_d² of which only the fields are right
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
	}, args)
	const n = dims + 2
	for i := range 3 {
		for s := range n {
			assertClose(t, got[(2*i+1)*n+s], got[2*i*n+s], 1e-13, "case ", i, ", stream ", s)
		}
	}
}

// TestShapesAreAligned: a mask [B, 1] and a function [B, w] of each of M networks, products in either order.
func TestShapesAreAligned(t *testing.T) {
	rng := newRand()
	x, w := normal(rng, 1, 4, 2), normal(rng, 1, 3, 2, 2)
	got := evaluate(t, func(in []*Node) []*Node {
		j := jet.Inputs(in[0])
		f := jet.Sin(jet.Dense(j, in[1], nil))                  // [3, 4, 2]
		mask := jet.Shift(jet.Mul(j.Column(0), j.Column(1)), 1) // [4, 1]
		wide := mask.Map(func(x *Node) *Node { return BroadcastToDims(InsertAxes(x, 0), 3, 4, 2) })
		require.Equal(t, []int{3, 4, 2}, jet.Mul(mask, f).Laplacian.Shape().Dimensions)
		return slices.Concat(
			streams(jet.Mul(wide, f)), streams(jet.Mul(mask, f)), streams(jet.Mul(f, mask)),
			streams(jet.Add(wide, f)), streams(jet.Add(mask, f)), streams(jet.Sub(f, jet.Scale(mask, -1))))
	}, x, w)
	const n = 4
	for group := range 2 {
		for other := 1; other < 3; other++ {
			for s := range n {
				assertClose(t, got[group*3*n+s], got[(group*3+other)*n+s], 1e-14)
			}
		}
	}
}

// TestSharedInputsAreNotRepeated: for M networks on the same points no product reads M copies of them.
func TestSharedInputsAreNotRepeated(t *testing.T) {
	const batch, in, out, networks = 6, 5, 4, 3
	rng := newRand()
	testkit.Evaluate(t, func(args []*Node) []*Node {
		j := jet.Dense(jet.Sin(jet.Inputs(args[0])), args[1], nil)
		products := 0
		for _, n := range j.Value.Graph().Nodes() {
			if n.Type() != NodeTypeDotGeneral {
				continue
			}
			products++
			for _, x := range n.Inputs() {
				assert.LessOrEqual(t, x.Shape().Size(), max(batch*in, networks*out*in))
			}
		}
		assert.Equal(t, 1+in+1, products, "one for every stream")
		return streams(j)
	}, normal(rng, 1, batch, in), normal(rng, 1, networks, out, in))
}

func TestWrongUse(t *testing.T) {
	x, y := normal(newRand(), 1, 4, 2), normal(newRand(), 1, 3)
	for _, c := range []struct {
		sentence string
		of       func(x, y *Node) *Node
	}{
		{"coordinates have shape (Float64)[3]; give them as [..., B, D]",
			func(_, y *Node) *Node { return jet.Inputs(y).Value }},
		{"jets of 2 and of 3 coordinates cannot be combined",
			func(x, _ *Node) *Node { return jet.Add(jet.Constant(x, 2), jet.Constant(x, 3)).Value }},
		{"no jets given", func(_, _ *Node) *Node { return jet.Concatenate().Value }},
		{"weights of shape [3 5], which must be [..., out, in], do not fit inputs of shape [4 2]",
			func(x, _ *Node) *Node {
				return jet.Dense(jet.Inputs(x), Zeros(x.Graph(), shapeOf(3, 5)), nil).Value
			}},
		{"weights of shape [7 3 2], which must be [..., out, in], do not fit inputs of shape [6 4 2]",
			func(x, _ *Node) *Node {
				j := jet.Dense(jet.Inputs(x), Zeros(x.Graph(), shapeOf(6, 2, 2)), nil)
				return jet.Dense(j, Zeros(x.Graph(), shapeOf(7, 3, 2)), nil).Value
			}},
		{"bias of shape [2] does not fit weights of shape [3 2]; it must be [3]",
			func(x, _ *Node) *Node {
				return jet.Dense(jet.Inputs(x), Zeros(x.Graph(), shapeOf(3, 2)), Zeros(x.Graph(), shapeOf(2))).Value
			}},
		{"f maps (Float64)[4, 2] to (Float64)[3, 2]",
			func(x, _ *Node) *Node {
				_, laplacian := jet.NestedReverse(func(x *Node) *Node { return SliceAxis(x, 0, AxisRange(0, 3)) }, x)
				return laplacian
			}},
	} {
		_, err := testkit.Compiled(t, func(in []*Node) []*Node { return []*Node{c.of(in[0], in[1])} }).Call(x, y)
		assert.ErrorContains(t, err, c.sentence)
	}
}

func shapeOf(dims ...int) shapes.Shape { return shapes.Make(dtypes.Float64, dims...) }

// streams lists value, Laplacian and gradient.
func streams(j jet.Jet) []*Node { return append([]*Node{j.Value, j.Laplacian}, j.Gradient...) }

// evaluate is [testkit.Evaluate] on the engine that compiles nothing. On that of the machine are the closed forms.
func evaluate(t *testing.T, fn func(in []*Node) []*Node, in ...any) [][]float64 {
	t.Helper()
	return testkit.EvaluateOn(t, testkit.PureGo(t), fn, in...)
}

func normal(rng *rand.Rand, scale float64, dims ...int) *tensors.Tensor {
	return tensors.FromFlatDataAndDimensions(testkit.Gaussian(rng, dims...).Scaled(scale).Data, dims...)
}

func newRand() *rand.Rand { return rand.New(rand.NewPCG(11, 4)) }

// assertClose compares relative to the largest entry.
func assertClose(t *testing.T, want, got []float64, tolerance float64, about ...any) {
	t.Helper()
	require.Len(t, got, len(want))
	largest, off := 1.0, 0.0
	for i := range want {
		largest = max(largest, math.Abs(want[i]))
		off = max(off, math.Abs(want[i]-got[i]))
		if math.IsNaN(got[i]) || math.IsNaN(want[i]) {
			off = math.NaN()
		}
	}
	assert.False(t, !(off <= tolerance*largest), "off by %g of %g %s", off, largest, fmt.Sprint(about...))
}
