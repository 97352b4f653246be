package learn_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/learn"
	"operator-omm/ommlx/spectral"
)

// listed are the entries of a matrix that are not zero.
func listed(a *mat.Dense) learn.Sparse {
	n, _ := a.Dims()
	s := learn.Sparse{N: n}
	for i := range n {
		for j := range n {
			if v := a.At(i, j); v != 0 {
				s.Rows, s.Columns, s.Values = append(s.Rows, i), append(s.Columns, j), append(s.Values, v)
			}
		}
	}
	return s
}

// TestNotSymmetric: the symmetric part is learned all the same, and the advice says where the matrix is not symmetric
// and what to do, also for one function, in which M[f,Tf] cannot show it.
func TestNotSymmetric(t *testing.T) {
	a := mat.DenseCopyOf(likeNeighbours(10))
	part := mat.NewSymDense(10, nil)
	for i := range 9 {
		a.Set(i, i+1, a.At(i, i+1)+2)
	}
	a.Set(4, 5, a.At(4, 5)+1)
	for i := range 10 {
		for j := range i + 1 {
			part.SetSym(i, j, (a.At(i, j)+a.At(j, i))/2)
		}
	}
	truth, err := spectral.SymEigen(part)
	require.NoError(t, err)
	for _, k := range []int{1, 3} {
		for name, op := range map[string]learn.Operator{"matrix": learn.Matrix{A: a}, "sparse matrix": listed(a)} {
			learned, err := learn.Learn(context.Background(), op, k, learn.Settings{Backend: graphtest.PureGo(t)})
			require.NoError(t, err)
			assert.InDeltaSlice(t, truth.Values[:k], learned.Values, 0.01)
			assert.Equal(t, []string{fmt.Sprintf("entry (4, 5) of the %s is 5.7, but entry (5, 4) is 2.7: "+
				"T is not self-adjoint, and its symmetric part was learned; "+
				"give (A + Aᵀ)/2, or a Graph for a random walk", name)}, learned.Advice())
		}
	}
}

// TestSymmetricWithinRounding: nothing is said of differences that float32 makes, and entries that are listed twice or
// not at all count as what they sum to.
func TestSymmetricWithinRounding(t *testing.T) {
	for name, op := range map[string]learn.Operator{
		"rounded": learn.Matrix{A: mat.NewDense(2, 2, []float64{2, 1, float64(float32(1) / 3 * 3), 1})},
		"rounded, sparse": learn.Sparse{N: 2, Rows: []int{0, 0, 1}, Columns: []int{0, 1, 0},
			Values: []float64{2, 1, 1 + 1e-7}},
		"listed twice": learn.Sparse{N: 3, Rows: []int{0, 1, 0, 2, 0, 0}, Columns: []int{0, 0, 1, 2, 1, 0},
			Values: []float64{1, 1, 0.25, 0.3, 0.75, 1}},
		"nothing listed twice": learn.Sparse{N: 3, Rows: []int{0, 1, 2, 1}, Columns: []int{0, 2, 2, 2},
			Values: []float64{1, 1, 0.5, -1}},
	} {
		learned, err := learn.Learn(context.Background(), op, 1, learn.Settings{Backend: graphtest.PureGo(t)})
		require.NoError(t, err)
		assert.Empty(t, learned.Advice(), name)
	}
	oneHalf := learn.Sparse{N: 3, Rows: []int{0, 1, 2}, Columns: []int{0, 1, 1}, Values: []float64{1, 0.5, 0.4}}
	learned, err := learn.Learn(context.Background(), oneHalf, 1,
		learn.Settings{Steps: 10, Backend: graphtest.PureGo(t)})
	require.NoError(t, err)
	assert.Contains(t, strings.Join(learned.Advice(), "\n"),
		"entry (1, 2) of the sparse matrix is 0, but entry (2, 1) is 0.4")
}

// TestKernelThatIsNotSymmetric is noticed on the samples.
func TestKernelThatIsNotSymmetric(t *testing.T) {
	x := normal(200, 1, 1)
	kernel := learn.Kernel{Samples: x, K: func(x, y *Node) *Node { // moved to one side
		return Exp(MulScalar(ReduceSum(Square(Sub(AddScalar(x, 0.5), y)), -1), -0.5))
	}}
	for _, k := range []int{1, 2} {
		learned, err := learn.Learn(context.Background(), kernel, k,
			learn.Settings{Steps: 50, Backend: graphtest.PureGo(t)})
		require.NoError(t, err)
		advice := strings.Join(learned.Advice(), "\n")
		assert.Regexp(t, `the kernel of samples \d+ and \d+ is 0\.\d+, but of \d+ and \d+ 0\.\d+: `+
			`T is not self-adjoint, and its symmetric part was learned; give \(k\(x, y\) \+ k\(y, x\)\)/2`, advice)
		assert.NotContains(t, advice, "net.Fourier")
	}
}

// TestNoFeaturesForTables: where functions are a table no network is at fault.
func TestNoFeaturesForTables(t *testing.T) {
	for name, op := range map[string]learn.Operator{
		"matrix": learn.Matrix{A: likeNeighbours(100)}, "graph": learn.Graph{Nodes: 40, Edges: möbius(20)}} {
		learned, err := learn.Learn(context.Background(), op, 1, learn.Settings{Steps: 3, Backend: graphtest.PureGo(t)})
		require.NoError(t, err)
		advice := strings.Join(learned.Advice(), "\n")
		assert.Contains(t, advice, "has a residual", name)
		assert.Contains(t, advice, "the training is not done", name)
		assert.NotContains(t, advice, "net.Fourier", name)
	}
}
