package rl

import (
	"bytes"
	"image/gif"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/report/draw"
)

// With sequential nesting every function ends as an eigenfunction, and without nesting none does.
func TestLearningIsAnimated(t *testing.T) {
	content, err := drawLearning(report.Kept{})
	require.NoError(t, err)
	frames := content.Data.(LearningData).Frames
	first, last := frames[0], frames[len(frames)-1]
	require.Equal(t, first.Joint, first.Sequential)
	for mode, cosine := range last.Sequential {
		require.Greater(t, cosine, 0.995, "function %d", mode+2)
	}
	require.Less(t, stat.Mean(last.Joint, nil), 0.9)

	text, err := content.Drawing.(*draw.Film).GIF()
	require.NoError(t, err)
	require.Less(t, len(text), 1_000_000)
	film, err := gif.DecodeAll(bytes.NewReader(text))
	require.NoError(t, err)
	require.Len(t, film.Image, len(frames))
}
