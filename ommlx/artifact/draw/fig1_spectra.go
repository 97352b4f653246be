package draw

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// zero is the size under which an eigenvalue of I − P is rounding error around 0. The smallest others of the paper's
// environments are above 1e-5.
const zero = 1e-10

const (
	zeroWidth   = vg.Length(11) // between 0 and the least of the other eigenvalues
	decadeLeast = vg.Length(20) // the least distance of two labels
)

// eigenvalueRange is that of the eigenvalues that are not 0.
func (f Fig1) eigenvalueRange() (low, high float64) {
	low, high = math.Inf(1), 0
	for _, e := range f.Environments {
		for _, x := range e.Spectrum {
			if x >= zero {
				low, high = min(low, x), max(high, x)
			}
		}
	}
	return low, high
}

// paintSpectra draws the eigenvalues of each environment, one below the other in the height of its rows, so that equal
// ones are seen apart.
//
// The axis is logarithmic, since the eigenvalues of the twelve environments span five decades. Zeros (one for each
// connected part of the environment) have a place of their own, to which no line is drawn.
func (l fig1Layout) paintSpectra(c vgdraw.Canvas) {
	panel := l.columns[len(l.Panels)]
	low, high := l.eigenvalueRange()
	low, high = math.Log10(low), math.Log10(high)
	start, end := panel.from+columnPad+zeroWidth, panel.to-columnPad
	decade := (end - start) / vg.Length(max(high-low, 0.1))
	at := func(value float64) vg.Length {
		if value < zero {
			return panel.from + columnPad
		}
		return start + decade*vg.Length(math.Log10(value)-low)
	}
	l.paintAxis(c, panel, spectrumTicks(low, high, decade), at)
	cut := panel.from + columnPad + 0.45*zeroWidth
	c.StrokeLine2(vgdraw.LineStyle{Color: white, Width: 2}, cut-1.2, l.bottom, cut+1.2, l.bottom)
	for _, dx := range []vg.Length{-1.4, 1.4} {
		c.StrokeLine2(vgdraw.LineStyle{Color: ink, Width: axisLine}, cut+dx-1, l.bottom-2.2, cut+dx+1, l.bottom+2.2)
	}
	l.axisLabel(c, (panel.from+panel.to)/2, "eigenvalue")
	for i, e := range l.Environments {
		top := l.top() - vg.Length(i)*l.block - blockApart/2
		glyph := vgdraw.GlyphStyle{Color: grey, Radius: 0.9, Shape: marker{circle, true}}
		if e.Hard {
			glyph = vgdraw.GlyphStyle{Color: ink, Radius: 1.1, Shape: marker{cross, true}}
		}
		var all, positive []vg.Point
		for m, value := range e.Spectrum {
			step := (l.block - blockApart) / vg.Length(len(e.Spectrum))
			all = append(all, vg.Point{X: at(value), Y: top - (vg.Length(m)+0.5)*step})
			if value >= zero {
				positive = append(positive, all[m])
			}
		}
		c.StrokeLines(vgdraw.LineStyle{Color: grey, Width: hairline}, positive)
		for _, pt := range all {
			c.DrawGlyphNoClip(glyph, pt)
		}
	}
}

// spectrumTicks labels 0 and powers of ten from 10^low to 10^high, the highest first, as many as there is room for.
func spectrumTicks(low, high float64, decade vg.Length) []plot.Tick {
	ticks := []plot.Tick{{Value: 0, Label: "0"}}
	every := int(math.Ceil(float64(decadeLeast / decade)))
	highest := int(math.Floor(high))
	for k := highest; float64(k) >= low; k-- {
		t := plot.Tick{Value: math.Pow10(k)}
		if (highest-k)%every == 0 {
			t.Label = decadeLabel(k)
		}
		ticks = append(ticks, t)
	}
	return ticks
}

func decadeLabel(k int) string {
	if k >= -3 && k <= 3 {
		return strconv.FormatFloat(math.Pow10(k), 'f', -1, 64)
	}
	return fmt.Sprintf("1e%d", k)
}
