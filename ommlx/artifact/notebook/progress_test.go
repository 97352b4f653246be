package notebook

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/train"
)

func TestLiveLimitsDrawing(t *testing.T) {
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

func TestProgressFoldsFinishedTrainings(t *testing.T) {
	var cell trainings
	running := cell.html("a <50%>", []float64{4, math.Inf(1), 2, 3}, false)
	require.Contains(t, running, `points="0.0,0.0 200.0,60.0 400.0,30.0 "`)
	require.Contains(t, running, "<pre>a &lt;50%&gt;</pre><svg")
	require.Equal(t, "<pre>a</pre>", cell.html("a", []float64{4, 2}, true))
	require.Equal(t, "<pre>a</pre><pre>b</pre>", cell.html("b", []float64{4}, false))
	require.Equal(t, "<pre>a\nb</pre>", cell.html("b", nil, true))
	require.Equal(t, "<details><summary>2 trainings have ended.</summary><pre>a\nb</pre></details><pre>c</pre>",
		cell.html("c", nil, true))
}
