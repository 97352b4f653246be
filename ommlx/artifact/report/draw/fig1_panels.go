package draw

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Looks of the methods. Colour and shape say the same thing twice; what goes beyond the paper stands on a ground of its
// own and has a dashed interval.
var (
	paperStyles = []lineStyle{
		{blue, nil, marker{circle, true}},
		{skyBlue, nil, marker{square, true}},
		{ink, nil, marker{triangle, true}},
		{purple, nil, marker{diamond, true}},
	}
	beyondStyles = []lineStyle{
		{vermillion, []vg.Length{2, 1}, marker{diamond, true}},
		{green, []vg.Length{2, 1}, marker{wedge, true}},
		{purple, []vg.Length{2, 1}, marker{square, true}},
	}
	beyondGround = color.NRGBA{R: 0xEA, G: 0xEA, B: 0xEA, A: 0xFF}
	ruleInk      = color.NRGBA{R: 0xB0, G: 0xB0, B: 0xB0, A: 0xFF} // of the lines between environments
)

const runAside = 2.1 // of runs from the middle of the row, above and below in turn

// The marks of a method. An open mark is larger than a filled one: a ring around it where the two coincide.
func (s lineStyle) mean() vgdraw.GlyphStyle { return s.mark.sized(1.9, s.color) }
func (s lineStyle) open() vgdraw.GlyphStyle { return marker{s.mark.shape, false}.sized(2.9, s.color) }
func (s lineStyle) run() vgdraw.GlyphStyle {
	return marker{circle, true}.sized(0.9, transparent(s.color, 0x78))
}

func (l fig1Layout) panel(panel int) *plot.Plot {
	p := newPlot("average cosine similarity", "")
	pad := 0.05 * (1 - l.low)
	p.Add(l.grounds(panel, l.low-pad, 1+pad), &plotter.Grid{Vertical: gridLines().Vertical}, l.rules())
	for j, s := range l.styles {
		p.Add(l.method(panel, j, s)...)
	}
	p.Add(l.notRun(panel))
	p.X.Min, p.X.Max = l.low-pad, 1+pad
	var ticks, names plot.ConstantTicks
	for k := math.Round(l.low * 5); k <= 5; k++ {
		ticks = append(ticks, ticksAt(k/5)...)
	}
	for i, e := range l.Environments {
		names = append(names, plot.Tick{Value: l.top() - (float64(i)+0.5)*l.block, Label: e.label()})
	}
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks, names
	p.Y.LineStyle.Width, p.Y.Tick.Length = 0, 0
	return p
}

// grounds are behind the rows that go beyond the paper.
func (l fig1Layout) grounds(panel int, from, to float64) *plotter.Polygon {
	all := &plotter.Polygon{Color: beyondGround}
	for i, e := range l.Environments {
		for j, r := range e.Rows[panel] {
			if low, high := l.y(i, j)-rowHeight/2, l.y(i, j)+rowHeight/2; r.Beyond {
				ring := plotter.XYs{{X: from, Y: low}, {X: to, Y: low}, {X: to, Y: high}, {X: from, Y: high}}
				all.XYs = append(all.XYs, ring)
			}
		}
	}
	return all
}

func (l fig1Layout) rules() onPlot {
	return func(c vgdraw.Canvas, x, y func(float64) vg.Length) {
		for i := range len(l.Environments) - 1 {
			at := y(float64(i+1) * l.block)
			c.StrokeLine2(vgdraw.LineStyle{Color: ruleInk, Width: hairline}, c.Min.X, at, c.Max.X, at)
		}
	}
}

// method draws the rows of one method: references, intervals of ±1 sample standard deviation, runs and means.
func (l fig1Layout) method(panel, j int, s lineStyle) []plot.Plotter {
	references, means := &plotter.Scatter{GlyphStyle: s.open()}, &plotter.Scatter{GlyphStyle: s.mean()}
	runs := &plotter.Scatter{GlyphStyle: s.run()}
	intervals := &plotter.XErrorBars{LineStyle: s.line(), CapWidth: 3.2}
	for i, e := range l.Environments {
		if j >= len(e.Rows[panel]) {
			continue
		}
		r, y := e.Rows[panel][j], l.y(i, j)
		if r.Reference != nil {
			references.XYs = append(references.XYs, plotter.XY{X: *r.Reference, Y: y})
		}
		if len(r.Runs) == 0 {
			continue
		}
		mean, std := stat.MeanStdDev(r.Runs, nil)
		means.XYs = append(means.XYs, plotter.XY{X: mean, Y: y})
		if len(r.Runs) == 1 {
			continue
		}
		intervals.XYs = append(intervals.XYs, plotter.XY{X: mean, Y: y})
		intervals.XErrors = append(intervals.XErrors, struct{ Low, High float64 }{-std, std})
		for k, run := range r.Runs {
			runs.XYs = append(runs.XYs, plotter.XY{X: run, Y: y + float64(1-2*(k%2))*runAside})
		}
	}
	return []plot.Plotter{references, intervals, runs, means}
}

