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
	learned, err := learn.Learn(context.Background(), learn.Graph{Nodes: 2 * n, Edges: möbius(n)}, k, learn.Settings{})
	require.NoError(t, err)
	for i := range k {
		assert.InEpsilon(t, truth[2*n-1-i], learned.Values[i], 0.01)
	}
	f, err := learned.At(nil)
	require.NoError(t, err)
	gram, err := spectral.Diagnose(f, f, nil)
	require.NoError(t, err)
	assert.True(t, mat.EqualApprox(gram.Overlap, eye(k), 1e-4))
}

func eye(k int) *mat.DiagDense { return mat.NewDiagDense(k, slices.Repeat([]float64{1}, k)) }
