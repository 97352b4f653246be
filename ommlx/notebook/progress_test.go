package notebook

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/draw"
	"operator-omm/ommlx/train"
)

func TestLiveDrawsTheLossNowAndThen(t *testing.T) {
	l := live{series: draw.Series{Name: "loss"}}
	at := func(step int, after time.Duration, loss ...float64) []byte {
		return l.picture(train.Status{Step: step, Steps: 4, Loss: loss}, time.Unix(100, 0).Add(after))
	}
	require.Nil(t, at(1, 0, 2, 0), "one point")
	require.NotNil(t, at(2, 0, 0.5, 0.5))
	require.Nil(t, at(3, time.Second/4, 0.25, 0.25), "a moment later")
	require.NotNil(t, at(4, time.Second/4, 0, 0.5), "the end")
	require.Equal(t, []float64{1, 0.5, 0.25, 0.25}, l.series.Y)
	require.Nil(t, at(4, time.Hour, math.NaN()))
}
