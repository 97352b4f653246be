package draw

import (
	"image"
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

// frame returns the pixels of the rectangle of the only plot: those of the outermost band's colour reach its edges.
func frame(t *testing.T, img image.Image, outside color.Color) image.Rectangle {
	t.Helper()
	box := image.Rectangle{}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if same(img.At(x, y), outside) {
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	require.False(t, box.Empty(), "no plot found")
	return box
}

// band is the colour of a value.
func band(l Landscape, value float64) color.Color { return l.Colors()[int(l.below(value))] }

func same(a, b color.Color) bool {
	r, g, bl, _ := a.RGBA()
	wr, wg, wb, _ := b.RGBA()
	return [3]uint32{r, g, bl} == [3]uint32{wr, wg, wb}
}

func TestContoursHaveEqualScalesAndBandsWhereTheLevelsAre(t *testing.T) {
	land := bowl()
	land.Levels = append(land.Levels, 100) // so that the band outside is not white as the page is
	fig, err := Contours{XLabel: "x", YLabel: "y", Plots: []Landscape{land}}.Figure()
	img := drawn(t, fig, err)
	box := frame(t, img, band(land, 50))
	assert.InDelta(t, 2, float64(box.Dx())/float64(box.Dy()), 0.03)
	at := func(x, y float64) color.Color {
		return img.At(box.Min.X+int((x+2)/4*float64(box.Dx())), box.Max.Y-int((y+1)/2*float64(box.Dy())))
	}
	for _, angle := range []float64{1, 2, 3.5, 5, 6} {
		sin, cos := math.Sincos(angle)
		for radius, value := range map[float64]float64{0.4: 0.16, 0.6: 0.36, 0.9: 0.81} {
			assert.True(t, same(band(land, value), at(radius*cos, radius*sin)), "radius %g at angle %g", radius, angle)
		}
		assert.Greater(t, lightness(at(0.6*cos, 0.6*sin)), lightness(at(0.4*cos, 0.4*sin)), "lower is darker")
	}
}

func TestContoursShowPointsAndPathsWhereTheyAre(t *testing.T) {
	plain := bowl()
	plain.Levels = append(plain.Levels, 100)
	image := func(points plotter.XYs, path plotter.XYs) image.Image {
		land := plain
		land.Points = []Points{{Name: "minimum", At: points}}
		land.Paths = []Paths{{Name: "descent", Directed: true}}
		if path != nil {
			land.Paths[0].Lines = []plotter.XYs{path}
		}
		fig, err := Contours{Plots: []Landscape{land}}.Figure()
		return drawn(t, fig, err)
	}
	empty := image(nil, nil)
	box := frame(t, empty, band(plain, 50))
	pixel := func(x, y float64) (float64, float64) {
		return float64(box.Min.X) + (x+2)/4*float64(box.Dx()), float64(box.Max.Y) - (y+1)/2*float64(box.Dy())
	}

	mark := difference(t, empty, image(plotter.XYs{{X: 1.2, Y: -0.6}, {X: 5, Y: 0}}, nil))
	x, y := pixel(1.2, -0.6)
	assert.InDelta(t, x, float64(mark.Min.X+mark.Max.X)/2, 2)
	assert.InDelta(t, y, float64(mark.Min.Y+mark.Max.Y)/2, 2)
	assert.Less(t, mark.Dx(), 30, "points beyond the rectangle are not drawn")

	line := difference(t, empty, image(nil, plotter.XYs{{X: -1.5, Y: -0.5}, {X: 1, Y: 0.5}, {X: 9, Y: 0.5}}))
	left, bottom := pixel(-1.5, -0.5)
	right, top := pixel(2, 0.5)
	assert.InDelta(t, left, float64(line.Min.X), 3)
	assert.InDelta(t, bottom, float64(line.Max.Y), 3)
	assert.InDelta(t, right, float64(line.Max.X), 3, "a path is cut at the edge")
	assert.InDelta(t, top, float64(line.Min.Y), 8) // half the arrow above it
}

func TestContoursAreTheSameBytesEveryTime(t *testing.T) {
	f := Contours{XLabel: "x", YLabel: "y", Note: "a bowl", Plots: []Landscape{bowl(), bowl(), bowl()}}
	var first []byte
	for range 3 {
		fig, err := f.Figure()
		require.NoError(t, err)
		assert.Equal(t, vg.Length(TextWidth), fig.Width)
		png, err := PNG(fig)
		require.NoError(t, err)
		if first == nil {
			first = png
		}
		require.Equal(t, first, png)
	}
}

func TestKindsOfPointsAndPathsAreToldApartWithoutColour(t *testing.T) {
	seen := map[marker]bool{}
	for _, style := range pointStyles {
		assert.False(t, seen[style.mark], "%+v twice", style.mark)
		seen[style.mark] = true
	}
	for i, a := range pathStyles {
		for _, b := range pathStyles[:i] {
			assert.NotEqual(t, a.dashes, b.dashes)
		}
	}
}

func TestContoursRefuse(t *testing.T) {
	for want, spoil := range map[string]func(*Landscape){
		"not finite at": func(l *Landscape) { l.F = func(x, _ float64) float64 { return math.Log(x) } },
		"points ":       func(l *Landscape) { l.Points[0].At[0].X = math.NaN() },
		"paths ":        func(l *Landscape) { l.Paths[0].Lines[0][0].X = math.NaN() },
	} {
		land := bowl()
		spoil(&land)
		_, err := Contours{Plots: []Landscape{land}}.Figure()
		assert.ErrorContains(t, err, want)
	}
}

// The arrow of a directed path points along it: it is broad where it begins.
func TestDirectedPathsHaveAnArrow(t *testing.T) {
	arrow := func(from, to float64) (heights []int) { // of its columns, from left to right
		land := bowl()
		land.Points = nil
		land.Paths[0].Lines = []plotter.XYs{{{X: from, Y: 0}, {X: (from + to) / 2, Y: 0}, {X: to, Y: 0}}}
		fig, err := Contours{Plots: []Landscape{land}}.Figure()
		img := drawn(t, fig, err)
		for x := range img.Bounds().Dx() {
			height := 0
			for y := 200; y < img.Bounds().Dy(); y++ { // below the legend
				if same(img.At(x, y), orange) {
					height++
				}
			}
			if height > 2 { // of the line
				heights = append(heights, height)
			}
		}
		require.Greater(t, len(heights), 2, "no arrow found")
		return heights
	}
	right, left := arrow(-1.2, 1.2), arrow(1.2, -1.2)
	assert.Greater(t, right[0], right[len(right)-1])
	assert.Less(t, left[0], left[len(left)-1])
}
