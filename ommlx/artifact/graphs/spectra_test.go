package graphs

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/spectral"
)

// dense returns a matrix, column by column, from its products with unit vectors.
func dense(m Normalised) *mat.Dense {
	apply := func(dst, src []float64) { Multiply(m, dst, src, 1) }
	return linalg.Images(apply, linalg.IdentityMatrix(m.Nodes()))
}

// knownGraph is a graph with the eigenvalues of its symmetric normalisation, in any order.
type knownGraph struct {
	nodes  int
	values []float64
	ends   []uint32 // of the edges
}

func (g *knownGraph) join(u, v int) { g.ends = append(g.ends, uint32(u), uint32(v)) }

// circulant joins node i with i + s for every step s on a circle; its eigenvectors are waves.
func circulant(n int, steps ...int) knownGraph {
	g := knownGraph{nodes: n}
	for i := range n {
		for _, s := range steps {
			g.join(i, (i+s)%n)
		}
	}
	for j := range n {
		sum, degree := 0.0, 0.0
		for d := 1; d < n; d++ {
			if slices.Contains(steps, d) || slices.Contains(steps, n-d) {
				sum, degree = sum+math.Cos(2*math.Pi*float64(j*d)/float64(n)), degree+1
			}
		}
		g.values = append(g.values, sum/degree)
	}
	return g
}

func knownGraphs() map[string]knownGraph {
	path := knownGraph{nodes: 9}
	bipartite := knownGraph{nodes: 8, values: []float64{1, -1, 0, 0, 0, 0, 0, 0}}
	for i := range 8 {
		path.join(i, i+1)
	}
	for j := range 9 {
		path.values = append(path.values, math.Cos(math.Pi*float64(j)/8))
	}
	for i := range 3 {
		for j := range 4 {
			bipartite.join(i, 3+j)
		}
	}
	return map[string]knownGraph{"complete": circulant(8, 1, 2, 3, 4), "Möbius ladder": circulant(14, 1, 7),
		"path": path, "complete bipartite, and a node alone": bipartite}
}

func TestKnownSpectra(t *testing.T) {
	for name, g := range knownGraphs() {
		t.Run(name, func(t *testing.T) {
			a, want := FromEdges(g.nodes, g.ends), g.values
			slices.Sort(want)
			m, n := dense(a.Symmetric()), a.Nodes()
			require.True(t, mat.EqualApprox(m, m.T(), 1e-15))
			found := testkit.Must(spectral.SymEigen(spectral.SymmetricPart(m))).Values
			slices.Reverse(found)
			require.InDeltaSlice(t, want, found, 1e-13)

			// The walk has the same eigenvalues, and rows that sum up to 1.
			walk := dense(a.Walk())
			for i := range n {
				sum := mat.Sum(walk.RowView(i))
				require.InDelta(t, min(1, float64(a.Degree(i))), sum, 1e-14)
			}
			var other mat.Eigen
			require.True(t, other.Factorize(walk, mat.EigenNone))
			var values []float64
			for _, z := range other.Values(nil) {
				require.InDelta(t, 0, imag(z), 1e-6)
				values = append(values, real(z))
			}
			slices.Sort(values)
			require.InDeltaSlice(t, want, values, 1e-6)
		})
	}
}

func TestFromEdgesOmitsLoopsAndRepeatedEdges(t *testing.T) {
	a := FromEdges(4, []uint32{0, 1, 1, 1, 1, 0, 3, 0, 0, 1})
	require.Equal(t, Adjacency{[]uint64{0, 2, 3, 3, 4}, []uint32{1, 3, 0, 0}}, a)
	require.Equal(t, [3]int{4, 2, 0}, [3]int{a.Nodes(), a.Edges(), a.Degree(2)})
	require.Panics(t, func() { FromEdges(4, []uint32{0, 4}) })
}
