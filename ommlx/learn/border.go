package learn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/jet"
	"omm-go/ommlx/schrodinger"
)

const (
	outermost       = 0.1        // the fraction of a box's width, on both sides together, that counts as its border
	bound, touching = 1e-3, 1e-2 // mean square at the border, relative to the box: of bound states, of the box's own
)

// border draws at most n samples in the Box and returns the functions there, [R, n, k'], and a number that is positive
// near a face, [R, n, 1].
func (t Task) border(in Inputs, n int) (f, at *graph.Node) {
	x := schrodinger.Lattice{Box: t.Box}.Sample(in.Random, in.Params[0].DType(), min(n, waveEval))
	distance := graph.Abs(t.Box.Unit(jet.Inputs(x)).Value) // from the centre
	return in.F(x), graph.AddScalar(graph.ReduceAndKeep(distance, graph.ReduceMax, -1), outermost-1)
}

// shareOf returns the mean square of Ritz functions where inside, N×1, is positive, relative to the total mean square.
func shareOf(inside, f, rotation *mat.Dense) []float64 {
	phi := product(f, rotation)
	points, k := phi.Dims()
	shares := make([]float64, k)
	there := make([]float64, points) // weights, 1 inside
	for p := range there {
		if inside.At(p, 0) > 0 {
			there[p] = 1
		}
	}
	phi.MulElem(phi, phi)
	for i := range shares {
		squares := mat.Col(nil, i, phi)
		shares[i] = stat.Mean(squares, there) / stat.Mean(squares, nil)
	}
	return shares
}

// boxStates names states that the box confines: their energies are above the potential at the border, or they are large
// there and the first is not.
func (l *Learned) boxStates() string {
	if len(l.atBorder) == 0 {
		return ""
	}
	above, large := make([]bool, len(l.atBorder)), make([]bool, len(l.atBorder))
	for i, share := range l.atBorder {
		above[i] = l.Values[i] > l.Task.Border
		large[i] = share > touching && l.atBorder[0] <= bound && !above[i]
	}
	var all []string
	if slices.Contains(above, true) {
		all = append(all, fmt.Sprintf("%s above the lowest potential at the border of the box, %.4g, so the box "+
			"confines the state, not the potential: if the box is not part of the problem, use a wider one",
			are("value", above), l.Task.Border+0))
	}
	if slices.Contains(large, true) {
		all = append(all, fmt.Sprintf("%s large at the border of the box, which may change the value: widen the box "+
			"and check that it stays", are("function", large)))
	}
	return strings.Join(all, "; ")
}
