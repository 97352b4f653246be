package notebook

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/report/draw"
)

func TestReachedIsRunningMinimum(t *testing.T) {
	points := []Measured{{3, 0.5}, {1, 0.2}, {4, 0}, {2, 0.1}}
	require.Equal(t, draw.Series{Name: "Lanczos", X: []float64{1, 2, 3, 4}, Y: []float64{0.2, 0.1, 0.1, 1e-8}},
		Reached("Lanczos", 1e-8, points))
}

func TestSecondsIsFastestCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		took := Seconds(func() {
			time.Sleep(max(100-50*time.Duration(calls), 10) * time.Millisecond)
			calls++
		})
		require.InDelta(t, 0.010, took, 1e-9)
		require.Equal(t, 7, calls, "100 + 50 + 5 × 10 ms")
	})
}
