package schrodinger_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"omm-go/ommlx/internal/linalg"
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
	scales := testkit.Must(system.Scales(b, net.Box{Lower: []float64{-30, -20}, Upper: []float64{30, 40}}, 4))
	assert.InDelta(t, 7, scales.Minimum, 1)
	assert.InDelta(t, 3, scales.Lowest, 0.8)
	assert.InDelta(t, 7, scales.Highest, 0.8)
	for d, reach := range []float64{math.Sqrt(4 * 7), math.Sqrt(7)} { // where V is 4 times the highest energy
		centre, margin := []float64{1, 0}[d], 4/math.Sqrt(3*7)
		for _, edge := range []float64{scales.Region.Upper[d] - centre, centre - scales.Region.Lower[d]} {
			assert.Greater(t, edge, reach+margin)
			assert.Less(t, edge, reach+margin+0.25, "one more point of the lattice")
		}
	}
}

// in returns an operator and a box of dimension dim from −a to a.
func in(dim int, a float64, v func(x *Node) *Node) (schrodinger.System, net.Box) {
	box := net.Box{Lower: slices.Repeat([]float64{-a}, dim), Upper: slices.Repeat([]float64{a}, dim)}
	return schrodinger.System{Name: "test", Dim: dim, Potential: v}, box
}

// disc is a potential that has one value for |x| < 1 and another outside.
func disc(inside, outside float64) func(x *Node) *Node {
	return func(x *Node) *Node {
		square := ReduceAndKeep(Square(x), ReduceSum, -1)
		one := OnesLike(square)
		return Where(LessThan(square, one), MulScalar(one, inside), MulScalar(one, outside))
	}
}

// TestWalls: a potential that jumps is refused if it is high against the energies and if the decay length inside it is
// small against the well, on a line and around a disc.
func TestWalls(t *testing.T) {
	for _, c := range []struct {
		dim, k int
		height float64
		wall   bool
	}{{1, 1, 700, false}, {1, 1, 1_100, true}, {1, 10, 7e4, false}, {1, 10, 1.1e5, true}, {2, 2, 1e4, true}} {
		s, box := in(c.dim, 5, disc(0, c.height))
		_, err := s.Scales(testkit.PureGo(t), box, c.k)
		assert.Equal(t, c.wall, err != nil, "%d dimensions, height %g: %v", c.dim, c.height, err)
	}
}

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
		"smoothed within r/2":        {dim: 3, strength: 30, power: 2, smoothed: 0.95e-4, unbounded: true}, // r = 2e-4
		"smoothed within more":       {dim: 3, strength: 30, power: 2, smoothed: 1.15e-4},
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
			s, box := in(c.dim, 1, func(x *Node) *Node {
				squares := ReduceAndKeep(Square(AddScalar(x, -c.shift)), ReduceSum, -1)
				squares = AddScalar(squares, math.Pow(c.smoothed, 2))
				inverse := Pow(squares, Scalar(x.Graph(), x.DType(), -c.power/2))
				return AddScalar(MulScalar(inverse, -c.strength), c.offset)
			})
			err := s.Bounded(testkit.PureGo(t), box)
			require.Equal(t, c.unbounded, err != nil, "%v", err)
		})
	}
}

// TestNarrowWells: four times the energy of a state may be more than the depth of a well. The region is then narrow all
// the same, if the state decays in a small part of the box. The sixth state of −600 exp(−x²) falls by e⁻⁷ from its
// turning point to x = 1.2, and the second of −5 on (−1, 1) needs most of the box.
func TestNarrowWells(t *testing.T) {
	gaussian := func(x *Node) *Node { return MulScalar(Exp(Neg(ReduceAndKeep(Square(x), ReduceSum, -1))), -600) }
	for _, c := range []struct {
		dim, k      int
		a           float64 // of the box
		v           func(x *Node) *Node
		least, most float64
	}{{1, 6, 10, gaussian, 1.2, 1.6}, {2, 6, 10, gaussian, 1.2, 1.8}, {1, 2, 10, disc(-5, 0), 5, 10}} {
		s, box := in(c.dim, c.a, c.v)
		region := testkit.Must(s.Scales(testkit.PureGo(t), box, c.k)).Region
		for d, upper := range region.Upper {
			assert.Greater(t, min(upper, -region.Lower[d]), c.least)
			assert.LessOrEqual(t, max(upper, -region.Lower[d]), c.most)
		}
	}
}

