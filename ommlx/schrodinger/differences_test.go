package schrodinger_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/net"
	"omm-go/ommlx/schrodinger"
)

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
