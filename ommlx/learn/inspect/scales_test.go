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
	for d, width := range []float64{math.Sqrt(7), math.Sqrt(7) / 2} { // where a particle of the highest energy turns
		centre := []float64{1, 0}[d]
		low, high := scales.Region.Lower[d]-centre, scales.Region.Upper[d]-centre
		assert.Less(t, low, -1.5*width)
		assert.Greater(t, high, 1.5*width)
		assert.Less(t, high-low, 10*width)
	}
}
