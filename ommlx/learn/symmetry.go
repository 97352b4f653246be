package learn

import (
	"fmt"
	"math"

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

// skew looks at all entries that are listed; those that are listed twice are summed.
func (s Sparse) skew() (found skew) {
	sums := make(map[[2]int]float64, len(s.Values))
	for e, v := range s.Values {
		sums[[2]int{s.Rows[e], s.Columns[e]}] += v
	}
	for e, i := range s.Rows {
		i, j := min(i, s.Columns[e]), max(i, s.Columns[e])
		found.take(i, j, sums[[2]int{i, j}], sums[[2]int{j, i}])
	}
	return found
}
