package draw

import (
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
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

// The values ±1 of one map and ±√2 of the other have root mean square 1, so that the first is not drawn in full colour.
func TestHeatMapsShareTheScaleThatTheirBarShows(t *testing.T) {
	grid := Grid{Name: "g", Rows: []string{"    "}}
	m := HeatMaps{Maps: []HeatMap{{Grid: grid, Values: []float64{-5, 5, 5, 5}},
		{Grid: grid, Values: []float64{0, 7, -7, 0}}}}
	img := drawn(m)
	width := float64(img.Bounds().Dx())
	for i, share := range []float64{-1 / math.Sqrt2, 1 / math.Sqrt2, 1 / math.Sqrt2, 1 / math.Sqrt2, 0, 1, -1, 0} {
		at := img.At(int((float64(i)+0.5)*width/8), int(width/16))
		assert.True(t, same(diverging(share), at), "state %d: %v", i, at)
	}
	for _, words := range []string{"−1.41", "+1.41", "±max |value| in the picture; functions scaled to RMS 1"} {
		assert.Contains(t, asSVG(m), ">"+words+"<")
	}
}

// A column of functions of equal RMS ends at its own largest value, which may stand in either row.
func TestPanelsShareAScalePerColumn(t *testing.T) {
	flat, steep := []float64{1, 1, 1, 1}, []float64{2, 0, 0, 0}
	f := Panels{Rows: []PanelRow{{Maps: [][]float64{flat, flat}}, {Maps: [][]float64{steep, flat}}}}
	r := record(f)
	for i, share := range []float64{0.5, 1, 1, 1} { // row by row
		assert.True(t, same(diverging(share), r.images[i].image.At(0, 299)), "panel %d", i)
	}
	assert.Contains(t, r.words(), "max: largest |value| in each column of 2 maps; functions scaled to RMS 1")
	f.Rows = f.Rows[:1]
	assert.Contains(t, record(f).words(), "max: largest |value| of each panel")
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

// bowl is x² + y² on a rectangle twice as wide as high.
func bowl() Landscape {
	return Landscape{Title: "bowl", XMin: -2, XMax: 2, YMin: -1, YMax: 1,
		F:      func(x, y float64) float64 { return x*x + y*y },
		Levels: []float64{0.3, 0.6}, // radii 0.55 and 0.77, through no point of the grid
		Points: []Points{{Name: "minimum", At: plotter.XYs{{X: 0, Y: 0}}}},
		Paths:  []Paths{{Name: "descent", Directed: true, Lines: []plotter.XYs{{{X: 1.5, Y: 0.5}, {X: 0, Y: 0}}}}}}
}

func TestContoursHaveEqualScalesAndBandsWhereTheLevelsAre(t *testing.T) {
	land := bowl()
	bands := record(Contours{XLabel: "x", YLabel: "y", Plots: []Landscape{land}}).images[0]
	assert.InDelta(t, 2, float64(bands.Size().X/bands.Size().Y), 0.03)
	size := bands.image.Bounds().Size()
	at := func(x, y float64) color.Color {
		return bands.image.At(int((x+2)/4*float64(size.X)), int((1-y)/2*float64(size.Y)))
	}
	for _, angle := range []float64{1, 2, 3.5, 5, 6} {
		sin, cos := math.Sincos(angle)
		for band, radius := range []float64{0.53, 0.72, 0.83} {
			assert.True(t, same(land.Colors()[band], at(radius*cos, radius*sin)), "at %g, angle %g", radius, angle)
		}
		assert.Greater(t, lightness(at(0.6*cos, 0.6*sin)), lightness(at(0.4*cos, 0.4*sin)), "lower is darker")
	}
}

// Points and paths stand where they are, as far as they are within the rectangle, and the arrow of a path points along
// it, at its middle.
func TestContoursShowPointsAndPathsWhereTheyAre(t *testing.T) {
	land := bowl()
	land.Points[0].At = plotter.XYs{{X: 1.2, Y: -0.6}, {X: 5, Y: 0}}
	land.Paths[0].Lines = []plotter.XYs{{{X: -1.5, Y: -0.5}, {X: 0, Y: 0.5}, {X: 9, Y: 0.5}},
		{{X: 1.2, Y: 0}, {X: 0, Y: 0}, {X: -1.2, Y: 0}}}
	r := record(Contours{Plots: []Landscape{land}})
	box := r.images[0].Rectangle
	at := func(x, y vg.Length) vg.Point {
		return box.Min.Add(vg.Point{X: (x + 2) / 4 * box.Size().X, Y: (y + 1) / 2 * box.Size().Y})
	}
	near := func(want, got vg.Point) {
		t.Helper()
		assert.InDelta(t, float64(want.X), float64(got.X), 0.1)
		assert.InDelta(t, float64(want.Y), float64(got.Y), 0.1)
	}
	circles := r.of(white, true) // open ones, of the legend and of the point that is within
	require.Len(t, circles, 2)
	near(at(1.2, -0.6), middle(circles[1].Rectangle))

	lines, arrows := r.of(orange, false), r.of(orange, true)
	require.Len(t, lines, 3, "of the legend, too")
	near(at(-1.5, -0.5), lines[1].Min)
	near(at(2, 0.5), lines[1].Max)
	require.Len(t, arrows, 3)
	assert.InDelta(t, float64(arrows[1].Max.X), float64(arrows[1].first.X), 1e-9, "to the right")
	assert.InDelta(t, float64(arrows[2].Min.X), float64(arrows[2].first.X), 1e-9, "to the left")
	near(at(0, 0), middle(arrows[2].Rectangle))
}
