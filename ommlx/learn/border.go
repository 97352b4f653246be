package learn

import (
	"fmt"
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

// border draws at most n samples in the Box and returns the functions there, [R, n, k'], and 1 near a face and 0
// elsewhere, [R, n, 1].
func (t Task) border(in Inputs, n int) (f, near *graph.Node) {
	x := schrodinger.Lattice{Box: t.Box}.Sample(in.Random, in.Params[0].DType(), min(n, waveEval))
	distance := graph.Abs(t.Box.Unit(jet.Inputs(x)).Value) // from the centre
	largest := graph.ReduceAndKeep(distance, graph.ReduceMax, -1)
	return in.F(x), graph.PositiveIndicator(graph.AddScalar(largest, outermost-1))
}

// shareOf returns the mean square of Ritz functions with these weights, N×1, relative to that without weights.
func shareOf(weights, f, rotation *mat.Dense) (shares []float64) {
	phi := product(f, rotation)
	phi.MulElem(phi, phi)
	_, k := phi.Dims()
	for i := range k {
		squares := mat.Col(nil, i, phi)
		shares = append(shares, stat.Mean(squares, mat.Col(nil, 0, weights))/stat.Mean(squares, nil))
	}
	return shares
}

// boxStates names states that the box confines: their energies are above the potential at the border, or they are large
// there and the first is not.
func (l *Learned) boxStates() string {
	var above, large []int
	for i, share := range l.atBorder {
		if l.Values[i] > l.Task.Border {
			above = append(above, i)
		} else if share > touching && l.atBorder[0] <= bound {
			large = append(large, i)
		}
	}
	var all []string
	if above != nil {
		all = append(all, fmt.Sprintf("%s above the lowest potential at the border of the box, %.4g, so the box "+
			"confines the state, not the potential: if the box is not part of the problem, use a wider one",
			are("value", above), l.Task.Border+0))
	}
	if large != nil {
		all = append(all, fmt.Sprintf("%s large at the border of the box, which may change the value: widen the box "+
			"and check that it stays", are("function", large)))
	}
	return strings.Join(all, "; ")
}
