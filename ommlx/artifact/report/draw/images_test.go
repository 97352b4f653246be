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

// Rows of images have the layout of rows of maps, see [TestPanelsHaveNames].
func TestSheet(t *testing.T) {
	r := record(sampleSheet())
	require.Len(t, r.images, 3)
	for at, value := range map[[2]float64]uint8{{0.2, 0.8}: 0, {0.8, 0.8}: 50, {0.2, 0.2}: 100, {0.8, 0.2}: 150} {
		assert.Equal(t, color.RGBA{value, value, value, 255}, color.RGBAModel.Convert(r.pixel(0, at[0], at[1])))
	}
	r = record(Panels{Rows: []PanelRow{{Images: testkit.Must(Images([]uint8{1, 2, 3}, 1, 3))}}})
	assert.Equal(t, color.RGBA{1, 2, 3, 255}, color.RGBAModel.Convert(r.pixel(0, 0.5, 0.5)))
	for message, n := range map[string]int{"3 values": 2, "0×0×1": 0} {
		_, err := Images([]uint8{1, 2, 3}, n, 1)
		assert.ErrorContains(t, err, message)
	}
}
