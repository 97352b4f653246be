package sparse

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// graphOf builds a graph from its edges.
func graphOf(t *testing.T, nodes int, edges func(join func(u, v int))) Adjacency {
	t.Helper()
	b := NewBuilder(nodes)
	edges(func(u, v int) { b.Add([]uint32{uint32(u), uint32(v)}) })
	a, _ := b.Build()
	return a
}

// dense is a matrix, column by column, from its products with unit vectors.
func dense(m Matrix) *mat.Dense {
	n := m.Nodes()
	x, unit, column := mat.NewDense(n, n, nil), make([]float64, n), make([]float64, n)
	for j := range n {
		clear(unit)
		unit[j] = 1
		Multiply(m, column, unit, 1)
		x.SetCol(j, column)
	}
	return x
}

// known are graphs with the eigenvalues of their symmetric normalisation, in any order.
var known = map[string]struct {
	nodes  int
	edges  func(join func(u, v int))
	values func() []float64
}{
	"path": {9, func(join func(u, v int)) {
		for i := range 8 {
			join(i, i+1)
		}
	}, func() (all []float64) {
		for j := range 9 {
			all = append(all, math.Cos(math.Pi*float64(j)/8))
		}
		return all
	}},
	"grid on a torus": {35, func(join func(u, v int)) {
		for i := range 5 {
			for j := range 7 {
				join(7*i+j, 7*((i+1)%5)+j)
				join(7*i+j, 7*i+(j+1)%7)
			}
		}
	}, func() (all []float64) {
		for i := range 5 {
			for j := range 7 {
				all = append(all, (math.Cos(2*math.Pi*float64(i)/5)+math.Cos(2*math.Pi*float64(j)/7))/2)
			}
		}
		return all
	}},
	"complete": {8, func(join func(u, v int)) {
		for i := range 8 {
			for j := range i {
				join(i, j)
			}
		}
	}, func() []float64 { return append(slices.Repeat([]float64{-1. / 7}, 7), 1) }},
	"complete bipartite, and a node alone": {8, func(join func(u, v int)) {
		for i := range 3 {
			for j := range 4 {
				join(i, 3+j)
			}
		}
	}, func() []float64 { return []float64{1, -1, 0, 0, 0, 0, 0, 0} }},
}

func TestKnownSpectra(t *testing.T) {
	for name, g := range known {
		t.Run(name, func(t *testing.T) {
			a, want := graphOf(t, g.nodes, g.edges), g.values()
			slices.Sort(want)
			m, n := dense(a.Symmetric()), a.Nodes()
			symmetric := mat.NewSymDense(n, nil)
			for i := range n {
				for j := range n {
					require.InDelta(t, m.At(i, j), m.At(j, i), 1e-15)
					symmetric.SetSym(i, j, m.At(i, j))
				}
			}
			var eigen mat.EigenSym
			require.True(t, eigen.Factorize(symmetric, false))
			require.InDeltaSlice(t, want, eigen.Values(nil), 1e-13)

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

func TestABuilderLeavesLoopsAndRepeatedEdgesOut(t *testing.T) {
	b := NewBuilder(4)
	b.Add([]uint32{0, 1, 1, 1, 1, 0})
	b.Add([]uint32{3, 0, 0, 1})
	require.Equal(t, int64(1), b.Loops)
	a, repeated := b.Build()
	require.Equal(t, Adjacency{[]uint64{0, 2, 3, 3, 4}, []uint32{1, 3, 0, 0}}, a)
	require.Equal(t, int64(2), repeated)
	require.Equal(t, [3]int{4, 2, 0}, [3]int{a.Nodes(), a.Edges(), a.Degree(2)})
	require.PanicsWithError(t, "sparse.Builder: an edge goes to node 4, but there are 4 nodes",
		func() { b.Add([]uint32{0, 4}) })
	three := []uint32{0, 1, 2}
	require.PanicsWithError(t, "sparse.Builder: 3 ends of edges are given; each edge has two", func() { b.Add(three) })
}
