package inspect

import (
	"math"
	"slices"
)

const (
	minSteep = 10 // height of a wall, relative to the potential that bounds the region of the states
	minThick = 60 // width of the well in decay lengths 1/√V behind the wall: 200 for a wall of 10⁴ around (−1, 1)
	minApart = 10 // decay lengths of a barrier that separates wells
)

// wall returns the point of a line at which the potential jumps to a high wall that extends to a face of the box: a
// network cannot bend as sharply as the states do there.
func wall(line []float64, spacing, minimum, highest float64) (at int, found bool) {
	allowed := func(v float64) bool { return v-minimum <= forbidden*highest }
	first := slices.IndexFunc(line, allowed)
	last := len(line) - 1
	for last > first && !allowed(line[last]) {
		last--
	}
	for _, outside := range []int{first - 1, last + 1} {
		if first < 0 || outside < 0 || outside >= len(line) {
			continue
		}
		height := line[outside] - minimum
		if height > minSteep*forbidden*highest && math.Sqrt(height)*float64(last-first)*spacing > minThick {
			return outside, true
		}
	}
	return 0, false
}

// wells returns the lowest points of a line on both sides of a barrier that suppresses tunnelling.
func wells(line []float64, spacing, minimum, highest float64) (first, second int, found bool) {
	lowest, barrier := -1, 0.0
	for i, v := range line {
		kinetic := highest - (v - minimum)
		if kinetic < 0 {
			barrier += math.Sqrt(-kinetic) * spacing
			continue
		}
		if lowest >= 0 && barrier > minApart {
			return lowest, i, true
		}
		if lowest < 0 || v < line[lowest] {
			lowest = i
		}
		barrier = 0
	}
	return 0, 0, false
}
