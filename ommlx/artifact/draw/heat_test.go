package draw

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestHeatMapColoursStatesByValueInRowOrder(t *testing.T) {
	grid := Grid{Name: "g", Rows: []string{"  X ", " XX "}}
	m := HeatMaps{Maps: []HeatMap{{Grid: grid, Values: []float64{-2, 0, 2, 1, -1}}}}
	fig, err := m.Figure()
	img := drawn(t, fig, err)
	width := float64(img.Bounds().Dx())
	want := [][]any{
		{diverging(-1), diverging(0), wallInk, diverging(1)},
		{diverging(0.5), wallInk, wallInk, diverging(-0.5)},
	}
	for row := range want {
		for col, c := range want[row] {
			r, g, b, _ := img.At(int((float64(col)+0.5)*width/4), int((float64(row)+0.5)*width/4)).RGBA()
			wr, wg, wb, _ := c.(interface{ RGBA() (r, g, b, a uint32) }).RGBA()
			assert.Equal(t, [3]uint32{wr, wg, wb}, [3]uint32{r, g, b}, "row %d, column %d", row, col)
		}
	}
}

func TestHeatMapsOfSharesHaveOneScale(t *testing.T) {
	grid := Grid{Name: "g", Rows: []string{"  "}}
	left, right := HeatMap{Grid: grid, Values: []float64{0, 0.5}}, HeatMap{Grid: grid, Values: []float64{0.25, 1}}
	m := HeatMaps{Shares: true, Maps: []HeatMap{left, right}}
	fig, err := m.Figure()
	img := drawn(t, fig, err)
	width := float64(img.Bounds().Dx())
	for i, share := range []float64{0, 0.5, 0.25, 1} { // a quarter of the width each, but for the padding in the middle
		r, g, b, _ := img.At(int((float64(i)+0.5)*width/4), int(width/8)).RGBA()
		wr, wg, wb, _ := scoreColour(share).RGBA()
		assert.Equal(t, [3]uint32{wr, wg, wb}, [3]uint32{r, g, b}, "share %g", share)
	}
}

func TestHeatMapsRefuse(t *testing.T) {
	grid := Grid{Name: "g", Rows: []string{"  "}}
	for want, f := range map[string]HeatMaps{
		"no maps":     {},
		"columns":     {Columns: -1, Maps: []HeatMap{{Grid: grid, Values: []float64{1, 2}}}},
		"one per":     {Maps: []HeatMap{{Grid: grid, Values: []float64{1}}}},
		"finite":      {Maps: []HeatMap{{Grid: grid, Values: []float64{1, math.NaN()}}}},
		"a share is":  {Shares: true, Maps: []HeatMap{{Grid: grid, Values: []float64{0.5, -0.5}}}},
		"is all wall": {Maps: []HeatMap{{Grid: Grid{Name: "w", Rows: []string{"X"}}}}},
	} {
		_, err := f.Figure()
		assert.ErrorContains(t, err, want)
	}
}

func TestHeatMapOfZerosIsWhite(t *testing.T) {
	fig, err := HeatMaps{Maps: []HeatMap{{Grid: Grid{Name: "g", Rows: []string{" "}}, Values: []float64{0}}}}.Figure()
	img := drawn(t, fig, err)
	assert.InDelta(t, 100, lightness(img.At(img.Bounds().Dx()/2, 300)), 0.5)
}
