package draw

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Looks of the spectra. A hard instance is dark and marked with x; the others are told apart by colour and marker.
var (
	hardStyles = []lineStyle{
		{ink, nil, marker{cross, true}},
		{vermillion, []vg.Length{4, 1.5}, marker{cross, true}},
		{blue, []vg.Length{1.2, 1.2}, marker{cross, true}},
		{purple, []vg.Length{4, 1.2, 1, 1.2}, marker{cross, true}},
	}
	easyStyles = []lineStyle{
		{skyBlue, nil, marker{circle, true}},
		{orange, nil, marker{circle, false}},
		{green, nil, marker{square, true}},
		{purple, nil, marker{square, false}},
		{blue, nil, marker{triangle, true}},
		{vermillion, nil, marker{triangle, false}},
		{grey, nil, marker{diamond, true}},
		{ink, nil, marker{diamond, false}},
	}
)

// spectrumStyles gives every environment its look. Beyond eight easy or four hard instances the looks repeat.
func (f Fig1) spectrumStyles() []lineStyle {
	styles := make([]lineStyle, len(f.Environments))
	hard, easy := 0, 0
	for i, e := range f.Environments {
		if e.Hard {
			styles[i] = hardStyles[hard%len(hardStyles)]
			hard++
		} else {
			styles[i] = easyStyles[easy%len(easyStyles)]
			easy++
		}
	}
	return styles
}

// zero is the size under which an eigenvalue of I − P is rounding error around 0. The smallest others of the paper's
// environments are above 1e-5.
const zero = 1e-10

// zeroAndLog is a logarithmic axis with a row of its own for 0 at the bottom.
type zeroAndLog struct{}

const zeroRow = 0.1 // share of the axis between 0 and the smallest value shown

// Normalize implements [plot.Normalizer].
func (zeroAndLog) Normalize(lowest, highest, x float64) float64 {
	if x < zero {
		return 0
	}
	return zeroRow + (1-zeroRow)*plot.LogScale{}.Normalize(lowest, highest, x)
}

// paintSpectra draws the right panel with its data area between bottom and top, and the legend under it.
//
// The axis is logarithmic, since the eigenvalues of the twelve environments span five decades. The gap between
// neighbours goes with their size: the lower a curve, the smaller its gaps. Zeros (one for each connected part of the
// environment) have a row of their own, to which no line is drawn.
func (f Fig1) paintSpectra(c vgdraw.Canvas, bottom, top vg.Length) {
	n := len(f.Environments[0].Spectrum)
	p := newPlot("mode (× = hard instance)", "eigenvalue of I – P")
	p.X.Min, p.X.Max = 1, float64(n)
	var modes plot.ConstantTicks
	for i := 1; i <= n; i++ {
		t := plot.Tick{Value: float64(i), Label: strconv.Itoa(i)}
		if n > 12 && i%5 != 0 {
			t.Label = ""
		}
		modes = append(modes, t)
	}
	p.X.Tick.Marker = modes
	p.X.Tick.Length = 2
	p.X.Padding, p.Y.Padding = 4, 4
	low, high := f.eigenvalueRange()
	p.Y.Scale = zeroAndLog{}
	p.Y.Min, p.Y.Max = low*0.8, high*1.25
	first, last := int(math.Floor(math.Log10(low))), int(math.Ceil(math.Log10(high)))
	p.Y.Tick.Marker = zeroAndDecades(first, last, p.Y.Min)
	p.Add(gridLines{y: true}, axisBreak{}, spectra(f))

	for range 3 { // the room for tick labels depends on the height, a little
		area := p.DataCanvas(c)
		c.Min.Y += bottom - area.Min.Y
		c.Max.Y += top - area.Max.Y
	}
	p.Draw(c)
	f.spectrumLegend(c)
}

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

// zeroAndDecades labels 0 and the powers of ten from 10^first to 10^last, with small ticks between them above lowest.
func zeroAndDecades(first, last int, lowest float64) plot.ConstantTicks {
	ticks := plot.ConstantTicks{{Value: 0, Label: "0"}}
	for k := first; k <= last; k++ {
		for m := 1; m < 10; m++ {
			t := plot.Tick{Value: float64(m) * math.Pow10(k)}
			if m == 1 {
				t.Label = decadeLabel(k)
			}
			if t.Value >= lowest {
				ticks = append(ticks, t)
			}
		}
	}
	return ticks
}

func decadeLabel(k int) string {
	if k >= -3 && k <= 3 {
		return strconv.FormatFloat(math.Pow10(k), 'f', -1, 64)
	}
	return fmt.Sprintf("1e%d", k)
}

// axisBreak cuts the vertical axis between the row of zeros and the logarithmic part.
type axisBreak struct{}

// Plot implements [plot.Plotter].
func (axisBreak) Plot(c vgdraw.Canvas, p *plot.Plot) {
	x, y := c.Min.X-p.Y.Padding, c.Y(zeroRow*0.55)
	c.StrokeLine2(vgdraw.LineStyle{Color: white, Width: 2}, x, y-1.2, x, y+1.2)
	for _, dy := range []vg.Length{-1.4, 1.4} {
		c.StrokeLine2(vgdraw.LineStyle{Color: ink, Width: axisLine}, x-2.2, y+dy-1, x+2.2, y+dy+1)
	}
}

// spectrumFoot is the height that the axis and the legend take below the spectra.
func (f Fig1) spectrumFoot() vg.Length {
	const axis = vg.Length(30) // ticks, mode numbers and label
	return axis + vg.Length((len(f.Environments)+1)/2)*lineHeight
}

// spectrumLegend writes the environments in two columns under the panel c.
func (f Fig1) spectrumLegend(c vgdraw.Canvas) {
	styles := f.spectrumStyles()
	perColumn := (len(styles) + 1) / 2
	column := c.Size().X / 2
	for i, e := range f.Environments {
		x := c.Min.X + vg.Length(i/perColumn)*column
		y := c.Min.Y - vg.Length(i%perColumn+1)*lineHeight
		lineKey(e.label(), styles[i]).at(c, x, y)
	}
}

// spectra draws one curve per environment, the hard instances last and so on top. One dot stands for the first
// eigenvalue, 0 in all of them.
type spectra Fig1

// Plot implements [plot.Plotter].
func (s spectra) Plot(c vgdraw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	styles := Fig1(s).spectrumStyles()
	c.DrawGlyphNoClip(vgdraw.GlyphStyle{Color: ink, Radius: 1.7, Shape: marker{circle, true}},
		vg.Point{X: x(1), Y: y(0)})
	for _, hard := range []bool{false, true} {
		for i, e := range s.Environments {
			if e.Hard != hard {
				continue
			}
			var pts, positive []vg.Point
			for j, value := range e.Spectrum[1:] {
				pt := vg.Point{X: x(float64(j + 2)), Y: y(value)}
				pts = append(pts, pt)
				if value >= zero {
					positive = append(positive, pt)
				}
			}
			c.StrokeLines(styles[i].line(), positive)
			for _, pt := range pts {
				c.DrawGlyphNoClip(styles[i].glyph(), pt)
			}
		}
	}
}
