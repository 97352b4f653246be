package notebook

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/pde"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/schrodinger"
)

// The first function is half of the second state and a little of a state beyond the exact ones.
func TestPartsOfAFunction(t *testing.T) {
	system, q := testkit.Must(schrodinger.Oscillator(2)), Square(48, 8)
	states := testkit.Must(Lowest(system, 6).OnPoints(q.Points))
	psi := mat.NewDense(len(q.Weights), 1, nil)
	for p := range q.Weights {
		psi.Set(p, 0, 0.5*states.At(p, 1)+0.2*states.At(p, 5))
	}
	parts := Waves{Exact: Lowest(system, 3)}.Parts(Wave{Psi: psi}, 0, q)
	assert.InDeltaSlice(t, []float64{0, 0.25, 0.04}, parts, 1e-8)
}

// TestWaves: energies, norms and distances of untrained functions, by the definition and by the inverse operator.
func TestWaves(t *testing.T) {
	system, q := testkit.Must(schrodinger.Oscillator(2)), Square(32, 6)
	w := pde.Ansatz{System: system, Sampler: schrodinger.Gaussian{Dim: 2, Sigma: 2}, Hidden: []int{4}, Count: 3}
	params, frequencies := w.Init([]int64{1})
	direct := Direct(w, frequencies)
	wave := direct.On(params, q)[0]
	for i, energy := range wave.Energies { // an upper bound of the lowest
		assert.Greater(t, energy, 2.)
		assert.InDelta(t, energy/direct.Exact.Energies()[i]-1, wave.Errors[i], 1e-9)
		assert.InDelta(t, wave.Norms[i]*wave.Norms[i], floats.Sum(direct.Parts(wave, i, q)), 1e-9)
	}
	for _, distance := range direct.Distances(wave, q) {
		assert.True(t, distance >= 0 && distance <= 1, distance)
	}
	const s, epsilon = 0.3, 0.1
	for _, energy := range Inverse(w, s, epsilon, frequencies).On(params, q)[0].Energies {
		assert.Positive(t, energy)
	}
	assert.NotNil(t, direct.Live("", params, 6))
	direct.Show("", params, q, 6)
}
