package learn_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/learn"
)

// requireNotJudged compares what an error after the training leaves with what [learn.Learn] says of it.
func requireNotJudged(t *testing.T, l *learn.Learned) {
	t.Helper()
	require.NotEmpty(t, l.Result.Params)
	require.NotNil(t, l.Task.Functions)
	require.Equal(t, -1, l.Best)
	require.Zero(t, l.Run)
	const none = "no run of this training can be judged, so it has no functions"
	points := mat.NewDense(1, 1, nil)
	_, err := l.At(points)
	require.ErrorContains(t, err, none)
	_, err = l.On(points, []float64{1})
	require.ErrorContains(t, err, none)
	require.ErrorContains(t, l.Save(filepath.Join(t.TempDir(), "none")), none)
}

// TestFunctionsThatVanishAreAdvisedOn: of four functions two have no positive eigenvalue. The error says what to do.
func TestFunctionsThatVanishAreAdvisedOn(t *testing.T) {
	a := mat.NewSymDense(6, nil)
	for i, value := range []float64{1, 0.8, -0.5, -0.6, -0.7, -0.8} {
		a.SetSym(i, i, value)
	}
	lost, err := learn.Learn(context.Background(), learn.Matrix{A: a}, 4, learn.Settings{Backend: graphtest.PureGo(t)})
	require.ErrorContains(t, err, "has nearly vanished: no positive eigenvalue is left for it")
	require.ErrorContains(t, err, "shift T by")
	require.NotContains(t, err.Error(), "\n")
	requireNotJudged(t, lost)
	require.Len(t, lost.Runs, 1)
	require.Contains(t, err.Error(), lost.Runs[0].Cause)
	learned, err := learn.Learn(context.Background(), learn.Matrix{A: a}, 4, learn.Settings{Shift: 0.9, Steps: 6_000,
		Backend: graphtest.PureGo(t)})
	require.NoError(t, err)
	require.InDeltaSlice(t, []float64{1, 0.8, -0.5, -0.6}, learned.Values, 0.01)
}
