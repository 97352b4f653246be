// Package nearest joins points to their nearest neighbours.
package nearest

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/vptree"
)

const (
	tie     = 1e-9 // relative difference of distances that are equal up to rounding
	maxTied = 20   // edges, relative to those without equal distances
)

// place is a point and the rows that are there: vptree loses points at distance 0 from each other.
type place struct {
	vptree.Point
	rows []int
}

// Distance is Euclidean.
func (p place) Distance(c vptree.Comparable) float64 { return p.Point.Distance(c.(place).Point) }

// places returns the different rows of a table, divided by the largest number, since squares of distances may
// underflow.
func places(points mat.Matrix) (all []vptree.Comparable) {
	n, _ := points.Dims()
	largest := cmp.Or(max(mat.Max(points), -mat.Min(points)), 1)
	list := make([]place, n)
	for i := range list {
		list[i] = place{mat.Row(nil, i, points), []int{i}}
		floats.Scale(1/largest, list[i].Point)
	}
	slices.SortStableFunc(list, func(a, b place) int { return slices.Compare(a.Point, b.Point) })
	for i, p := range list {
		if i > 0 && slices.Equal(p.Point, list[i-1].Point) {
			last := all[len(all)-1].(place)
			last.rows = append(last.rows, p.rows...)
			all[len(all)-1] = last
			continue
		}
		all = append(all, p)
	}
	return all
}

// Edges returns the pairs i < j of rows of points, N×D, of which one is among the nearest count of the other, in order.
// Points at the distance of the last neighbour are all neighbours, since the order of rows must not decide. It is an
// error if these make too many edges.
func Edges(points mat.Matrix, count int) ([][2]int, error) {
	n, _ := points.Dims()
	all := places(points)
	tree, err := vptree.New(slices.Clone(all), 8, rand.NewPCG(1, 1))
	if err != nil {
		return nil, err
	}
	joined := map[[2]int]bool{}
	for _, p := range all {
		near := vptree.NewDistKeeper(farthest(tree, p, count+1) * (1 + tie)) // with the point itself
		tree.NearestSet(near, p)
		for _, other := range near.Heap {
			for _, i := range p.(place).rows {
				for _, j := range other.Comparable.(place).rows {
					if i != j {
						joined[[2]int{min(i, j), max(i, j)}] = true
					}
				}
			}
			if len(joined) > maxTied*n*count {
				return nil, fmt.Errorf("more than %d neighbours for each point, since many distances are equal: leave "+
					"out copies of a point, or add Edges with weights", maxTied*count)
			}
		}
	}
	return slices.SortedFunc(maps.Keys(joined), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }), nil
}

// farthest returns the distance within which there are at least count rows, or all of them.
func farthest(tree *vptree.Tree, p vptree.Comparable, count int) (distance float64) {
	nearest := vptree.NewNKeeper(count)
	tree.NearestSet(nearest, p)
	slices.SortFunc(nearest.Heap, func(a, b vptree.ComparableDist) int { return cmp.Compare(a.Dist, b.Dist) })
	for _, c := range nearest.Heap {
		if distance = c.Dist; len(c.Comparable.(place).rows) >= count {
			break
		}
		count -= len(c.Comparable.(place).rows)
	}
	return distance
}
