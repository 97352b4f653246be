package learn

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
)

// faint is the exponent of a tail that the faces of a box hardly change. A state with the energy E falls as
// e^(−x√(V−E)); if it falls by e^−2.5 between the centre and a face, the box shifts E by about 4 % (square wells).
const faint = 2.5

// boxStates names states that the box confines: their energies are above the potential at the border, or so little
// below it that the states have not decayed between the centre of the box and the faces.
func (l *Learned) boxStates() string {
	box := l.Task.Box
	if box.Lower == nil {
		return ""
	}
	width := floats.Max(floats.SubTo(make([]float64, len(box.Lower)), box.Upper, box.Lower))
	var confined []int
	for i, energy := range l.Values {
		if l.Task.Border-energy < math.Pow(faint/(width/2), 2) {
			confined = append(confined, i)
		}
	}
	if confined == nil {
		return ""
	}
	return fmt.Sprintf("%s above the lowest potential at the border of the box, %.4g, or hardly below it, so the box "+
		"confines the state, not the potential: if the box is not part of the problem, use a wider one",
		are("value", confined), l.Task.Border+0)
}
