package learn_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/learn"
)

// TestFunctionsThatVanishAreAdvisedOn: of four functions two have no positive eigenvalue. The error says what to do.
func TestFunctionsThatVanishAreAdvisedOn(t *testing.T) {
	a := mat.NewSymDense(6, nil)
	for i, value := range []float64{1, 0.8, -0.5, -0.6, -0.7, -0.8} {
		a.SetSym(i, i, value)
	}
	_, err := learn.Learn(context.Background(), learn.Matrix{A: a}, 4, learn.Settings{})
	require.ErrorContains(t, err, "has nearly vanished: no positive eigenvalue is left for it")
	require.ErrorContains(t, err, "shift T by")
	require.NotContains(t, err.Error(), "\n")
	learned, err := learn.Learn(context.Background(), learn.Matrix{A: a}, 4, learn.Settings{Shift: 0.9, Steps: 6_000})
	require.NoError(t, err)
	require.InDeltaSlice(t, []float64{1, 0.8, -0.5, -0.6}, learned.Values, 0.01)
}
