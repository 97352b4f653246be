package learn_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/learn"
	"omm-go/ommlx/spectral"
	"omm-go/ommlx/train"
)

// pureGo selects the engine without compilation, for short trainings.
func pureGo(t testing.TB) train.Options { return train.Options{Backend: testkit.PureGo(t)} }

// mustLearn is [learn.Learn] for trainings that must succeed.
func mustLearn(t *testing.T, op learn.Operator, k int, s learn.Settings) *learn.Learned {
	t.Helper()
	return testkit.Must(learn.Learn(t.Context(), op, k, s))
}

// advised learns k functions and returns them with the advice as one text.
func advised(t *testing.T, op learn.Operator, k int, s learn.Settings) (*learn.Learned, string) {
	t.Helper()
	learned := mustLearn(t, op, k, s)
	return learned, fmt.Sprint(learned.Advice())
}

// symmetric returns the matrix with the entries f(i, j), j ≤ i.
func symmetric(n int, f func(i, j int) float64) *mat.SymDense {
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			a.SetSym(i, j, f(i, j))
		}
	}
	return a
}

// decaying returns A_ij = 3·0.9^|i−j|.
func decaying(n int) *mat.SymDense {
	return symmetric(n, func(i, j int) float64 { return 3 * math.Pow(0.9, float64(i-j)) })
}

func TestMatrixIsSolvedByTheDefaults(t *testing.T) {
	const k = 5
	a := decaying(200)
	truth := testkit.Must(spectral.SymEigen(a))
	learned := mustLearn(t, learn.Matrix{A: a}, k, learn.Settings{})
	for i := range k {
		assert.Less(t, math.Abs(learned.Values[i]/truth.Values[i]-1), 1e-4)
		assert.Less(t, learned.Residuals[i], 1e-2*truth.Values[0])
	}
	v := testkit.Must(learned.At(nil))
	for i := range k {
		assert.Less(t, sine(truth.Vectors.ColView(i), v.ColView(i)), 0.014)
		assert.InDelta(t, 1, mat.Norm(v.ColView(i), 2), 1e-3)
	}
	assert.Empty(t, learned.Advice())
}

// walkValues returns the k largest eigenvalues of a walk by a solver.
func walkValues(g learn.Graph, k int) []float64 {
	return testkit.SparseValues(testkit.Must(g.Define(nil, k)).Data)[:k]
}

func eye(k int) *mat.DiagDense { return mat.NewDiagDense(k, slices.Repeat([]float64{1}, k)) }

// TestFunctionsOfAWalk on nodes of different degrees: PΦ = ΦΛ, and Φ is orthonormal for the stationary law.
func TestFunctionsOfAWalk(t *testing.T) {
	const nodes, k = 6, 3
	edges := [][2]int{{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 5}, {5, 3}, {0, 4}}
	weights := []float64{1, 2, 1, 3, 1, 1, 2, 1}
	learned := mustLearn(t, learn.Graph{Nodes: nodes, Edges: edges, Weights: weights}, k, learn.Settings{})
	phi := testkit.Must(learned.At(nil))
	a, degree := mat.NewDense(nodes, nodes, nil), make([]float64, nodes)
	for e, ends := range edges {
		for i := range ends {
			from, to := ends[i], ends[1-i]
			a.Set(from, to, a.At(from, to)+weights[e])
			degree[from] += weights[e]
		}
	}
	var walked, scaled, moments mat.Dense
	a.Apply(func(i, _ int, v float64) float64 { return v / degree[i] }, a)
	walked.Mul(a, phi)
	scaled.Mul(phi, mat.NewDiagDense(k, learned.Values))
	assert.True(t, mat.EqualApprox(&walked, &scaled, 1e-4))
	floats.Scale(1/floats.Sum(degree), degree)
	moments.Product(phi.T(), mat.NewDiagDense(nodes, degree), phi)
	assert.True(t, mat.EqualApprox(&moments, eye(k), 1e-4))
}

// listed returns a matrix as a list of its nonzero entries.
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

// TestNotSymmetric: the symmetric part is learned and the advice names the entry, even for one function, when M[f,Tf]
// cannot show it.
func TestNotSymmetric(t *testing.T) {
	a := mat.DenseCopyOf(decaying(10))
	for i := range 9 {
		a.Set(i, i+1, a.At(i, i+1)+2)
	}
	a.Set(4, 5, a.At(4, 5)+1)
	truth := testkit.Must(spectral.SymEigen(spectral.SymmetricPart(a)))
	for _, k := range []int{1, 3} {
		for name, op := range map[string]learn.Operator{"matrix": learn.Matrix{A: a}, "sparse matrix": listed(a)} {
			learned := mustLearn(t, op, k, learn.Settings{Options: pureGo(t)})
			assert.InDeltaSlice(t, truth.Values[:k], learned.Values, 0.01)
			require.Len(t, learned.Advice(), 1, name)
			assert.Contains(t, learned.Advice()[0], "entry (4, 5)")
		}
	}
}

func TestAsymmetricKernelGivesAdvice(t *testing.T) {
	x := normal(200, 1, 1)
	kernel := learn.Kernel{Samples: x, K: func(x, y *Node) *Node { // shifted
		return Exp(MulScalar(ReduceSum(Square(Sub(AddScalar(x, 0.5), y)), -1), -0.5))
	}}
	for _, k := range []int{1, 2} {
		_, advice := advised(t, kernel, k, learn.Settings{Steps: 50, Options: pureGo(t)})
		assert.Contains(t, advice, "self-adjoint")
		assert.NotContains(t, advice, "net.Fourier")
	}
}
