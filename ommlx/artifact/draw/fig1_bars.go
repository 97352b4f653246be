package draw

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

var (
	notRunMark   = vgdraw.GlyphStyle{Color: ink, Radius: 1.9, Shape: marker{diamond, false}}
	divergedMark = vgdraw.GlyphStyle{Color: vermillion, Radius: 1.9, Shape: marker{wedge, true}}
	runMark      = vgdraw.GlyphStyle{Color: ink, Radius: 0.75, Shape: marker{circle, true}}
)

// barsTop is the top of the similarity axis: above 1, so that marks and whiskers at 1 stay inside.
const barsTop = 1.06

const keyIndent = vg.Length(28) // brings a legend of the bars in line with their axis

// paintKeys writes keys in rows from the top of c on and returns the rest.
func paintKeys(c vgdraw.Canvas, keys []key) vgdraw.Canvas {
	for _, row := range flow(keys, c.Size().X-keyIndent) {
		c.Max.Y -= lineHeight + 1.5
		x := c.Min.X + keyIndent
		for _, k := range row {
			k.at(c, x, c.Max.Y+1)
			x += k.width() + keyGap
		}
	}
	return c
}

// nameFoot is the height that the turned names of the environments take.
func (f Fig1) nameFoot() vg.Length {
	var widest vg.Length
	for _, e := range f.Environments {
		widest = max(widest, turnedName.Width(e.label()))
	}
	return widest*math.Sqrt2/2 + smallSize
}

var turnedName = func() text.Style {
	s := textStyle(smallSize, ink)
	s.Rotation, s.XAlign, s.YAlign = math.Pi/4, text.XRight, text.YCenter
	return s
}()

// paintBars draws the left panel, with at least foot below its data, and returns where the data area begins and ends.
func (f Fig1) paintBars(c vgdraw.Canvas, foot vg.Length) (bottom, top vg.Length) {
	names := f.nameFoot()
	marks := c
	c.Min.Y += max(foot, names+2*lineHeight)
	marks.Max.Y = c.Min.Y - names - 4
	paintKeys(marks, f.markKeys())

	p := newPlot("", "average cosine similarity")
	p.Y.Min, p.Y.Max = 0, barsTop
	p.Y.Tick.Marker = plot.ConstantTicks{{Value: 0, Label: "0"}, {Value: 0.2, Label: "0.2"}, {Value: 0.4, Label: "0.4"},
		{Value: 0.6, Label: "0.6"}, {Value: 0.8, Label: "0.8"}, {Value: 1, Label: "1"}}
	p.X.Min, p.X.Max = -0.5, float64(len(f.Environments))-0.5
	p.HideX() // axis and names are drawn by the bars: gonum lets turned names run into the data
	p.Add(groupBands(len(f.Environments)), gridLines{y: true}, groupedBars(f))
	p.Draw(c)
	area := p.DataCanvas(c)
	return area.Min.Y, area.Max.Y
}

func (f Fig1) methodKeys() []key {
	var keys []key
	for _, s := range f.series() {
		label := s.method
		if s.beyond {
			label = "beyond the paper: " + label
		}
		keys = append(keys, boxKey(label, s.style))
	}
	return keys
}

// markKeys explain the marks that occur.
func (f Fig1) markKeys() []key {
	var keys []key
	var several, ritz, notRun, diverged bool
	for _, e := range f.Environments {
		for _, b := range e.Bars {
			several = several || len(b.Runs) > 1
			ritz = ritz || len(b.Ritz) > 0
			notRun = notRun || b.NotRun
			diverged = diverged || b.Diverged > 0
		}
	}
	if several {
		keys = append(keys, glyphKey("one run", runMark), whiskerKey())
	}
	if ritz {
		keys = append(keys, key{"after a Ritz step", func(c vgdraw.Canvas, r vg.Rectangle) {
			ritzLine(c, r.Min.X+3, r.Max.X-3, (r.Min.Y+r.Max.Y)/2)
		}})
	}
	if notRun {
		keys = append(keys, glyphKey("not run", notRunMark))
	}
	if diverged {
		keys = append(keys, glyphKey("diverged", divergedMark))
	}
	return keys
}

