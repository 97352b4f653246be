package learn

import (
	"fmt"
	"math"
)

// rounded is how far entries (i, j) and (j, i) may differ, relative to the largest of all: what float32 rounds in a sum
// of thousands of terms, and no digit that is learned.
const rounded = 1e-4

const symmetrise = "give (A + Aᵀ)/2, or a Graph for a random walk"

// notSymmetric says which of two entries (i, j) and (j, i) differ most, "symptom: cause; remedy"; it is empty where the
// matrix is symmetric. The format of the symptom gets i, j, entry (i, j), j, i, entry (j, i).
func notSymmetric(entry func(i, j int) float64, everywhere func(look func(i, j int)), symptom, remedy string) string {
	var row, column int
	var apart, largest float64
	everywhere(func(i, j int) {
		above, below := entry(i, j), entry(j, i)
		if math.Abs(above-below) > apart {
			row, column, apart = i, j, math.Abs(above-below)
		}
		largest = max(largest, math.Abs(above), math.Abs(below))
	})
	if apart <= rounded*largest {
		return ""
	}
	return fmt.Sprintf(symptom, row, column, entry(row, column), column, row, entry(column, row)) +
		": T is not self-adjoint, and its symmetric part was learned; " + remedy
}

// above looks at all places of an n×n matrix on its diagonal and above.
func above(n int) func(look func(i, j int)) {
	return func(look func(i, j int)) {
		for j := range n {
			for i := range j + 1 {
				look(i, j)
			}
		}
	}
}
