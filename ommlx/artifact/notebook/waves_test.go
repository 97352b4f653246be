package notebook

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"

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
