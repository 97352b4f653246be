package draw

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
		"2 states": {Maps: []HeatMap{{Grid: grid, Values: []float64{1}}}},
		"finite":   {Maps: []HeatMap{{Grid: grid, Values: []float64{1, math.NaN()}}}},
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

// A map that is positive for large first coordinates and zero elsewhere is orange on the right; one that is negative
// for large second coordinates is navy above.
func TestPanelsOrientation(t *testing.T) {
	right, above := make([]float64, 25), make([]float64, 25)
	for i := range 5 {
		for j := range 5 {
			if i > 2 {
				right[5*i+j] = 1
			}
			if j > 2 {
				above[5*i+j] = -2
			}
		}
	}
	fig, err := Panels{Rows: []PanelRow{{Label: "a", Maps: [][]float64{right, above}}}}.Figure()
	img := drawn(t, fig, err)
	scale := DPI / 72.0
	side := math.Min(float64(TextWidth-panelGap)/2, 86.4)
	at := func(column int, x, y float64) [3]uint32 { // x to the right, y upwards, from 0 to 1
		px := (float64(column)*(side+float64(panelGap)) + x*side) * scale
		py := (float64(lineHeight) + (1-y)*side) * scale
		r, g, b, _ := img.At(int(px), int(py)).RGBA()
		return [3]uint32{r, g, b}
	}
	rgb := func(v float64) [3]uint32 {
		r, g, b, _ := diverging(v).RGBA()
		return [3]uint32{r, g, b}
	}
	for _, other := range []float64{0.2, 0.8} {
		assert.Equal(t, rgb(1), at(0, 0.9, other))
		assert.Equal(t, rgb(0), at(0, 0.1, other))
		assert.Equal(t, rgb(-1), at(1, other, 0.9))
		assert.Equal(t, rgb(0), at(1, other, 0.1))
	}
}

func TestPanelsAreTheSameBytesEveryTime(t *testing.T) {
	row := PanelRow{Label: "a"}
	for i := range 12 {
		row.Maps = append(row.Maps, []float64{1, float64(i), -1, 0.5})
	}
	panels := Panels{Rows: []PanelRow{row, row}}
	var first []byte
	for range 6 {
		fig, err := panels.Figure()
		require.NoError(t, err)
		pdf, err := PDF(fig)
		require.NoError(t, err)
		if first == nil {
			first = pdf
		}
		require.Equal(t, first, pdf)
	}
}

func TestPanelsRefuse(t *testing.T) {
	for want, rows := range map[string][]PanelRow{
		"n×n":    {{Maps: [][]float64{{1, 2, 3}}}},
		"finite": {{Maps: [][]float64{{1, 2, 3, math.NaN()}}}},
	} {
		_, err := Panels{Rows: rows}.Figure()
		assert.ErrorContains(t, err, want)
	}
}

func TestCurvesRowRefuses(t *testing.T) {
	_, err := CurvesRow{Plots: []Curves{{Title: "bad", Series: []Series{{Name: "s"}}}}}.Figure()
	assert.ErrorContains(t, err, `curves "bad": s: 0 x`)
}
