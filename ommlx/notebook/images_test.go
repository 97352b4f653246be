package notebook

import (
	"image"
	"image/color"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestImagesLieInRows(t *testing.T) {
	grey, err := imageSheet([]uint8{0, 50, 100, 150, 200, 250}, 1, 2, 1, 2)
	require.NoError(t, err)
	require.Equal(t, image.Rect(0, 0, 100, 52), grey.Bounds(), "three images of 48×24 in two rows, 4 apart")
	for at, value := range map[image.Point]uint8{{0, 0}: 0, {23, 23}: 0, {24, 0}: 50, {52, 0}: 100, {0, 28}: 200,
		{47, 51}: 250} {
		require.Equal(t, color.RGBA{value, value, value, 255}, grey.RGBAAt(at.X, at.Y), at)
	}
	require.Zero(t, grey.RGBAAt(50, 10), "between images")
	require.Zero(t, grey.RGBAAt(60, 40), "there is no fourth image")
	colour, err := imageSheet([]uint8{1, 2, 3}, 1, 1, 3, 9)
	require.NoError(t, err)
	require.Equal(t, image.Rect(0, 0, 48, 48), colour.Bounds())
	require.Equal(t, color.RGBA{1, 2, 3, 255}, colour.RGBAAt(47, 47))
}

func TestImagesThatCannotBeShown(t *testing.T) {
	for word, c := range map[string][4]int{"and 2 channels": {1, 1, 2, 1}, "0×1 pixels": {0, 1, 1, 1},
		"0 images to a row": {1, 1, 1, 0}, "no whole images of 4×1×1": {4, 1, 1, 1}} {
		_, err := imageSheet(make([]uint8, 6), c[0], c[1], c[2], c[3])
		require.ErrorContains(t, err, word)
	}
	_, err := imageSheet(nil, 1, 1, 1, 1)
	require.ErrorContains(t, err, "0 numbers are no whole images")
}
