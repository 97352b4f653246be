package draw

import (
	"image/color"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func sampleSheet() Sheet {
	return Sheet{Note: "A note.", Side: 2, Channels: 1, Titles: []string{"one", "two"}, Rows: []SheetRow{
		{Label: "first", Pixels: []uint8{0, 50, 100, 150, 200, 210, 220, 230}},
		{Label: "second", Captions: []string{"below"}, Pixels: []uint8{1, 2, 3, 4}},
	}}
}

func TestSheet(t *testing.T) {
	r := record(sampleSheet())
	require.Len(t, r.images, 3)
	for at, value := range map[[2]float64]uint8{{0.2, 0.8}: 0, {0.8, 0.8}: 50, {0.2, 0.2}: 100, {0.8, 0.2}: 150} {
		assert.Equal(t, color.RGBA{value, value, value, 255}, color.RGBAModel.Convert(r.pixel(0, at[0], at[1])))
	}
	for i, title := range []string{"one", "two"} {
		x, y := centre(r.at(title))
		across, up := centre(r.images[i].Rectangle)
		assert.InDelta(t, across, x, 1)
		assert.Greater(t, y, up)
	}
	below := r.at("below")
	assert.Less(t, below.Max.Y, r.images[2].Min.Y+1)
	assert.Greater(t, r.at("first").Min.Y, r.at("second").Min.Y)
}

func TestSheetInColour(t *testing.T) {
	r := record(Sheet{Side: 1, Channels: 3, Rows: []SheetRow{{Pixels: []uint8{1, 2, 3}}}})
	assert.Equal(t, color.RGBA{1, 2, 3, 255}, color.RGBAModel.Convert(r.pixel(0, 0.5, 0.5)))
}