// TestWallsInsteadOfSteps: a face of the box at the wall raises the energies of V = 1000 for |x| > 1 by 6.4 % (roots of
// q tan q = √(V − q²)), as the error states, and finite differences do not shift them.
func TestWallsInsteadOfSteps(t *testing.T) {
	const exact = 2.318396
	s, box := in(1, 5, disc(0, 1000))
	_, err := s.Scales(testkit.PureGo(t), box, 1)
	assert.ErrorContains(t, err, "raises the energies by up to about 6.")
	assert.InDelta(t, 0.063, math.Pi*math.Pi/4/exact-1, 0.002)
	assert.ErrorContains(t, err, "System.Differences")
	differences := testkit.Must(s.Differences(testkit.PureGo(t), box, 4000, 1))
	assert.InEpsilon(t, exact, differences.Values[0], 2e-3)
}

// TestRegionsOfRandomWells: of 100 random wells in a box, wide and narrow, at most one has energies that its region
// raises by more than 1e-3, is refused, or is taken for a potential that falls towards the faces.
func TestRegionsOfRandomWells(t *testing.T) {
	const k, points, a = 3, 200, 10.0
	random := rand.New(rand.NewPCG(7, 1))
	wrong, narrow := 0, 0
	for range 100 {
		depth, width, at, slope := math.Exp(2+4*random.Float64()), 0.7+2*random.Float64(), 4*random.Float64()-2,
			0.05*random.Float64()
		well := func(x float64) float64 { return slope*x*x - depth*math.Exp(-math.Pow((x-at)/width, 2)) }
		s, box := in(1, a, nil)
		s.PotentialAt = func(x []float64) float64 { return well(x[0]) }
		scales, err := s.Scales(testkit.PureGo(t), box, k)
		if err != nil || scales.Fall > 0 {
			wrong++
			continue
		}
		energies := func(region net.Box) []float64 {
			h, inside := 2*a/(points+1), []float64(nil)
			for i := range points {
				if x := -a + h*float64(i+1); x > region.Lower[0] && x < region.Upper[0] {
					inside = append(inside, well(x))
				}
			}
			floats.AddConst(2/(h*h), inside)
			values, ok := linalg.Tridiagonal(inside, slices.Repeat([]float64{-1 / (h * h)}, len(inside)-1))
			require.True(t, ok)
			return values
		}
		whole, part := energies(box), energies(scales.Region)
		last := part[k-1] - whole[k-1]
		if last > 1e-3*(whole[k-1]-scales.Minimum) && whole[k-1] < scales.Border {
			wrong++
		}
		if scales.Region.Upper[0]-scales.Region.Lower[0] < a {
			narrow++
		}
	}
	assert.LessOrEqual(t, wrong, 1)
	assert.Greater(t, narrow, 20, "else the test shows little")
}

// TestPotentialIsCompiledOncePerShape: the region shrinks in several rounds, but each number of points has one program.
func TestPotentialIsCompiledOncePerShape(t *testing.T) {
	compiled := 0
	s, box := in(1, 1000, func(x *Node) *Node {
		compiled++
		return Square(x)
	})
	require.NoError(t, s.Bounded(testkit.PureGo(t), box))
	assert.Equal(t, 2, compiled, "a lattice and three distances")
	testkit.Must(s.Scales(testkit.PureGo(t), box, 1))
	assert.Equal(t, 4, compiled, "lattices with faces, and lines")
}

// TestBoundedWithoutValues: a potential that fails on some shapes is left to Scales, which returns the error.
func TestBoundedWithoutValues(t *testing.T) {
	s, box := in(1, 1, func(x *Node) *Node {
		if x.Shape().Dim(1) < 10 {
			panic("too few points")
		}
		return Square(x)
	})
	assert.NoError(t, s.Bounded(testkit.PureGo(t), box))
}
