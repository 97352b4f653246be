package pde

import (
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/net"
	"omm-go/ommlx/schrodinger"
)

// The oscillator has a closed form and is both radial and separable.
func TestReferencesAgreeWithTheOscillator(t *testing.T) {
	b, system := testkit.PureGo(t), testkit.Must(schrodinger.Oscillator(2))
	spectrum := testkit.Must(system.Lowest(10))
	radial := testkit.Must(Radial(b, system, 7, 10))
	assert.InEpsilonSlice(t, spectrum.Energies(), radial, 1e-3)
	separable := testkit.Must(Separable(b, system, net.Box{Lower: []float64{-6, -7}, Upper: []float64{7, 6}}, 10))
	assert.InEpsilonSlice(t, spectrum.Energies(), separable, 3e-3)
}

// A negative constant shifts all energies.
func TestReferencesOfAConstant(t *testing.T) {
	b := testkit.PureGo(t)
	box := net.Box{Lower: []float64{0}, Upper: []float64{3.141592653589793}}
	system := schrodinger.System{Name: "line", Dim: 1,
		Potential: func(x *Node) *Node { return AddScalar(ZerosLike(x), -20) }}
	separable := testkit.Must(Separable(b, system, box, 3))
	assert.InDeltaSlice(t, []float64{-19, -16, -11}, separable, 2e-3)
}

func TestReferencesReturnErrors(t *testing.T) {
	b, box := testkit.PureGo(t), net.Box{Lower: []float64{-1, -1}, Upper: []float64{1, 1}}
	saddle := schrodinger.System{Name: "saddle", Dim: 2,
		Potential: func(x *Node) *Node { return ReduceAndKeep(x, ReduceMultiply, -1) }}
	_, err := Radial(b, saddle, 1, 2)
	assert.ErrorContains(t, err, "direction")
	_, err = Radial(b, saddle, 0, 2)
	assert.ErrorContains(t, err, "radius")
	_, err = Separable(b, saddle, box, 2)
	assert.ErrorContains(t, err, "sum")
	_, err = Separable(b, saddle, box, 0)
	assert.ErrorContains(t, err, "energies")
}
