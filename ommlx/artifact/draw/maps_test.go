package draw

import (
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestHeatMapColoursStatesByValueInRowOrder(t *testing.T) {
	grid := Grid{Name: "g", Rows: []string{"  X ", " XX "}}
	m := HeatMaps{Maps: []HeatMap{{Grid: grid, Values: []float64{-2, 0, 2, 1, -1}}}}
	img := drawn(m)
	width := float64(img.Bounds().Dx())
	want := [][]color.Color{
		{diverging(-1), diverging(0), wallInk, diverging(1)},
		{diverging(0.5), wallInk, wallInk, diverging(-0.5)},
	}
	for row := range want {
		for col, c := range want[row] {
			got := img.At(int((float64(col)+0.5)*width/4), int((float64(row)+0.5)*width/4))
			assert.True(t, same(c, got), "row %d, column %d", row, col)
		}
	}
}

func TestHeatMapsOfSharesHaveOneScale(t *testing.T) {
	grid := Grid{Name: "g", Rows: []string{"  "}}
	left, right := HeatMap{Grid: grid, Values: []float64{0, 0.5}}, HeatMap{Grid: grid, Values: []float64{0.25, 1}}
	m := HeatMaps{Shares: true, Maps: []HeatMap{left, right}}
	img := drawn(m)
	width := float64(img.Bounds().Dx())
	for i, share := range []float64{0, 0.5, 0.25, 1} { // a quarter of the width each, but for the padding in the middle
		assert.True(t, same(scoreColour(share), img.At(int((float64(i)+0.5)*width/4), int(width/8))), "share %g", share)
	}
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
	img := drawn(Panels{Rows: []PanelRow{{Label: "a", Maps: [][]float64{right, above}}}})
	scale := float64(img.Bounds().Dx()) / float64(TextWidth)
	side := math.Min(float64(pageWidth-panelGap)/2, 86.4)
	is := func(value float64, column int, x, y float64) { // x to the right, y upwards, from 0 to 1
		px := (float64(margin) + float64(column)*(side+float64(panelGap)) + x*side) * scale
		py := (float64(margin+lineHeight+2) + (1-y)*side) * scale
		assert.True(t, same(diverging(value), img.At(int(px), int(py))), "column %d at %g, %g", column, x, y)
	}
	for _, other := range []float64{0.2, 0.8} {
		is(1, 0, 0.9, other)
		is(0, 0, 0.1, other)
		is(-1, 1, other, 0.9)
		is(0, 1, other, 0.1)
	}
}

// isDark looks at the middle of a cell of a single grid of two rows and four columns, which is centred on the page and
// as high as its tile: 1.3 in less 3 pt.
func isDark(img image.Image, row, col int) bool {
	const cell = (1.3 - 3.0/72) * DPI / 2
	x := float64(img.Bounds().Dx())/2 + (float64(col)-1.5)*cell
	y := float64(margin)*DPI/72 + (float64(row)+0.5)*cell
	return lightness(img.At(int(x), int(y))) < 50
}

func TestEachCellIsDrawnInItsPlace(t *testing.T) {
	rows := []string{"X  X", " X  "}
	img := drawn(Fig3{Grids: []Grid{Grid{Name: "g", Rows: rows}}})
	for row := range rows {
		for col := range rows[row] {
			assert.Equal(t, rows[row][col] == Wall, isDark(img, row, col), "row %d, column %d", row, col)
		}
	}
}

func TestNoSeamsWithinWalls(t *testing.T) {
	wall := strings.Repeat(string(Wall), 6)
	solid := []string{wall + string(Wall), wall + string(Wall), wall + " "}
	img := drawn(Fig3{Grids: []Grid{Grid{Name: "g", Rows: solid}}})
	middle := img.Bounds().Dx() / 2
	const top = int(margin) * DPI / 72
	for y := top + 2; y < top+DPI*6/5; y++ { // down through all three rows, at the middle of the page
		assert.Less(t, lightness(img.At(middle, y)), 40.0, "pixel row %d", y)
	}
}

func TestOurMazesAreMarked(t *testing.T) {
	grid := Grid{Name: "m", Rows: []string{"X X"}}
	plain := asSVG(Fig3{Grids: []Grid{grid}})
	grid.Generated = true
	assert.NotContains(t, plain, "our maze")
	assert.Equal(t, 1, strings.Count(asSVG(Fig3{Grids: []Grid{grid}}), "our maze, same size"))
	assert.Contains(t, plain, "1 state<", "one state is singular")
}
