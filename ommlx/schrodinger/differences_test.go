package schrodinger_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/net"
	"operator-omm/ommlx/schrodinger"
)

// On a lattice the well's functions are its own, and sines stay eigenfunctions of the differences: E = Σ 4/h²
// sin²(n_d π/(2(n+1))). Extrapolation leaves an error of the fourth order.
func TestDifferencesOfAWell(t *testing.T) {
	const n = 19
	system := must(schrodinger.Well(2, 1))
	box := net.Box{Lower: []float64{-1, -1}, Upper: []float64{1, 1}}
	found, err := system.Differences(nil, box, n, 3)
	require.NoError(t, err)
	h := 2. / (n + 1)
	one := func(m float64) float64 { return 4 / (h * h) * math.Pow(math.Sin(m*math.Pi/(2*(n+1))), 2) }
	assert.InEpsilonSlice(t, []float64{one(1) + one(1), one(1) + one(2), one(1) + one(2)}, found.Values, 1e-9)

	spectrum, err := system.Lowest(1)
	require.NoError(t, err)
	exact, err := spectrum.OnPoints(found.Points)
	require.NoError(t, err)
	a, b := exact.ColView(0), found.Vectors.ColView(0)
	assert.InDelta(t, 1, math.Abs(mat.Dot(a, b))/mat.Norm(a, 2), 1e-9)

	better, err := system.Extrapolated(nil, box, n, 1)
	require.NoError(t, err)
	assert.InEpsilon(t, spectrum.States[0].Energy, better.Values[0], 1e-5)
	assert.Greater(t, math.Abs(found.Values[0]/spectrum.States[0].Energy-1), 1e-3)
}

// A potential that only the device knows, on axes that are not alike.
func TestDifferencesOfADevicesPotential(t *testing.T) {
	system := must(schrodinger.Oscillator(2))
	system.PotentialAt = nil
	box := net.Box{Lower: []float64{-5, -6}, Upper: []float64{6, 5}}
	found, err := system.Extrapolated(graphtest.PureGo(t), box, 31, 3)
	require.NoError(t, err)
	assert.InEpsilonSlice(t, []float64{2, 4, 4}, found.Values, 1e-3)
}

func TestDifferencesThatDoNotExist(t *testing.T) {
	system := must(schrodinger.Oscillator(2))
	line := net.Box{Lower: []float64{-1}, Upper: []float64{1}}
	_, err := system.Differences(nil, line, 3, 1)
	assert.ErrorContains(t, err, "of a box in dimension 1")
	box := net.Box{Lower: []float64{-1, -1}, Upper: []float64{1, 1}}
	_, err = system.Differences(nil, box, 5000, 1)
	assert.ErrorContains(t, err, "too large")
	_, err = system.Extrapolated(nil, box, 3, 10)
	assert.Error(t, err)
}
