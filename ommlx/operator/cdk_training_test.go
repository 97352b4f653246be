package operator_test

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"operator-omm/ommlx"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/operator"
)

// table1 lists OMM of all orders of the paper's Table 1, nested and not; sequential nesting exists for order 1 alone.
func table1() []ommlx.OMM {
	return []ommlx.OMM{
		{}, {Nesting: ommlx.Joint}, {Nesting: ommlx.Sequential},
		{Orders: []float64{0, 1}}, {Orders: []float64{0, 1}, Nesting: ommlx.Joint},
		{Orders: []float64{1, 1}}, {Orders: []float64{1, 1}, Nesting: ommlx.Joint},
	}
}

// From random starts and with the moments of the law, OMM of every order finds its leading eigenspace, with M[f] = I;
// with nesting, the eigenfunctions in order.
func TestCDKTrainingFindsTheSpectrum(t *testing.T) {
	const k = 3
	l := newViewLaw()
	n := len(l.p)
	first, second := l.views(l.pairs)
	whitened := mat.NewSymDense(n, nil) // T in the orthonormal basis of indicators over √p
	for i := range n {
		for j := range i + 1 {
			whitened.SetSym(i, j, l.joint.At(i, j)/math.Sqrt(l.p[i]*l.p[j]))
		}
	}
	var eigen mat.EigenSym
	require.True(t, eigen.Factorize(whitened, true))
	values := eigen.Values(nil) // ascending
	require.InDelta(t, 1, values[n-1], 1e-14, "the constant")
	for i := range n - 1 {
		require.Greater(t, values[i+1]-values[i], 0.1, "the law has simple eigenvalues")
	}
	var w mat.Dense
	eigen.VectorsTo(&w)

	root := graphtest.NewArray(n, 1)
	for i, p := range l.p {
		root.Data[i] = math.Sqrt(p)
	}
	for _, o := range table1() {
		p := graphtest.NewProgram(t, func(in []*Node) []*Node {
			table := Div(in[2], in[3]) // f of V = √p·f
			loss, _ := o.Loss(operator.CDK(at(in[0], table), at(in[1], table), ommlx.FreeNorm), nil)
			loss = ReduceAllSum(loss)
			return []*Node{loss, Gradient(loss, in[2])[0]}
		})
		start := graphtest.Gaussian(graphtest.NewRand(6), n, k).Scaled(0.3)
		v := descend(t, start, o.Nesting == ommlx.Sequential, func(x []float64) (float64, []float64) {
			out := p.Call(t, first, second, graphtest.Array{Dims: start.Dims, Data: x}, root)
			return out[0].Data[0], out[1].Data
		})
		var overlap, inside mat.Dense
		overlap.Mul(v.T(), v)
		inside.Mul(w.T(), v) // row n−1−i: how much of eigenfunction i is in each function
		tolerance := 1e-6
		if len(o.Orders) > 1 && o.Orders[0] == 0 {
			tolerance = 0.003 // at the minimum of order 2 alone norms are held by a fourth power
		}
		for i := range k {
			for j := range k {
				assert.InDelta(t, delta(i, j), overlap.At(i, j), tolerance, "%s: M[f]", o.Name())
				if o.Nesting != ommlx.NoNesting {
					along := math.Abs(inside.At(n-1-i, j))
					assert.InDelta(t, delta(i, j), along, tolerance, "%s: function %d", o.Name(), j)
				}
			}
			for j := range n - k {
				assert.InDelta(t, 0, inside.At(j, i), 1e-4, "%s: outside of the leading space", o.Name())
			}
		}
	}
}

func delta(i, j int) float64 {
	if i == j {
		return 1
	}
	return 0
}

// descend minimises by L-BFGS, or where the gradient is that of no function by steps along it.
func descend(t *testing.T, start graphtest.Array, plain bool, of func(x []float64) (float64, []float64)) *mat.Dense {
	t.Helper()
	x := start.Data
	if plain {
		for range 3000 {
			_, gradient := of(x)
			for i, g := range gradient {
				x[i] -= 0.1 * g
			}
		}
		return mat.NewDense(start.Dims[0], start.Dims[1], x)
	}
	result, err := optimize.Minimize(optimize.Problem{
		Func: func(x []float64) float64 { value, _ := of(x); return value },
		Grad: func(gradient, x []float64) { _, g := of(x); copy(gradient, g) },
	}, x, &optimize.Settings{GradientThreshold: 1e-10, MajorIterations: 2000}, &optimize.LBFGS{})
	if result == nil { // an error beside a result says that rounding ended the search
		require.NoError(t, err)
	}
	return mat.NewDense(start.Dims[0], start.Dims[1], result.X)
}
