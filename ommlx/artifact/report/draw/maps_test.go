package draw

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lightness returns L* of CIE 1976, from 0 (black) to 100 (white).
func lightness(c color.Color) float64 {
	linear := func(v uint32) float64 {
		x := float64(v) / 0xffff
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	r, g, b, _ := c.RGBA()
	return 116*math.Cbrt(0.2126*linear(r)+0.7152*linear(g)+0.0722*linear(b)) - 16
}

func TestDivergingScaleShowsSignAndSizeInGrey(t *testing.T) {
	assert.InDelta(t, 100, lightness(diverging(0)), 0.1)
	for _, sign := range []float64{-1, 1} {
		for i := range 10 {
			here, further := lightness(diverging(sign*float64(i)/10)), lightness(diverging(sign*float64(i+1)/10))
			assert.Greater(t, here, further, "further from zero is darker")
		}
	}
	assert.Greater(t, lightness(diverging(1))-lightness(diverging(-1)), 20.0)
	assert.Equal(t, diverging(1), diverging(7))
}

func TestLooksDifferWithoutColour(t *testing.T) {
	for _, looks := range [][]look{curveLooks, methodLooks, beyondLooks, pointLooks, dotLooks} {
		seen := map[string]bool{}
		for _, l := range looks {
			key := fmt.Sprintf("%T", l.glyph)
			assert.False(t, seen[key], key)
			seen[key] = true
		}
	}
	for i, a := range methodLooks { // in figure 1 also by lightness
		for _, b := range methodLooks[:i] {
			assert.Greater(t, math.Abs(lightness(a.color)-lightness(b.color)), 15.0)
		}
	}
}

// cellColours returns the colours of the first n states, in the order of their values.
func cellColours(d Drawing, n int) (all []color.Color) {
	for _, p := range record(d).paths {
		if w := p.Size().X; p.filled && w > 20 && math.Abs(float64(w-p.Size().Y)) < 1e-6 && !same(p.color, wallInk) {
			all = append(all, p.color)
		}
	}
	return all[:n]
}

// The values ±5 scale to ±1 and ±7 to ±√2, so the first map is not drawn in full colour.
func TestHeatMapsShareTheScaleOfTheirBar(t *testing.T) {
	layout := Layout{Name: "g", Rows: []string{"  X", "X  "}}
	m := HeatMaps{Columns: 3, Maps: []HeatMap{{Layout: layout, Values: []float64{-5, 5, 5, 5}},
		{Layout: layout, Values: []float64{0, 7, -7, 0}}}}
	got := cellColours(m, 8)
	for i, share := range []float64{-1 / math.Sqrt2, 1 / math.Sqrt2, 1 / math.Sqrt2, 1 / math.Sqrt2, 0, 1, -1, 0} {
		assert.True(t, same(diverging(share), got[i]), "state %d: %v", i, got[i])
	}
	assert.Subset(t, record(m).words(), []string{"−1.41", "+1.41"})
	shares := HeatMaps{Shares: true, Columns: 3, Maps: []HeatMap{{Layout: layout, Values: []float64{0, 0.5, 0.25, 1}}}}
	for i, colour := range cellColours(shares, 4) {
		assert.True(t, same(sequential([]float64{0, 0.5, 0.25, 1}[i]), colour), "state %d", i)
	}
}

// Rows go downwards, columns to the right.
func TestWallsAreInPlace(t *testing.T) {
	r := record(Fig3{Layouts: []Layout{{Name: "g", Rows: []string{"X  ", " XX"}}}})
	walls := r.of(wallInk, true)
	require.Len(t, walls, 1)
	frame := r.of(wallInk, false)[0].Rectangle
	assert.Equal(t, frame.Min.X, walls[0].Min.X)
	assert.InDelta(t, float64(frame.Max.X), float64(walls[0].Max.X), 1e-9)
	assert.InDelta(t, 1.5, float64(frame.Size().X/frame.Size().Y), 1e-9, "cells are squares")
	assert.Contains(t, r.words(), "3 states")
}

// panelAt returns the colour of a panel of a single block at x to the right and y upwards, both from 0 to 1.
func panelAt(f Panels, row, column int, x, y float64) color.Color {
	r := record(f)
	frames := slices.DeleteFunc(r.of(grey, false), func(p recorded) bool { return p.Size().X < 20 })
	box, all := frames[row*len(f.Rows[0].Maps)+column].Rectangle, r.images[0]
	px := float64(box.Min.X-all.Min.X+box.Size().X*lengthOf(x)) / float64(pixel)
	py := float64(all.Max.Y-box.Min.Y-box.Size().Y*lengthOf(y)) / float64(pixel)
	return all.image.At(int(px), int(py))
}

// A map that is positive for large first coordinates is orange on the right. A map that is negative for large second
// coordinates is navy at the top.
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
	f := Panels{Rows: []PanelRow{{Label: "a", Maps: [][]float64{right, above}}}}
	for _, other := range []float64{0.2, 0.8} {
		assert.True(t, same(diverging(1), panelAt(f, 0, 0, 0.9, other)))
		assert.True(t, same(diverging(0), panelAt(f, 0, 0, 0.1, other)))
		assert.True(t, same(diverging(-1), panelAt(f, 0, 1, other, 0.9)))
		assert.True(t, same(diverging(0), panelAt(f, 0, 1, other, 0.1)))
	}
}