func whiskerKey() key {
	return key{"± 1 std. dev.", func(c vgdraw.Canvas, r vg.Rectangle) {
		c.Rectangle = r
		whisker(c, (r.Min.X+r.Max.X)/2, r.Min.Y, r.Max.Y, 2)
	}}
}

// whisker draws a vertical error bar with caps of the given half width. An end beyond c is cut off and has no cap.
func whisker(c vgdraw.Canvas, x, low, high, half vg.Length) {
	line := vgdraw.LineStyle{Color: ink, Width: 0.7}
	c.StrokeLine2(line, x, max(low, c.Min.Y), x, min(high, c.Max.Y))
	for _, y := range []vg.Length{low, high} {
		if c.ContainsY(y) {
			c.StrokeLine2(line, x-half, y, x+half, y)
		}
	}
}

// ritzLine draws the mean after a Ritz step, on light and on dark ground.
func ritzLine(c vgdraw.Canvas, from, to, y vg.Length) {
	c.StrokeLine2(vgdraw.LineStyle{Color: white, Width: 2.2}, from-0.5, y, to+0.5, y)
	c.StrokeLine2(vgdraw.LineStyle{Color: vermillion, Width: 1.2}, from, y, to, y)
}

// groupBands shades every second group, so that a bar is seen to belong to its name.
type groupBands int

// Plot implements [plot.Plotter].
func (n groupBands) Plot(c vgdraw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&c)
	for i := 1; i < int(n); i += 2 {
		c.FillPolygon(bandInk, corners(rectangle(x(float64(i)-0.5), c.Min.Y, x(float64(i)+0.5), c.Max.Y)))
	}
}

// groupedBars draws the names, bars, whiskers, runs and marks of figure 1.
type groupedBars Fig1

// Plot implements [plot.Plotter].
func (g groupedBars) Plot(c vgdraw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&c)
	all := Fig1(g).series()
	half := (x(Fig1(g).barWidth()) - x(0)) / 2
	c.StrokeLine2(vgdraw.LineStyle{Color: ink, Width: axisLine}, c.Min.X, c.Min.Y, c.Max.X, c.Min.Y)
	for i, e := range g.Environments {
		c.FillText(turnedName, vg.Point{X: x(float64(i)) + 3, Y: c.Min.Y - 5}, e.label())
		for _, s := range all {
			plotBar(c, p, e.bar(s.method), s.style, x(float64(i)+s.offset), half)
		}
	}
}

// plotBar draws one method on one environment, centred at x.
func plotBar(c vgdraw.Canvas, p *plot.Plot, b Fig1Bar, style fillStyle, x, half vg.Length) {
	_, y := p.Transforms(&c)
	if b.NotRun {
		c.DrawGlyphNoClip(notRunMark, vg.Point{X: x, Y: y(0) + 4})
		return
	}
	top := y(0)
	if len(b.Runs) > 0 {
		mean, std, err := meanStd(b.Runs)
		if err != nil {
			panic(err) // Fig1.Figure has checked the runs
		}
		style.box(c, rectangle(x-half, y(0), x+half, y(mean)))
		top = y(mean)
		if len(b.Runs) > 1 {
			for i, run := range b.Runs {
				// Neighbouring runs stand on either side of the whisker.
				side := vg.Length(2*(i%2)-1) * half * 0.5
				c.DrawGlyphNoClip(runMark, vg.Point{X: x + side, Y: y(run)})
			}
			whisker(c, x, y(mean-std), y(mean+std), half*0.6)
			top = y(max(mean+std, slices.Max(b.Runs)))
		}
	}
	if len(b.Ritz) > 0 {
		ritzLine(c, x-half, x+half, y(stat.Mean(b.Ritz, nil)))
	}
	if b.Diverged > 0 {
		c.DrawGlyphNoClip(divergedMark, vg.Point{X: x, Y: min(top+4, c.Max.Y-2)})
	}
}
