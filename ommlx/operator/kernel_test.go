package operator_test

import (
	"math"
	"math/rand/v2"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx"
	"operator-omm/ommlx/backend"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/operator"
)

// TestMatrixMoments: the means over rows are VᵀV and VᵀAV, for every run.
func TestMatrixMoments(t *testing.T) {
	const runs, n, k = 2, 5, 3
	rng := rand.New(rand.NewPCG(12, 13))
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			a.SetSym(i, j, rng.NormFloat64())
		}
	}
	v := make([]float64, runs*n*k)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	out := graphtest.Evaluate(t, func(in []*Node) []*Node {
		f, tf := operator.Matrix(in[0], in[1])
		return []*Node{ommlx.SecondMoment(f, f), ommlx.SecondMoment(f, tf)}
	}, tensors.FromFlatDataAndDimensions(v, runs, n, k),
		tensors.FromFlatDataAndDimensions(mat.DenseCopyOf(a).RawMatrix().Data, n, n))
	for r := range runs {
		run := mat.NewDense(n, k, v[r*n*k:(r+1)*n*k])
		var overlap, projected mat.Dense
		overlap.Mul(run.T(), run)
		projected.Product(run.T(), a, run)
		for i, want := range []*mat.Dense{&overlap, &projected} {
			assert.InDeltaSlice(t, want.RawMatrix().Data, out[i][r*k*k:(r+1)*k*k], 1e-13)
		}
	}
}

// TestKernelIsUnbiased: over all batches of two of three equally likely points, f(x_b)·(T̂f)(x_b) has the mean Σ_{x,y}
// p(x) p(y) f(x) k(x, y) f(y), also though a point may be drawn twice; and no sample is compared with itself.
func TestKernelIsUnbiased(t *testing.T) {
	points, f := []float64{-1, 0.5, 2}, []float64{1, -2, 0.3}
	kernel := func(x, y float64) float64 { return math.Exp(-(x - y) * (x - y)) }
	exec := graphtest.Compiled(t, func(in []*Node) []*Node {
		return []*Node{ommlx.SecondMoment(in[1], operator.Kernel(in[0], in[1]))}
	})
	var mean, want float64
	for i, x := range points {
		for j, y := range points {
			gram := []float64{1e6, kernel(x, y), kernel(y, x), 1e6} // the diagonal is not to be seen
			out := graphtest.Run(t, exec, tensors.FromFlatDataAndDimensions(gram, 1, 2, 2),
				tensors.FromFlatDataAndDimensions([]float64{f[i], f[j]}, 1, 2, 1))
			mean += graphtest.Flat(out[0])[0] / 9
			want += f[i] * kernel(x, y) * f[j] / 9
		}
	}
	assert.InDelta(t, want, mean, 1e-14)

	b, _, err := backend.Open()
	require.NoError(t, err)
	_, err = ExecOnce(b, func(in []*Node) *Node { return operator.Kernel(in[0], in[1]) },
		[][][]float32{{{1}}}, [][][]float32{{{1}}})
	require.ErrorContains(t, err, "at least 2 are needed")
}
