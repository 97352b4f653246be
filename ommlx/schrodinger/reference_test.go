package schrodinger_test

import (
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/net"
	"operator-omm/ommlx/schrodinger"
)

// The oscillator has a closed form, and is both radial and separable.
func TestReferencesAgreeWithTheOscillator(t *testing.T) {
	b, system := graphtest.PureGo(t), must(schrodinger.Oscillator(2))
	spectrum, err := system.Lowest(10)
	require.NoError(t, err)
	radial, err := system.Radial(b, 7, 10)
	require.NoError(t, err)
	assert.InEpsilonSlice(t, spectrum.Energies(), radial, 1e-3)
	separable, err := system.Separable(b, net.Box{Lower: []float64{-6, -7}, Upper: []float64{7, 6}}, 10)
	require.NoError(t, err)
	assert.InEpsilonSlice(t, spectrum.Energies(), separable, 3e-3)
}

// A constant comes out as one, below zero too.
func TestReferencesOfAConstant(t *testing.T) {
	b := graphtest.PureGo(t)
	box := net.Box{Lower: []float64{0}, Upper: []float64{3.141592653589793}}
	system := schrodinger.System{Name: "line", Dim: 1,
		Potential: func(x *Node) *Node { return AddScalar(ZerosLike(x), -20) }}
	separable, err := system.Separable(b, box, 3)
	require.NoError(t, err)
	assert.InDeltaSlice(t, []float64{-19, -16, -11}, separable, 2e-3)
}

func TestReferencesThatDoNotExist(t *testing.T) {
	b := graphtest.PureGo(t)
	box := net.Box{Lower: []float64{-1, -1}, Upper: []float64{1, 1}}
	product := schrodinger.System{Name: "saddle", Dim: 2,
		Potential: func(x *Node) *Node { return ReduceAndKeep(x, ReduceMultiply, -1) }}
	_, err := product.Radial(b, 1, 2)
	assert.EqualError(t, err, "the potential of the saddle depends on the direction; it has no radial equation")
	_, err = product.Separable(b, box, 2)
	assert.EqualError(t, err, "the potential of the saddle is not a sum of functions of one coordinate each")
	_, err = product.Radial(b, 0, 2)
	assert.ErrorContains(t, err, "up to a positive radius")
	_, err = product.Separable(b, net.Box{Lower: []float64{0}, Upper: []float64{1}}, 2)
	assert.ErrorContains(t, err, "in a box of dimension 1; ask for at least 1, in dimension 2")
	_, err = product.Separable(b, box, 0)
	assert.ErrorContains(t, err, "0 energies")
}
