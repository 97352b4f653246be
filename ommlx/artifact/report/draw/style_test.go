package draw

import (
	"fmt"
	"image/color"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// lightness is L* of CIE 1976, from 0 (black) to 100 (white): what stays in grey.
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

// A mark is told from the others by its shape, and on white by its lightness: an open one from a filled one as well.
func TestMethodsAreToldApartInGrey(t *testing.T) {
	for ground, styles := range map[color.Color][]lineStyle{white: paperStyles, beyondGround: beyondStyles} {
		for i, a := range styles {
			assert.Greater(t, lightness(ground)-lightness(a.color), 28.0, "%+v", a)
			for _, b := range styles[:i] {
				assert.NotEqual(t, a.mark.shape, b.mark.shape)
			}
		}
	}
	for i, a := range paperStyles[:3] { // the methods of the paper: by lightness alone
		for _, b := range paperStyles[:i] {
			assert.Greater(t, math.Abs(lightness(a.color)-lightness(b.color)), 15.0)
		}
	}
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
	assert.Equal(t, diverging(1), diverging(7), "beyond the ends the colour is that of the end")
}

func TestWrapKeepsWordsAndWidth(t *testing.T) {
	style := textStyle(smallSize, ink)
	text := "one two three four five six seven eight nine ten\nsecond paragraph"
	lines := wrap(text, style, 60)
	assert.Greater(t, len(lines), 3)
	for _, line := range lines {
		assert.LessOrEqual(t, style.Width(line).Points(), 60.0, line)
	}
	assert.Equal(t, "paragraph", lines[len(lines)-1][len(lines[len(lines)-1])-len("paragraph"):])
	assert.Empty(t, wrap("", style, 60))
}

// Lines, points and paths are told apart without colour, and the methods of the learning curves look as in figure 1.
func TestLooksDiffer(t *testing.T) {
	seen := map[string]bool{}
	look := func(of string, parts ...any) {
		key := of + fmt.Sprint(parts...)
		assert.False(t, seen[key], "%s twice", key)
		seen[key] = true
	}
	for _, s := range curveStyles {
		look("curve", s.dashes, s.mark)
	}
	for _, s := range pointStyles {
		look("point", s.Shape)
	}
	for _, s := range pathStyles {
		look("path", s.dashes)
	}
	for i, s := range methodStyles {
		look("method", s.dashes, s.mark)
		assert.Equal(t, paperStyles[i].color, s.color)
		assert.Equal(t, paperStyles[i].mark.shape, s.mark.shape)
	}
}
