package operator_test

import (
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/operator"
)

// TestMatrixMoments: the means over rows are VᵀV and VᵀAV, for every run.
func TestMatrixMoments(t *testing.T) {
	const runs, n, k = 2, 5, 3
	rng := graphtest.NewRand(12)
	v, half := graphtest.Gaussian(rng, runs, n, k), graphtest.Gaussian(rng, n, n).Matrix()
	var a mat.Dense
	a.Add(half, half.T())
	out := graphtest.NewProgram(t, func(in []*Node) []*Node {
		f, tf := operator.Matrix(in[0], in[1])
		return []*Node{ommlx.SecondMoment(f, f), ommlx.SecondMoment(f, tf)}
	}).Call(t, v, graphtest.FromMatrix(&a))
	for r := range runs {
		run := v.Run(r).Matrix()
		var overlap, projected mat.Dense
		overlap.Mul(run.T(), run)
		projected.Product(run.T(), &a, run)
		graphtest.RequireClose(t, graphtest.FromMatrix(&overlap), out[0].Run(r), 1e-13, "VᵀV")
		graphtest.RequireClose(t, graphtest.FromMatrix(&projected), out[1].Run(r), 1e-13, "VᵀAV")
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
}

// TestWeightedMoments: the means over rows are Σ_s ρ_s f(s)f(s)ᵀ and Σ_{s,s'} W[s,s'] f(s)f(s')ᵀ, and the gradient of
// the sum of their entries is 2 (diag ρ + W) f 1 1ᵀ, also where states were never visited.
func TestWeightedMoments(t *testing.T) {
	const runs, n, k = 2, 7, 3
	rng := graphtest.NewRand(8)
	f, w := graphtest.Gaussian(rng, runs, n, k), graphtest.NewArray(runs, n, n)
	for r := range runs {
		run := w.Run(r).Data
		for i := range n {
			for j := range i + 1 {
				if i != 3 && j != 3 && (r == 0 || i != n-1) { // others are never visited
					run[i*n+j] = rng.Float64()
					run[j*n+i] = run[i*n+j]
				}
			}
		}
		floats.Scale(1/floats.Sum(run), run)
	}
	out := graphtest.NewProgram(t, func(in []*Node) []*Node {
		f, tf := operator.Weighted(in[0], in[1])
		m, mt := ommlx.SecondMoment(f, f), ommlx.SecondMoment(f, tf)
		return []*Node{m, mt, Gradient(ReduceAllSum(Add(m, mt)), in[0])[0]}
	}).Call(t, f, w)
	twos := mat.NewDense(k, k, slices.Repeat([]float64{2}, k*k))
	for r := range runs {
		table, pairs, law := f.Run(r).Matrix(), w.Run(r).Matrix(), mat.NewDense(n, n, nil)
		for i := range n {
			law.Set(i, i, floats.Sum(pairs.RawRowView(i)))
		}
		var overlap, projected, gradient mat.Dense
		overlap.Product(table.T(), law, table)
		projected.Product(table.T(), pairs, table)
		law.Add(law, pairs)
		gradient.Product(law, table, twos)
		for i, want := range []*mat.Dense{&overlap, &projected, &gradient} {
			graphtest.RequireClose(t, graphtest.FromMatrix(want), out[i].Run(r), 1e-13, "moments and gradient")
		}
	}
}

// TestSparseIsTheDenseProduct: values and gradients are those of the full matrix, for two runs and entries listed
// twice.
func TestSparseIsTheDenseProduct(t *testing.T) {
	const runs, n, k, entries = 2, 7, 3, 25
	rng := graphtest.NewRand(1)
	f, weights := graphtest.Gaussian(rng, runs, n, k), graphtest.Gaussian(rng, runs, n, k)
	dense, rows, columns, values := mat.NewDense(n, n, nil), make([]int32, entries), make([]int32, entries),
		graphtest.Gaussian(rng, entries).Data
	for e, v := range values {
		rows[e], columns[e] = rng.Int32N(n), rng.Int32N(n)
		i, j := int(rows[e]), int(columns[e])
		dense.Set(i, j, dense.At(i, j)+v)
	}
	out := graphtest.Run(t, graphtest.Compiled(t, func(in []*Node) []*Node {
		af := operator.Sparse(in[0], in[2], in[3], in[4])
		return []*Node{af, Gradient(ReduceAllSum(Mul(af, in[1])), in[0])[0]}
	}), f.Tensor(dtypes.Float64), weights.Tensor(dtypes.Float64), rows, columns, values)
	for r := range runs {
		var product, gradient mat.Dense
		product.Mul(dense, f.Run(r).Matrix())
		gradient.Mul(dense.T(), weights.Run(r).Matrix())
		for i, want := range []*mat.Dense{&product, &gradient} {
			graphtest.RequireClose(t, graphtest.FromMatrix(want), graphtest.FromTensor(out[i]).Run(r), 1e-12, "Af")
		}
	}
}

// TestSparseEntriesOutside: an entry in a row that does not exist must not land in another run, whose rows lie behind
// it in memory; it makes NaN, as one in a column that does not exist.
func TestSparseEntriesOutside(t *testing.T) {
	const runs, n = 3, 4
	ones := slices.Repeat([]float64{1}, runs*n)
	for _, c := range []struct{ row, column int32 }{{n, 0}, {-1, 0}, {0, n}, {0, -1}, {1 << 30, 0}} {
		out := graphtest.Evaluate(t, func(in []*Node) []*Node {
			return []*Node{operator.Sparse(in[0], in[1], in[2], in[3])}
		}, tensors.FromFlatDataAndDimensions(ones, runs, n, 1), []int32{2, c.row}, []int32{2, c.column},
			[]float64{5, 7})[0]
		for r := range runs {
			row := min(max(c.row, 0), n-1) // the nearest
			assert.True(t, math.IsNaN(out[r*n+int(row)]), "%v: %v", c, out)
			out[r*n+int(row)] = 0
		}
		for i, v := range out {
			if v != 0 {
				assert.Equal(t, 5., v, "%v: %v", c, out)
				assert.Equal(t, 2, i%n, "%v: %v", c, out)
			}
		}
	}
}