// notRun says in a row without a run why, at the end of the panel that is farther from its reference.
func (l fig1Layout) notRun(panel int) onPlot {
	return func(c vgdraw.Canvas, x, y func(float64) vg.Length) {
		for i, e := range l.Environments {
			for j, r := range e.Rows[panel] {
				if len(r.Runs) > 0 {
					continue
				}
				style, at, why := textStyle(smallSize, grey), l.low, "not run"
				if r.Reference != nil && *r.Reference < (l.low+1)/2 {
					style.XAlign, at = text.XRight, 1
				}
				if r.Diverged > 0 {
					why = "diverged"
				}
				c.FillText(style, vg.Point{X: x(at), Y: y(l.y(i, j)) - 0.36*smallSize}, why)
			}
		}
	}
}

// zero is the size under which an eigenvalue of I − P is rounding error around 0. The smallest others of the paper's
// environments are above 1e-5.
const zero = 1e-10

// spectra is the plot of the eigenvalues of each environment, one below the other in the height of its rows, so that
// equal ones are seen apart.
//
// The axis is logarithmic, since the eigenvalues of the twelve environments span five decades. Zeros (one for each
// connected part of the environment) have a place of their own at its left end, to which no line is drawn.
func (l fig1Layout) spectra() *plot.Plot {
	p := newPlot("eigenvalue", "")
	low, high := math.Inf(1), zero // of those that are not 0
	for _, e := range l.Environments {
		for _, x := range e.Spectrum {
			if x >= zero {
				low, high = min(low, x), max(high, x)
			}
		}
	}
	decades := max(1, math.Log10(high/low))
	atZero := low / math.Pow(10, 0.14*decades)
	p.X.Scale, p.X.Tick.Marker = logScale{}, spectrumTicks(atZero, low, high)
	p.Add(&plotter.Grid{Vertical: gridLines().Vertical}, l.rules())
	dots, crosses := &plotter.Scatter{GlyphStyle: marker{circle, true}.sized(0.9, grey)},
		&plotter.Scatter{GlyphStyle: marker{cross, true}.sized(1.1, ink)}
	for i, e := range l.Environments {
		line, marks := &plotter.Line{LineStyle: vgdraw.LineStyle{Color: grey, Width: hairline}}, dots
		if e.Hard {
			marks = crosses
		}
		step := (l.block - blockApart) / float64(len(e.Spectrum))
		at := plotter.XY{Y: l.top() - float64(i)*l.block - blockApart/2 - step/2}
		for _, at.X = range e.Spectrum {
			if at.X < zero {
				at.X = atZero
			} else {
				line.XYs = append(line.XYs, at)
			}
			marks.XYs = append(marks.XYs, at)
			at.Y -= step
		}
		p.Add(line)
	}
	p.Add(dots, crosses)
	p.X.Min, p.X.Max = atZero/math.Pow(10, 0.03*decades), high*math.Pow(10, 0.03*decades)
	return p
}

// spectrumTicks labels 0 and powers of ten from low to high, the highest first, about three of them.
func spectrumTicks(atZero, low, high float64) plot.ConstantTicks {
	ticks := plot.ConstantTicks{{Value: atZero, Label: "0"}}
	highest, lowest := math.Floor(math.Log10(high)), math.Ceil(math.Log10(low))
	every := math.Ceil((highest - lowest + 1) / 3)
	for power := highest; power >= lowest; power-- {
		tick := plot.Tick{Value: math.Pow(10, power)}
		if math.Mod(highest-power, every) == 0 {
			tick.Label = powerOfTen(1, int(power))
		}
		ticks = append(ticks, tick)
	}
	return ticks
}

// keys name the methods and explain the marks that occur.
func (l fig1Layout) keys() (keys []key) {
	for j, r := range l.methods {
		s, label := l.styles[j], r.Method
		if r.Beyond {
			label = "beyond the paper: " + label
		}
		keys = append(keys, key{label, func(c vgdraw.Canvas, box vg.Rectangle) {
			if r.Beyond {
				c.FillPolygon(beyondGround, corners(box))
			}
			c.DrawGlyphNoClip(s.mean(), middle(box))
		}})
	}
	s := lineStyle{grey, nil, marker{circle, true}}
	if slices.ContainsFunc(l.rows(), func(r Fig1Row) bool { return len(r.Runs) > 1 }) {
		keys = append(keys, glyphKey("one run", s.run()))
		keys = append(keys, key{"filled: mean ± 1 std. dev.", func(c vgdraw.Canvas, box vg.Rectangle) {
			at := middle(box)
			c.StrokeLine2(s.line(), box.Min.X+1, at.Y, box.Max.X-1, at.Y)
			c.DrawGlyphNoClip(s.mean(), at)
		}})
	}
	if slices.ContainsFunc(l.rows(), func(r Fig1Row) bool { return r.Reference != nil }) {
		keys = append(keys, glyphKey("open: "+cmp.Or(l.Open, "mean of the authors' logged runs"), s.open()))
	}
	return keys
}