// The scale of a column ends at its largest value in any row.
func TestPanelsShareAScalePerColumn(t *testing.T) {
	flat, steep := []float64{1, 1, 1, 1}, []float64{2, 0, 0, 0}
	f := Panels{Rows: []PanelRow{{Maps: [][]float64{flat, flat}}, {Maps: [][]float64{steep, flat}}}}
	for i, share := range []float64{0.5, 1, 1, 1} { // row by row
		assert.True(t, same(diverging(share), panelAt(f, i/2, i%2, 0.02, 0.02)), "panel %d", i)
	}
}

func TestContoursHaveEqualScalesAndBandsAtTheirLevels(t *testing.T) {
	land := sampleLandscape()
	bands := record(Contours{XLabel: "x", YLabel: "y", Plots: []Landscape{land}}).images[0]
	assert.InDelta(t, 2, float64(bands.Size().X/bands.Size().Y), 0.03)
	size := bands.image.Bounds().Size()
	for band, radius := range []float64{0.5, 0.7, 0.9} {
		got := bands.image.At(int((radius+2)/4*float64(size.X)), size.Y/2)
		assert.True(t, same(land.Colors()[band], got), "radius %g", radius)
	}
}

// Rows go downwards, columns to the right, and the other method is on the far right.
func TestScoresHavePlaceAndColour(t *testing.T) {
	f := sampleScores()
	f.Maps = f.Maps[:1]
	r := record(f)
	at := func(words string) (x, y float64) { return centre(r.at(words)) }
	x1, y1 := at("0.500")
	x2, y2 := at("0.700")
	x3, y3 := at("0.600")
	x4, _ := at("0.750")
	assert.True(t, x1 < x2 && x2 < x4 && math.Abs(y1-y2) < 1e-6 && math.Abs(x1-x3) < 1e-6 && y3 < y1)
	assert.Subset(t, r.words(), []string{"not run", "diverged", "theirs", "first", "best", "0.5", "1"})
	low, high := f.bounds()
	assert.Equal(t, [2]float64{0.5, 1}, [2]float64{low, high})
	cells := slices.DeleteFunc(r.of(sequential(0.4), true), func(p recorded) bool { return p.Size().Y < 10 })
	require.Len(t, cells, 1)
	x, _ := centre(cells[0].Rectangle)
	assert.InDelta(t, x2, x, 1e-6)
	f.Maps[0].Other = ScoreCell{Empty: "not run"}
	for i := range 6 {
		f.Maps[0].Cells[i/3][i%3] = ScoreCell{Empty: "not run"}
	}
	low, high = f.bounds()
	assert.Equal(t, [2]float64{0, 1}, [2]float64{low, high}, "a map without scores")
}
