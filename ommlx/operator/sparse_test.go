package operator_test

import (
	"math"
	"math/rand/v2"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"

	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/operator"
)

// TestSparseIsTheDenseProduct: values and gradients are those of the full matrix, for two runs and entries listed
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
	f, weights := make([]float64, runs*n*k), make([]float64, runs*n*k)
	for i := range f {
		f[i], weights[i] = rng.NormFloat64(), rng.NormFloat64()
	}
	out := graphtest.Evaluate(t, func(in []*Node) []*Node {
		f, weights := in[0], in[1]
		slow := Transpose(DotGeneral(f, []int{1}, nil, in[5], []int{1}, nil), 1, 2)
		fast := operator.Sparse(f, in[2], in[3], in[4])
		gradient := func(y *Node) *Node { return Gradient(ReduceAllSum(Mul(y, weights)), f)[0] }
		return []*Node{slow, fast, gradient(slow), gradient(fast)}
	}, tensors.FromFlatDataAndDimensions(f, runs, n, k), tensors.FromFlatDataAndDimensions(weights, runs, n, k), rows,
		columns, values,
		tensors.FromFlatDataAndDimensions(dense, n, n))
	assert.InDeltaSlice(t, out[0], out[1], 1e-12)
	assert.InDeltaSlice(t, out[2], out[3], 1e-12)
}

// TestSparseEntriesOutside: an entry in a row that does not exist must not land in another run, whose rows lie behind
// it in memory; it makes NaN, as one in a column that does not exist.
func TestSparseEntriesOutside(t *testing.T) {
	const runs, n = 3, 4
	ones := make([]float64, runs*n)
	for i := range ones {
		ones[i] = 1
	}
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
