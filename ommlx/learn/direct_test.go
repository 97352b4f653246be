package learn_test

import (
	"context"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/learn"
	"operator-omm/ommlx/net"
	"operator-omm/ommlx/schrodinger"
)

// TestDirectFindsBoundStates of a Gaussian well, V = −10 exp(−x²/2), against finite differences in a wide box.
func TestDirectFindsBoundStates(t *testing.T) {
	const k = 3
	system := schrodinger.System{Name: "Gaussian well", Dim: 1,
		Potential: func(x *Node) *Node { return MulScalar(Exp(MulScalar(Square(x), -0.5)), -10) }}
	box := net.Box{Lower: []float64{-10}, Upper: []float64{10}}
	truth, err := system.Extrapolated(graphtest.Backend(t), box, 399, k)
	require.NoError(t, err)
	require.Less(t, truth.Values[k-1], 0.0)
	learned, err := learn.Learn(context.Background(),
		learn.Direct{System: system, Sampler: schrodinger.Gaussian{Dim: 1, Sigma: 2}}, k,
		learn.Settings{Steps: 400})
	require.NoError(t, err)
	functions, err := learned.At(truth.Points)
	require.NoError(t, err)
	for i := range k {
		assert.InEpsilon(t, truth.Values[i], learned.Values[i], 0.02)
		assert.Less(t, sine(functions.ColView(i), truth.Vectors.ColView(i)), 0.1)
	}
}
