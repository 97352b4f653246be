package operator_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/operator"
)

// TestMatrixMoments: the means over rows are VᵀV and VᵀAV, for every run.
func TestMatrixMoments(t *testing.T) {
	const runs, n, k = 2, 5, 3
	rng := testkit.NewRand(12)
	v := testkit.Gaussian(rng, runs, n, k)
	a, _ := linalg.RandomSymmetric(rng, []float64{3, 1, 0.5, 0, -2})
	out := testkit.Compile(t, func(in []*Node) []*Node {
		f, tf := operator.Matrix(in[0], in[1])
		return []*Node{ommlx.SecondMoment(f, f), ommlx.SecondMoment(f, tf)}
	}).Call(t, v, testkit.FromMatrix(a))
	for r := range runs {
		run := v.Run(r).Matrix()
		testkit.RequireClose(t, testkit.FromMatrix(linalg.Gram(run)), out[0].Run(r), 1e-13, "VᵀV")
		testkit.RequireClose(t, testkit.FromMatrix(linalg.Product(run.T(), a, run)), out[1].Run(r), 1e-13, "VᵀAV")
	}
}

// TestKernelIsUnbiased: over all batches of two of three equally likely points, f(x_b)·(T̂f)(x_b) has the mean Σ_{x,y}
// p(x) p(y) f(x) k(x, y) f(y), even if a point is drawn twice, and the diagonal is not used.
func TestKernelIsUnbiased(t *testing.T) {
	points, f := []float64{-1, 0.5, 2}, []float64{1, -2, 0.3}
	kernel := func(x, y float64) float64 { return math.Exp(-(x - y) * (x - y)) }
	exec := testkit.CompileFor(t, testkit.Backend(t), func(in []*Node) []*Node {
		return []*Node{ommlx.SecondMoment(in[1], operator.Kernel(in[0], in[1]))}
	})
	var mean, want float64
	for i, x := range points {
		for j, y := range points {
			gram := []float64{1e6, kernel(x, y), kernel(y, x), 1e6} // the diagonal must not matter
			out := exec.Numbers(t, tensors.FromFlatDataAndDimensions(gram, 1, 2, 2),
				tensors.FromFlatDataAndDimensions([]float64{f[i], f[j]}, 1, 2, 1))
			mean += out[0][0] / 9
			want += f[i] * kernel(x, y) * f[j] / 9
		}
	}
	assert.InDelta(t, want, mean, 1e-14)
}

// TestWeightedMoments: the means over rows are Σ_s ρ_s f(s)f(s)ᵀ and Σ_{s,s'} W[s,s'] f(s)f(s')ᵀ, with gradients, even
// with unvisited states.
func TestWeightedMoments(t *testing.T) {
	const runs, n, k = 2, 7, 3
	rng := testkit.NewRand(8)
	f, w := testkit.Gaussian(rng, runs, n, k), testkit.NewArray(runs, n, n)
	for r := range runs {
		pairs, symmetric := w.Run(r).Matrix(), linalg.Gram(linalg.RandomGaussian(rng, n, n))
		pairs.Apply(func(i, j int, v float64) float64 {
			if i == 3 || j == 3 || (r == 1 && max(i, j) == n-1) {
				return 0 // never visited
			}
			return math.Abs(v)
		}, symmetric)
		pairs.Scale(1/mat.Sum(pairs), pairs)
	}
	out := testkit.Compile(t, func(in []*Node) []*Node {
		with := func(m, mt *Node) []*Node {
			// Every entry has a different weight, so that the gradient distinguishes them.
			weighted := func(x *Node) *Node { return ReduceAllSum(Mul(x, Sin(Iota(x.Graph(), x.Shape(), -1)))) }
			return []*Node{m, mt, Gradient(Add(weighted(m), weighted(mt)), in[0])[0]}
		}
		inner := func(a, b *Node) *Node { return DotGeneral(a, []int{1}, []int{0}, b, []int{1}, []int{0}) }
		table, rho := in[0], ReduceAndKeep(in[1], ReduceSum, 2)
		wf := DotGeneral(in[1], []int{2}, []int{0}, table, []int{1}, []int{0})
		f, tf := operator.Weighted(in[0], in[1])
		return append(with(inner(table, Mul(rho, table)), inner(table, wf)),
			with(ommlx.SecondMoment(f, f), ommlx.SecondMoment(f, tf))...)
	}).Call(t, f, w)
	testkit.RequireAllClose(t, out[:3], out[3:], 1e-13, "moments and gradient")
	assert.Zero(t, floats.Norm(out[5].Data[3*k:4*k], 1), "a state that was never visited has no gradient")
}

// TestSparseIsTheDenseProduct: values and gradients agree with the full matrix, for two runs and entries listed
// twice.
func TestSparseIsTheDenseProduct(t *testing.T) {
	const runs, n, k, entries = 2, 7, 3, 25
	rng := rand.New(rand.NewPCG(1, 2))
	dense := make([]float64, n*n)
	rows, columns, values := make([]int32, entries), make([]int32, entries), make([]float64, entries)
	for e := range entries {
		rows[e], columns[e], values[e] = rng.Int32N(n), rng.Int32N(n), rng.NormFloat64()
		dense[int(rows[e])*n+int(columns[e])] += values[e]
	}
	gaussian := testkit.NewRand(1)
	f, weights := testkit.Gaussian(gaussian, runs, n, k), testkit.Gaussian(gaussian, runs, n, k)
	out := testkit.CompileFor(t, testkit.Backend(t), func(in []*Node) []*Node {
		f, weights := in[0], in[1]
		slow := Transpose(DotGeneral(f, []int{1}, nil, in[5], []int{1}, nil), 1, 2)
		fast := operator.Sparse(f, in[2], in[3], in[4])
		gradient := func(y *Node) *Node { return Gradient(ReduceAllSum(Mul(y, weights)), f)[0] }
		return []*Node{slow, fast, gradient(slow), gradient(fast)}
	}).Numbers(t, f, weights, rows, columns, values,
		tensors.FromFlatDataAndDimensions(dense, n, n))
	assert.InDeltaSlice(t, out[0], out[1], 1e-12)
	assert.InDeltaSlice(t, out[2], out[3], 1e-12)
}

// TestSparseEntriesOutside: an entry with a row out of range must give NaN, as with a column out of range, and must not
// affect the next run, whose rows follow in memory.
func TestSparseEntriesOutside(t *testing.T) {
	const runs, n = 3, 4
	ones := slices.Repeat([]float64{1}, runs*n)
	for _, c := range []struct{ row, column int32 }{{n, 0}, {-1, 0}, {0, n}, {0, -1}, {1 << 30, 0}} {
		out := testkit.CompileFor(t, testkit.Backend(t), func(in []*Node) []*Node {
			return []*Node{operator.Sparse(in[0], in[1], in[2], in[3])}
		}).Numbers(t, tensors.FromFlatDataAndDimensions(ones, runs, n, 1), []int32{2, c.row}, []int32{2, c.column},
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
