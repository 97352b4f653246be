package learn

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// rounded is how far entries (i, j) and (j, i) may differ, relative to the largest of all: what float32 rounds in a sum
// of thousands of terms, and no digit that is learned.
const rounded = 1e-4

// skew is where a matrix is least symmetric.
type skew struct {
	i, j         int
	above, below float64 // entries (i, j) and (j, i)
	largest      float64 // of all entries
}

func (s *skew) take(i, j int, above, below float64) {
	if math.Abs(above-below) > math.Abs(s.above-s.below) {
		s.i, s.j, s.above, s.below = i, j, above, below
	}
	s.largest = max(s.largest, math.Abs(above), math.Abs(below))
}

// says returns what is wrong, "symptom: cause; remedy"; format is that of the symptom, with i, j, (i, j), j, i, (j, i).
// It is empty where the matrix is symmetric.
func (s *skew) says(symptom, remedy string) string {
	if math.Abs(s.above-s.below) <= rounded*s.largest {
		return ""
	}
	return fmt.Sprintf(symptom, s.i, s.j, s.above, s.j, s.i, s.below) +
		": T is not self-adjoint, and its symmetric part was learned; " + remedy
}

const symmetrise = "give (A + Aᵀ)/2, or a Graph for a random walk"

// skewOf looks at all entries of a square matrix.
func skewOf(a mat.Matrix) (s skew) {
	n, _ := a.Dims()
	for i := range n {
		for j := range i + 1 {
			s.take(j, i, a.At(j, i), a.At(i, j))
		}
	}
	return s
}

// skew looks at all entries that are listed.
func (s Sparse) skew() (found skew) {
	first := func(e int) int { return min(s.Rows[e], s.Columns[e]) }
	last := func(e int) int { return max(s.Rows[e], s.Columns[e]) }
	order := make([]int, len(s.Values))
	for e := range order {
		order[e] = e
	}
	// Entries at (i, j) and at (j, i) follow each other, however often they are listed.
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(first(a), first(b)), cmp.Compare(last(a), last(b)))
	})
	for at := 0; at < len(order); {
		i, j, above, below := first(order[at]), last(order[at]), 0.0, 0.0
		for ; at < len(order) && first(order[at]) == i && last(order[at]) == j; at++ {
			e := order[at]
			if s.Rows[e] == i {
				above += s.Values[e]
			}
			if s.Rows[e] == j {
				below += s.Values[e]
			}
		}
		found.take(i, j, above, below)
	}
	return found
}
