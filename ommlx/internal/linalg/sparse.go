package linalg

import (
	"math"
	"slices"

	"github.com/gomlx/gomlx/support/xslices"
)

// Sparse is an N×N matrix given by its nonzero entries. Entries listed twice are added.
type Sparse struct {
	N             int
	Rows, Columns []int // of the entries, in [0, N)
	Values        []float64
}

// Add adds an entry.
func (s *Sparse) Add(i, j int, v float64) {
	s.Rows, s.Columns, s.Values = append(s.Rows, i), append(s.Columns, j), append(s.Values, v)
}

// Apply multiplies the matrix by src.
func (s Sparse) Apply(dst, src []float64) {
	clear(dst)
	for e, v := range s.Values {
		dst[s.Rows[e]] += v * src[s.Columns[e]]
	}
}

// Mirrored visits each pair of indices i ≤ j that occurs, with the sums of the entries at (i, j) and at (j, i).
func (s Sparse) Mirrored(visit func(i, j int, above, below float64)) {
	ends := func(e int) [2]int {
		return [2]int{min(s.Rows[e], s.Columns[e]), max(s.Rows[e], s.Columns[e])}
	}
	order := xslices.Iota(0, len(s.Values)) // a map would take several times the memory of the entries
	slices.SortFunc(order, func(a, b int) int {
		x, y := ends(a), ends(b)
		return slices.Compare(x[:], y[:])
	})
	for next := 0; next < len(order); {
		pair, above, below := ends(order[next]), 0.0, 0.0
		for ; next < len(order) && ends(order[next]) == pair; next++ {
			if e := order[next]; s.Rows[e] == pair[0] {
				above += s.Values[e]
			} else {
				below += s.Values[e]
			}
		}
		if pair[0] == pair[1] {
			below = above
		}
		visit(pair[0], pair[1], above, below)
	}
}

// Mirrored is [Sparse.Mirrored] of a dense matrix, n×n.
func Mirrored(n int, at func(i, j int) float64) func(visit func(i, j int, above, below float64)) {
	return func(visit func(i, j int, above, below float64)) {
		for j := range n {
			for i := range j + 1 {
				visit(i, j, at(i, j), at(j, i))
			}
		}
	}
}

// Asymmetry returns the entries (i, j) and (j, i) that differ most, unless all differences are within a tolerance,
// relative to the largest entry. mirrored visits pairs of entries as [Sparse.Mirrored] does.
func Asymmetry(mirrored func(visit func(i, j int, above, below float64)), tolerance float64) (i, j int, above,
	below float64, found bool) {
	var largest float64
	mirrored(func(row, column int, upper, lower float64) {
		if math.Abs(upper-lower) > math.Abs(above-below) {
			i, j, above, below = row, column, upper, lower
		}
		largest = max(largest, math.Abs(upper), math.Abs(lower))
	})
	return i, j, above, below, math.Abs(above-below) > tolerance*largest
}
