package learn_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/learn"
	"operator-omm/ommlx/spectral"
)

// möbius is the edge list of the Möbius ladder with 2n nodes: a circle of 2n, and n rungs across.
func möbius(n int) (edges [][2]int) {
	for i := range 2 * n {
		edges = append(edges, [2]int{i, (i + 1) % (2 * n)})
	}
	for i := range n {
		edges = append(edges, [2]int{i, i + n})
	}
	return edges
}

// TestMöbiusLadder has pairs of equal eigenvalues: (2cos(πj/n) + (−1)^j)/3, j = 0 … 2n−1.
func TestMöbiusLadder(t *testing.T) {
	const n, k = 20, 6
	var truth []float64
	for j := range 2 * n {
		truth = append(truth, (2*math.Cos(math.Pi*float64(j)/n)+math.Pow(-1, float64(j)))/3)
	}
	floats.ArgsortStable(truth, make([]int, len(truth)))
	walk := learn.Graph{Nodes: 2 * n, Edges: möbius(n)}
	exact, err := walk.Exact(k)
	require.NoError(t, err)
	learned, err := learn.Learn(context.Background(), walk, k, learn.Settings{})
	require.NoError(t, err)
	for i := range k {
		assert.InDelta(t, truth[2*n-1-i], exact.Values[i], 1e-9)
		assert.InEpsilon(t, truth[2*n-1-i], learned.Values[i], 0.01)
	}
	f, err := learned.At(nil)
	require.NoError(t, err)
	gram, err := spectral.Diagnose(f, f, nil)
	require.NoError(t, err)
	assert.True(t, mat.EqualApprox(gram.Overlap, eye(k), 1e-4))
}

func eye(k int) *mat.DiagDense { return mat.NewDiagDense(k, slices.Repeat([]float64{1}, k)) }

// The eigenfunctions of a walk whose nodes have different degrees: PΦ = ΦΛ, and orthonormal for its stationary law.
func TestExactFunctionsOfAWalk(t *testing.T) {
	const nodes, k = 6, 3
	edges := [][2]int{{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 5}, {5, 3}, {0, 4}}
	weights := []float64{1, 2, 1, 3, 1, 1, 2, 1}
	exact, err := learn.Graph{Nodes: nodes, Edges: edges, Weights: weights}.Exact(k)
	require.NoError(t, err)
	a, degree := mat.NewDense(nodes, nodes, nil), make([]float64, nodes)
	for e, ends := range edges {
		for i := range ends {
			from, to := ends[i], ends[1-i]
			a.Set(from, to, a.At(from, to)+weights[e])
			degree[from] += weights[e]
		}
	}
	var walked, moments, weighted mat.Dense
	a.Apply(func(i, _ int, v float64) float64 { return v / degree[i] }, a)
	walked.Mul(a, exact.Vectors)
	for i, value := range exact.Values {
		for s := range nodes {
			assert.InDelta(t, value*exact.Vectors.At(s, i), walked.At(s, i), 1e-9)
		}
	}
	weighted.Apply(func(s, _ int, v float64) float64 { return v * degree[s] / floats.Sum(degree) }, exact.Vectors)
	moments.Mul(exact.Vectors.T(), &weighted)
	assert.True(t, mat.EqualApprox(&moments, eye(k), 1e-9))
	_, err = learn.Graph{Nodes: nodes}.Exact(k)
	assert.ErrorContains(t, err, "no edges")
}
