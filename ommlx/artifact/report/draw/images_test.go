package draw

import (
	"image/color"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

func sampleSheet() Panels {
	first := testkit.Must(Images([]uint8{0, 50, 100, 150, 200, 210, 220, 230}, 2, 1))
	second := testkit.Must(Images([]uint8{1, 2, 3, 4}, 2, 1))
	return Panels{Note: "A note.", Head: []string{"one", "two"}, Rows: []PanelRow{{Label: "first", Images: first},
		{Label: "second", Titles: []string{"below"}, Images: second}}}
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
	r := record(Panels{Rows: []PanelRow{{Images: testkit.Must(Images([]uint8{1, 2, 3}, 1, 3))}}})
	assert.Equal(t, color.RGBA{1, 2, 3, 255}, color.RGBAModel.Convert(r.pixel(0, 0.5, 0.5)))
}

func TestImagesRejectPartsOfImages(t *testing.T) {
	_, err := Images([]uint8{1, 2, 3}, 2, 1)
	assert.ErrorContains(t, err, "3 values")
	_, err = Images(nil, 0, 0)
	assert.ErrorContains(t, err, "0×0×0")
}
