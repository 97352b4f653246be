package schrodinger

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
)

const (
	steep = 10 // height of a wall, relative to the potential that bounds the region of the states
	thick = 60 // width of the well in decay lengths 1/√V behind the wall: 200 for a wall of 10⁴ around (−1, 1)
	apart = 10 // decay lengths of a barrier that separates wells
)

// noWalls returns an error if the potential jumps to a high wall that extends to a face of the box: a network cannot
// bend as sharply as the states do there.
func (s System) noWalls(b compute.Backend, lines [][]float64, v []float64, minimum, highest float64) error {
	for d := range s.Dim {
		line, at := v[d*linePoints:(d+1)*linePoints], lines[d*linePoints:(d+1)*linePoints]
		first, last := linePoints, 0 // allowed
		for i, v := range line {
			if v-minimum <= forbidden*highest {
				first, last = min(first, i), max(last, i)
			}
		}
		high := func(i int) bool {
			height := line[i] - minimum
			return height > steep*forbidden*highest && math.Sqrt(height)*(at[last][d]-at[first][d]) > thick
		}
		for _, ends := range [][2]int{{first, first - 1}, {last, last + 1}} {
			inside, outside := ends[0], ends[1]
			if outside < 0 || outside >= linePoints || first > last || !high(outside) {
				continue
			}
			x, err := s.jump(b, at[inside], at[outside], d, minimum+forbidden*highest)
			if err != nil {
				return err
			}
			return fmt.Errorf("schrodinger: the potential of the %s jumps to %.3g at x[%d] = %.4g: put the "+
				"face of the Box there, where ψ is 0, or make the wall lower or smooth", s.Name, line[outside], d, x)
		}
	}
	return nil
}

// jump finds where the potential exceeds a height between two points that differ in coordinate d.
func (s System) jump(b compute.Backend, inside, outside []float64, d int, height float64) (float64, error) {
	var between [][]float64
	for i := range linePoints {
		x := slices.Clone(inside)
		x[d] += (outside[d] - inside[d]) * float64(i) / (linePoints - 1)
		between = append(between, x)
	}
	v, err := s.potentialOn(b, between)
	if err != nil {
		return 0, err
	}
	if i := slices.IndexFunc(v, func(v float64) bool { return v > height }); i >= 0 {
		return between[i][d], nil
	}
	return outside[d], nil
}

// wells returns Scales.Wells.
func (s System) wells(lines [][]float64, v []float64, minimum, highest float64) (wells [][]float64) {
	for d := range s.Dim {
		var found [][]float64
		line, at := v[d*linePoints:(d+1)*linePoints], lines[d*linePoints:(d+1)*linePoints]
		spacing := at[1][d] - at[0][d]
		lowest, barrier := -1, 0.0
		for i, v := range line {
			if kinetic := highest - (v - minimum); kinetic < 0 {
				barrier += math.Sqrt(-kinetic) * spacing
				continue
			}
			if lowest < 0 || barrier > apart {
				found, lowest = append(found, at[i]), i
			} else if v < line[lowest] {
				found[len(found)-1], lowest = at[i], i
			}
			barrier = 0
		}
		if len(found) > len(wells) {
			wells = found
		}
	}
	return wells
}
