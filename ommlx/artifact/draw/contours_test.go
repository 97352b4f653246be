package draw

import (
	"image/color"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

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
