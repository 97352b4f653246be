package inspect

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/net"
	"omm-go/ommlx/schrodinger"
)

// For V = (x − 1)² + 4y² + 7 the energies are exact up to the spacing of the points, and the region
// is only a little larger than the states, in a box that is far too wide.
func TestScalesOfASum(t *testing.T) {
	b := testkit.PureGo(t)
	system := schrodinger.System{Name: "sum", Dim: 2, Potential: func(x *Node) *Node {
		column := func(d int) *Node { return Slice(x, AxisRange().Spacer(), AxisElem(d)) }
		return AddScalar(Add(Square(AddScalar(column(0), -1)), MulScalar(Square(column(1)), 4)), 7)
	}}
	scales := testkit.Must(Estimate(b, system, net.Box{Lower: []float64{-30, -20}, Upper: []float64{30, 40}}, 4))
	assert.InDelta(t, 7, scales.Minimum, 1)
	for i, exact := range []float64{10, 12, 14, 14} {
		assert.InDelta(t, exact, scales.Energies[i], 0.8)
	}
	for d, reach := range []float64{math.Sqrt(4 * 7), math.Sqrt(7)} { // where V is 4 times the highest energy
		centre, margin := []float64{1, 0}[d], 4/math.Sqrt(3*7)
		for _, edge := range []float64{scales.Region.Upper[d] - centre, centre - scales.Region.Lower[d]} {
			assert.Greater(t, edge, reach+margin)
			assert.Less(t, edge, reach+margin+0.25, "one more point of the lattice")
		}
	}
}

// in returns an operator and a box of dimension dim from −a to a.
func in(dim int, a float64, v func(x *Node) *Node) (s schrodinger.System, box net.Box) {
	for range dim {
		box.Lower, box.Upper = append(box.Lower, -a), append(box.Upper, a)
	}
	return schrodinger.System{Name: "test", Dim: dim, Potential: v}, box
}

// TestWalls: a potential that jumps is refused if it is high against the energies and if the decay length behind it is
// small against the well, on a line and around a disc.
func TestWalls(t *testing.T) {
	for _, c := range []struct {
		dim, k int
		height float64
		wall   bool
	}{{1, 1, 700, false}, {1, 1, 1_100, true}, {1, 10, 7_000, false}, {1, 10, 12_000, true}, {2, 2, 1e4, true}} {
		s, box := in(c.dim, 5, func(x *Node) *Node {
			square := ReduceAndKeep(Square(x), ReduceSum, -1)
			inside := LessThan(square, OnesLike(square))
			return Where(inside, ZerosLike(square), MulScalar(OnesLike(square), c.height))
		})
		_, err := Estimate(testkit.PureGo(t), s, box, c.k)
		assert.Equal(t, c.wall, err != nil, "%d dimensions, height %g: %v", c.dim, c.height, err)
	}
}

// TestWells: the barrier between the oscillators at ±a has a√(a² − 1) − arcosh a decay lengths, 9.2 and 11.2.
func TestWells(t *testing.T) {
	for a, apart := range map[float64]bool{3.4: false, 3.7: true} {
		s, box := in(1, 10, func(x *Node) *Node { return Square(AddScalar(Abs(x), -a)) })
		scales := testkit.Must(Estimate(testkit.PureGo(t), s, box, 2))
		assert.Equal(t, apart, scales.Wells != nil, "at ±%g", a)
	}
}
