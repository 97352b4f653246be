package draw

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

// unit has the colours from −1 to 1.
var unit = scaleOf([]float64{1}, smooth)

// brightness returns how bright a colour is in greyscale, from 0 (black) to 1.
func brightness(c color.Color) float64 {
	return float64(color.GrayModel.Convert(c).(color.Gray).Y) / 255
}

func TestDivergingScaleShowsSignAndSizeInGrey(t *testing.T) {
	colours := scaleOf([]float64{2}, smooth)
	assert.InDelta(t, 1, brightness(colours.at(0)), 1e-12)
	for _, sign := range []float64{-1, 1} {
		for i := range 10 {
			here, further := brightness(colours.at(sign*float64(i)/5)), brightness(colours.at(sign*float64(i+1)/5))
			assert.Greater(t, here, further, "further from zero is darker")
		}
	}
	assert.Greater(t, brightness(colours.at(2))-brightness(colours.at(-2)), 0.2)
}

func TestLooksDifferWithoutColour(t *testing.T) {
	glyphs, dashes := map[string]bool{}, map[string]bool{}
	for _, l := range markings {
		glyphs[fmt.Sprintf("%T", l.glyph)], dashes[fmt.Sprint(l.dashes)] = true, true
	}
	assert.Len(t, glyphs, len(markings))
	assert.Len(t, dashes, len(markings))
}

// pixel returns the colour of an image of a drawing at x to the right and y upwards, both from 0 to 1.
func (r recording) pixel(image int, x, y float64) color.Color {
	all := r.images[image].image
	size := all.Bounds().Size()
	return all.At(int(x*float64(size.X)), size.Y-1-int(y*float64(size.Y)))
}

// Rows go downwards, columns to the right. A scale ends at the largest value of its map, which the caption has.
func TestHeatMapsHaveTheirValues(t *testing.T) {
	layout := Layout{Name: "g", Rows: []string{"  X", "X  "}}
	places := [][2]float64{{0.2, 0.75}, {0.5, 0.75}, {0.5, 0.25}, {0.8, 0.25}}
	maps := []HeatMap{{Layout: layout, Values: []float64{-5, 5, 2.5, 0}},
		{Layout: layout, Values: []float64{0, 0.1, -0.1, 0}}}
	r := record(HeatMaps{Maps: maps})
	for i, want := range []float64{-1, 1, 0.5, 0, 0, 1, -1, 0} {
		at := places[i%4]
		assert.True(t, same(unit.at(want), r.pixel(i/4, at[0], at[1])), "state %d", i)
	}
	assert.True(t, same(wallInk, r.pixel(0, 0.2, 0.25)))
	assert.Equal(t, []string{"±0.10", "±5.0"}, slices.Sorted(slices.Values(r.words())))
	r = record(HeatMaps{Shares: true, Maps: []HeatMap{{Layout: layout, Values: []float64{0, 0.5, 0.25, 1}}}})
	for i, at := range places {
		assert.True(t, same(sequential.at([]float64{0, 0.5, 0.25, 1}[i]), r.pixel(1, at[0], at[1])), "state %d", i)
	}
}

// Maps of different heights in a row stand on one line, with their captions below it.
func TestCaptionsAreOnOneLine(t *testing.T) {
	low, high := Layout{Rows: []string{"  "}}, Layout{Rows: []string{"  ", "  ", "  "}}
	r := record(HeatMaps{Maps: []HeatMap{{Title: "low", Layout: low, Values: []float64{1, 2}},
		{Title: "high", Layout: high, Values: []float64{1, 2, 3, 4, 5, 6}}}})
	assert.InDelta(t, float64(r.images[0].Min.Y), float64(r.images[1].Min.Y), 1e-6)
	assert.InDelta(t, float64(r.at("low").Min.Y), float64(r.at("high").Min.Y), 1e-6)
	assert.Less(t, r.images[0].Size().Y, r.images[1].Size().Y)
}

func TestLayoutsAreNamed(t *testing.T) {
	r := record(HeatMaps{Maps: []HeatMap{{Layout: Layout{Name: "g", Rows: []string{"X  ", " XX"}}}}})
	frame := r.of(wallInk, false)[0].Rectangle
	assert.InDelta(t, 1.5, float64(frame.Size().X/frame.Size().Y), 1e-9, "cells are squares")
	assert.Equal(t, []string{"3 states", "g"}, slices.Sorted(slices.Values(r.words())), "without a colour bar")
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
	r := record(Panels{Rows: []PanelRow{{Label: "a", Maps: [][]float64{right, above}}}})
	for _, other := range []float64{0.2, 0.8} {
		assert.True(t, same(unit.at(1), r.pixel(0, 0.9, other)))
		assert.True(t, same(unit.at(0), r.pixel(0, 0.1, other)))
		assert.True(t, same(unit.at(-1), r.pixel(1, other, 0.9)))
		assert.True(t, same(unit.at(0), r.pixel(1, other, 0.1)))
	}
	assert.Subset(t, r.words(), []string{"±1.0", "±2.0"})
}

