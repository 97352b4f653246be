package notebook

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/report/draw"
)

func TestReachedIsRunningMinimum(t *testing.T) {
	points := []Measured{{3, 0.5}, {1, 0.2}, {4, 0}, {2, 0.1}}
	require.Equal(t, draw.Series{Name: "Lanczos", X: []float64{1, 2, 3, 4}, Y: []float64{0.2, 0.1, 0.1, 1e-8}},
		Reached("Lanczos", 1e-8, points))
	require.Equal(t, Measured{3, 0.5}, points[0], "points are not modified")
	require.Equal(t, draw.Series{Name: "none"}, Reached("none", 0, nil))
}

func TestSecondsIsFastestCall(t *testing.T) {
	calls := 0
	took := Seconds(func() {
		if calls++; calls == 1 {
			time.Sleep(100 * time.Millisecond)
		} else {
			time.Sleep(10 * time.Millisecond)
		}
	})
	require.GreaterOrEqual(t, took, 0.010)
	require.Greater(t, calls, 1, "the first call is shorter than the minimum duration")
	long := 0
	require.GreaterOrEqual(t, Seconds(func() { long++; time.Sleep(250 * time.Millisecond) }), 0.25)
	require.Equal(t, 1, long)
}
