package learn

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/vptree"
)

const defaultNeighbours = 10 // if Graph.Neighbours is 0

// place is a row of a table of points.
type place struct {
	vptree.Point
	row int
}

// Distance is Euclidean.
func (p place) Distance(c vptree.Comparable) float64 { return p.Point.Distance(c.(place).Point) }

// ofPoints returns the graph with the edges of Points, if they are set: x and y are neighbours if one is among the
// nearest of the other.
func (g Graph) ofPoints() (Graph, error) {
	if g.Points == nil {
		if g.Neighbours != 0 {
			return g, fmt.Errorf("graph: Neighbours is %d without Points", g.Neighbours)
		}
		return g, nil
	}
	if err := check("graph: Points", g.Points, nil); err != nil {
		return g, err
	}
	n, _ := g.Points.Dims()
	count := cmp.Or(g.Neighbours, min(defaultNeighbours, n-1))
	switch {
	case g.Edges != nil || g.Weights != nil || g.Nodes != 0 && g.Nodes != n:
		return g, fmt.Errorf("graph: set either Points or Nodes (%d), Edges (%d) and Weights (%d)", g.Nodes,
			len(g.Edges), len(g.Weights))
	case n < 2:
		return g, errors.New("graph: Points has 1 row, want at least 2")
	case count < 1 || count >= n:
		return g, fmt.Errorf("graph: Neighbours is %d, want 1 to %d for %d points", count, n-1, n)
	}
	places := make([]vptree.Comparable, n)
	for i := range places {
		places[i] = place{mat.Row(nil, i, g.Points), i}
	}
	tree, err := vptree.New(slices.Clone(places), 8, rand.NewPCG(1, 1))
	if err != nil {
		return g, fmt.Errorf("graph: Points: %w", err)
	}
	joined := map[[2]int]bool{}
	for i, p := range places {
		nearest := vptree.NewNKeeper(count + 1) // with the point itself
		tree.NearestSet(nearest, p)
		slices.SortFunc(nearest.Heap, func(a, b vptree.ComparableDist) int {
			return cmp.Or(cmp.Compare(a.Dist, b.Dist), cmp.Compare(a.Comparable.(place).row, b.Comparable.(place).row))
		})
		others := slices.DeleteFunc(nearest.Heap, func(c vptree.ComparableDist) bool {
			return c.Comparable.(place).row == i
		})
		for _, other := range others[:min(count, len(others))] { // fewer among equal points
			j := other.Comparable.(place).row
			if edge := [2]int{min(i, j), max(i, j)}; !joined[edge] {
				joined[edge], g.Edges = true, append(g.Edges, edge)
			}
		}
	}
	g.Nodes = n
	return g, nil
}
