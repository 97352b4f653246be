package schrodinger_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/combin"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/net"
	"omm-go/ommlx/schrodinger"
)

var must = testkit.Must[schrodinger.System]

var everySystem = []struct {
	schrodinger.System
	k           int     // states to test
	reach       float64 // half-width of the region that the states fill
	points      int     // of the midpoint rule on each axis of a box that contains almost all of every state
	box         float64 // its half-width
	logarithmic bool    // the box is in (log r, θ)
}{
	{schrodinger.Hydrogen(), 36, 40, 400, math.Pi, true},
	{must(schrodinger.Oscillator(1)), 20, 6, 1400, 36, false},
	{must(schrodinger.Oscillator(2)), 28, 4, 60, 10, false},
	{must(schrodinger.Oscillator(3)), 20, 3, 50, 8, false},
	{must(schrodinger.Well(1, 0.7)), 10, 0.7, 40, 0.7, false},
	{must(schrodinger.Well(2, schrodinger.WellHalfWidth)), 45, schrodinger.WellHalfWidth, 40, 5, false},
	{must(schrodinger.Well(3, 2)), 17, 2, 20, 2, false},
}

// midpoint returns n^dim points of the midpoint rule on [−a, a]^dim and the weight of each.
func midpoint(dim, n int, a float64) (points *mat.Dense, weight float64) {
	cells := combin.Cartesian(slices.Repeat([]int{n}, dim))
	points = mat.NewDense(len(cells), dim, nil)
	points.Apply(func(p, d int, _ float64) float64 { return a * (2*(float64(cells[p][d])+0.5)/float64(n) - 1) }, points)
	return points, math.Pow(2*a/float64(n), float64(dim))
}

// ∫ψ_i ψ_j = δ_ij by the midpoint rule in a box, which is exact for products of sines and nearly exact for functions
// that vanish with all derivatives. For hydrogen, with its cusp, the box is in (log r, θ).
func TestOrthonormal(t *testing.T) {
	for _, s := range everySystem {
		k, tolerance := min(s.k, 16), 1e-11
		if s.Name == everySystem[1].Name {
			k = 400 // as long as the recurrence of the Hermite functions is stable
		}
		spectrum := testkit.Must(s.Lowest(k))
		points, weight := midpoint(s.Dim, s.points, s.box)
		n, _ := points.Dims()
		weights := slices.Repeat([]float64{weight}, n)
		if s.logarithmic { // cut off at a small r
			tolerance = 1e-7
			for p := range weights {
				r := math.Exp(2.2*points.At(p, 0) - 1.5) // up to 220
				sin, cos := math.Sincos(points.At(p, 1))
				points.SetRow(p, []float64{r * cos, r * sin})
				weights[p] *= 2.2 * r * r
			}
		}
		values := testkit.Must(spectrum.OnPoints(points))
		values.Apply(func(p, _ int, v float64) float64 { return math.Sqrt(weights[p]) * v }, values)
		gram := linalg.Gram(values)
		unit := linalg.IdentityMatrix(len(spectrum.States))
		assert.True(t, mat.EqualApprox(gram, unit, tolerance), "%s: %.2g", s.Name, mat.Formatted(gram))
	}
}

// V in the graph is V on the host.
func TestPotentials(t *testing.T) {
	for _, s := range everySystem {
		points := testkit.Points(rand.New(rand.NewPCG(31, 0)), 50, s.Dim, s.reach)
		out := testkit.Compile(t, func(in []*Node) []*Node { return []*Node{s.Potential(in[0])} }).
			Numbers(t, testkit.FromMatrix(points))
		for p, v := range out[0] {
			assert.InDelta(t, s.PotentialAt(points.RawRowView(p)), v, 1e-12*math.Abs(v), s.Name)
		}
	}
	assert.Equal(t, math.Inf(1), must(schrodinger.Well(2, 5)).PotentialAt([]float64{0, -5.1}))
}

// Spaces tile the states, energies ascend between them, quantum numbers within.
func TestOrderWithinAnEigenspace(t *testing.T) {
	for _, s := range everySystem {
		spectrum := testkit.Must(s.Lowest(s.k))
		energies, end := spectrum.Energies(), 0
		for _, space := range spectrum.Spaces {
			assert.Equal(t, end, space.First)
			assert.True(t, end == 0 || energies[end] > energies[end-1])
			for i := space.First + 1; i < space.End; i++ {
				assert.Equal(t, energies[i-1], energies[i])
				assert.Negative(t, slices.Compare(spectrum.States[i-1].Numbers, spectrum.States[i].Numbers), s.Name)
			}
			end = space.End
		}
		assert.Len(t, spectrum.States, end)
		cut := testkit.Must(s.Lowest(spectrum.Spaces[1].First + 1))
		assert.Equal(t, spectrum.Spaces[:2], cut.Spaces, "the space of the last mode is whole")
	}
}

func TestNothingOutsideTheWell(t *testing.T) {
	spectrum := testkit.Must(must(schrodinger.Well(2, 5)).Lowest(4))
	values := testkit.Must(spectrum.OnPoints(mat.NewDense(3, 2, []float64{-5.01, 0, 1, 6, 1, 1})))
	for i := range spectrum.States {
		assert.Zero(t, values.At(0, i))
		assert.Zero(t, values.At(1, i))
		assert.NotZero(t, values.At(2, i))
	}
}

// On a lattice the well's sines are eigenfunctions of the differences: E = Σ 4/h² sin²(n_d π/(2(n+1))). Extrapolation
// leaves a fourth-order error.
func TestDifferencesOfAWell(t *testing.T) {
	const n = 19
	system := must(schrodinger.Well(2, 1))
	box := net.Box{Lower: []float64{-1, -1}, Upper: []float64{1, 1}}
	found := testkit.Must(system.Differences(nil, box, n, 3))
	h := 2. / (n + 1)
	one := func(m float64) float64 { return 4 / (h * h) * math.Pow(math.Sin(m*math.Pi/(2*(n+1))), 2) }
	assert.InEpsilonSlice(t, []float64{one(1) + one(1), one(1) + one(2), one(1) + one(2)}, found.Values, 1e-9)

	spectrum := testkit.Must(system.Lowest(1))
	exact := testkit.Must(spectrum.OnPoints(found.Points))
	a, b := exact.ColView(0), found.Vectors.ColView(0)
	assert.InDelta(t, 1, math.Abs(mat.Dot(a, b))/mat.Norm(a, 2), 1e-9)

	better := testkit.Must(system.Extrapolated(nil, box, n, 1))
	assert.InEpsilon(t, spectrum.States[0].Energy, better.Values[0], 1e-5)
	assert.Greater(t, math.Abs(found.Values[0]/spectrum.States[0].Energy-1), 1e-3)
}

// The system has only a potential in the graph, and the axes differ.
func TestDifferencesOfAGraphPotential(t *testing.T) {
	system := must(schrodinger.Oscillator(2))
	system.PotentialAt = nil
	box := net.Box{Lower: []float64{-5, -6}, Upper: []float64{6, 5}}
	found := testkit.Must(system.Extrapolated(testkit.PureGo(t), box, 31, 3))
	assert.InEpsilonSlice(t, []float64{2, 4, 4}, found.Values, 1e-3)
}
