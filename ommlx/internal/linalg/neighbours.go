package linalg

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/gomlx/gomlx/support/xslices"
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

// Neighbours returns the pairs i < j of rows of points, N×D, of which one is among the nearest count of the other, in
// order. Points at the distance of the last neighbour are all neighbours, since the order of rows must not decide. It
// is an error if these make too many edges.
func Neighbours(points mat.Matrix, count int) ([][2]int, error) {
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

// Components returns the number of connected components of an undirected graph.
func Components(nodes int, edges [][2]int) (count int) {
	parent := xslices.Iota(0, nodes) // a tree for each component
	root := func(s int) int {
		for parent[s] != s {
			parent[s] = parent[parent[s]]
			s = parent[s]
		}
		return s
	}
	count = nodes
	for _, ends := range edges {
		if i, j := root(ends[0]), root(ends[1]); i != j {
			parent[i], count = j, count-1
		}
	}
	return count
}

// MedianDistance returns the median of the positive distances between at most count rows of points, spread evenly; 0
// if all are equal.
func MedianDistance(points mat.Matrix, count int) float64 {
	n, _ := points.Dims()
	rows := make([][]float64, min(n, count))
	var distances []float64
	for i := range rows {
		rows[i] = mat.Row(nil, i*n/len(rows), points)
		for _, y := range rows[:i] {
			if d := floats.Distance(rows[i], y, 2); d > 0 {
				distances = append(distances, d)
			}
		}
	}
	if len(distances) == 0 {
		return 0
	}
	slices.Sort(distances)
	return distances[len(distances)/2]
}

// Monomials evaluates all monomials up to a degree at points, N×D, one per column, the constant first.
func Monomials(points mat.Matrix, degree int) *mat.Dense {
	n, dim := points.Dims()
	all, last := [][]float64{slices.Repeat([]float64{1}, n)}, []int{0} // last: the first variable to multiply by
	from := 0
	for range degree {
		for end := len(all); from < end; from++ {
			for d := last[from]; d < dim; d++ {
				all = append(all, floats.MulTo(make([]float64, n), all[from], mat.Col(nil, d, points)))
				last = append(last, d)
			}
		}
	}
	m := mat.NewDense(n, len(all), nil)
	for j, column := range all {
		m.SetCol(j, column)
	}
	return m
}
