package inspect

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/net"
	"omm-go/ommlx/schrodinger"
)

// TestBounded checks potentials −c/|x − a|^p, smoothed or not, against Hardy's constant (D − 2)²/4.
func TestBounded(t *testing.T) {
	for name, c := range map[string]struct {
		dim                       int
		strength, power, smoothed float64
		shift, offset             float64
		unbounded                 bool
	}{
		"strong inverse square":      {dim: 3, strength: 3, power: 2, unbounded: true},
		"beside the origin":          {dim: 3, strength: 3, power: 2, shift: 0.137, offset: 1e4, unbounded: true},
		"above the constant":         {dim: 3, strength: 0.3, power: 2, shift: 0.05, unbounded: true},
		"below the constant":         {dim: 3, strength: 0.2, power: 2, shift: 0.05},
		"inverse cube":               {dim: 3, strength: 0.01, power: 3, unbounded: true},
		"smoothed":                   {dim: 3, strength: 3, power: 2, smoothed: 0.002},
		"Coulomb":                    {dim: 3, strength: 2, power: 1},
		"strong Coulomb":             {dim: 3, strength: 2_000, power: 1},
		"weak in the plane":          {dim: 2, strength: 0.1, power: 2, shift: -0.21, unbounded: true},
		"hardly falling":             {dim: 2, strength: 0.035, power: 2, shift: -0.21},
		"barely falling":             {dim: 2, strength: 0.065, power: 2, shift: -0.21, unbounded: true},
		"between 1/r and 1/r²":       {dim: 3, strength: 100, power: 1.5},
		"on the line":                {dim: 1, strength: 2, power: 2, shift: 0.3, unbounded: true},
		"five dimensions, weak":      {dim: 5, strength: 2, power: 2, shift: 0.1},
		"five dimensions, strong":    {dim: 5, strength: 3, power: 2, shift: 0.1, unbounded: true},
		"oscillator":                 {dim: 3, strength: -100, power: -2, shift: 0.2},
		"narrow well, large offset":  {dim: 1, strength: 100, power: 2, smoothed: 0.01, offset: 1e6},
		"at the face, where ψ is 0 ": {dim: 1, strength: 2, power: 2, shift: 1},
	} {
		t.Run(name, func(t *testing.T) {
			box := net.Box{}
			for range c.dim {
				box.Lower, box.Upper = append(box.Lower, -1), append(box.Upper, 1)
			}
			s := schrodinger.System{Name: "test", Dim: c.dim, Potential: func(x *Node) *Node {
				squares := ReduceAndKeep(Square(AddScalar(x, -c.shift)), ReduceSum, -1)
				squares = AddScalar(squares, math.Pow(c.smoothed, 2))
				inverse := Pow(squares, Scalar(x.Graph(), x.DType(), -c.power/2))
				return AddScalar(MulScalar(inverse, -c.strength), c.offset)
			}}
			err := Bounded(testkit.PureGo(t), s, box)
			require.Equal(t, c.unbounded, err != nil, "%v", err)
		})
	}
}