// Labels are at the left of their row, titles of columns above, captions below.
func TestPanelsHaveNames(t *testing.T) {
	maps := [][]float64{{1, 2, 3, 4}, {4, 3, 2, 1}}
	rows := []PanelRow{{Label: "up", Maps: maps, Titles: []string{"c"}}, {Label: "down", Maps: maps}}
	r := record(Panels{Head: []string{"1", "2"}, Rows: rows})
	for row, label := range []string{"up", "down"} {
		first, at := r.images[2*row].Rectangle, r.at(label)
		assert.Less(t, at.Max.X, first.Min.X)
		assert.InDelta(t, centre(first).Y, centre(at).Y, 3)
	}
	for i, head := range []string{"1", "2"} {
		at := centre(r.at(head))
		assert.InDelta(t, centre(r.images[i].Rectangle).X, at.X, 15)
		assert.Greater(t, at.Y, float64(r.images[i].Max.Y))
	}
	assert.Less(t, r.at("c").Max.Y, r.images[0].Min.Y)
}

// A nil map leaves its place empty, and a block of columns has no row without maps.
func TestPanelsHaveInsets(t *testing.T) {
	whole, inset := slices.Repeat([][]float64{{1, 2, 3, 4}}, 9), make([][]float64, 9) // five columns and four
	inset[8] = whole[8]
	r := record(Panels{Rows: []PanelRow{{Label: "a", Maps: whole}, {Maps: inset}}})
	assert.InDelta(t, centre(r.images[8].Rectangle).X, centre(r.images[9].Rectangle).X, 1)
	assert.Less(t, r.images[9].Max.Y, r.images[8].Min.Y)
	assert.Len(t, r.images, 10)
}

func TestContoursHaveEqualScalesAndBandsAtTheirLevels(t *testing.T) {
	land := sampleLandscape()
	r := record(Contours{XLabel: "x", YLabel: "y", Plots: []Landscape{land}})
	assert.Subset(t, r.words(), []string{"minimum", "descent", "start of a path", "darker: lower"})
	bands := r.images[0]
	assert.InDelta(t, 2, float64(bands.Size().X/bands.Size().Y), 0.03)
	size := bands.image.Bounds().Size()
	for band, radius := range []float64{0.5, 0.7, 0.9} {
		got := bands.image.At(int((radius+2)/4*float64(size.X)), size.Y/2)
		assert.True(t, same(tint(navy, 0.65*(1-float64(band)/2)), got), "radius %g", radius)
	}
	heads := slices.DeleteFunc(r.of(markings[0].color, true), func(p recorded) bool { return p.Size().X < 4 })
	assert.Len(t, heads, 1, "the path has an arrowhead where it is inside")
}

// A scale of shares can begin above 0. The frame of a cell is around it, and the legend explains it.
func TestMatricesHaveNamesNumbersFramesAndAScale(t *testing.T) {
	f := sampleMatrix()
	f.Low, f.Maps[0].Frames = 0.5, []MapFrame{{Name: "the best", Row: 1, Column: 0}}
	r := record(f)
	first, right, below := centre(r.at("0.500")), centre(r.at("0.700")), centre(r.at("0.250"))
	assert.True(t, first.X < right.X && below.Y < first.Y)
	assert.InDelta(t, first.X, below.X, 1e-6)
	assert.InDelta(t, first.Y, right.Y, 1e-6)
	assert.InDelta(t, right.X, centre(r.at("2")).X, 3)
	assert.InDelta(t, below.Y, centre(r.at("b")).Y, 3)
	assert.Subset(t, r.words(), []string{"the best", "0.5 or less", "1"})
	assert.True(t, same(white, r.pixel(1, 0.25, 0.25)), "0.25 is less than 0.5")
	assert.True(t, same(tint(navy, 0.4), r.pixel(1, 0.75, 0.75)), "0.7 is two fifths of the way from 0.5 to 1")
	frame := r.centres(markings[4].color, false)[1] // after the legend's
	assert.InDelta(t, below.X, frame.X, 3)
	assert.InDelta(t, below.Y, frame.Y, 3)
}

// The panels of figure 1 have the same width, although the first one has the names of the rows.
func TestPanelsOfFigure1HaveTheSameWidth(t *testing.T) {
	r := record(sampleFig1())
	var widths []float64
	for _, p := range r.of(grey, false) { // the rules between environments
		if p.Size().Y < 1e-6 && p.Min.Y < r.at("Room").Min.Y {
			widths = append(widths, float64(p.Size().X))
		}
	}
	assert.NotEmpty(t, widths)
	for _, width := range widths[1:] {
		assert.InDelta(t, widths[0], width, 0.1)
	}
}

// Columns has the same default in a film as in a figure, and the same maps are errors. A film ends with its last frame.
func TestFilmOfMaps(t *testing.T) {
	var film Film
	_, err := film.Figure()
	require.Error(t, err)
	m := HeatMap{Layout: Layout{Rows: []string{"X  "}}, Values: []float64{-1, 1}}
	maps := HeatMaps{Maps: []HeatMap{m, m}}
	require.NoError(t, film.Add(maps))
	require.Equal(t, testkit.Must(maps.Figure()).Height, testkit.Must(film.Figure()).Height)
	m.Values = []float64{1}
	require.ErrorContains(t, film.Add(HeatMaps{Maps: []HeatMap{m, m}}), "1 values")
	frame := testkit.Must(png.Decode(bytes.NewReader(testkit.Must(film.PNG()))))
	left := frame.Bounds().Dx() / 4
	assert.True(t, same(unit.at(-1), frame.At(left, 30)) && same(wallInk, frame.At(20, 30)))
}
