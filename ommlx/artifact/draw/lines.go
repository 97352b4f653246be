package draw

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Curves is a line plot, as of learning curves: steps against average cosine similarity.
type Curves struct {
	Title, XLabel, YLabel string
	YMin, YMax            float64 // range of the y axis; both 0: fitted to the curves
	LogX, LogY            bool    // logarithmic axes, for positive numbers without a band
	Note                  string  // printed under the plot; may be empty
	Series                []Series
}

// Series is one curve with as many x as y, x ascending.
type Series struct {
	Name string
	X, Y []float64
	Band []float64 // half width of a band around y, as one σ; nil for none
}

// Add appends a point.
func (s *Series) Add(x, y float64) { s.X, s.Y = append(s.X, x), append(s.Y, y) }

// Figure lays the plot out: 5.5 in wide, 2.7 in high and more with a note. It is an error if lengths differ, if a value
// is not finite, or if there are more series than can be told apart.
func (f Curves) Figure() (*Figure, error) {
	p, keys, err := f.plot()
	if err != nil {
		return nil, err
	}
	return framed(f.Note, keys, 2.6*vg.Inch, func(c vgdraw.Canvas) { p.Draw(c) }), nil
}

// CurvesRow draws line plots of the same series side by side under one legend.
type CurvesRow struct {
	Note  string // printed under the plots; may be empty
	Plots []Curves
}

// Figure lays the plots out: 5.5 in wide, 1.7 in high and more with a note. It is an error if there is none, or if one
// of them cannot be drawn.
func (f CurvesRow) Figure() (*Figure, error) {
	if len(f.Plots) == 0 {
		return nil, errors.New("a row of curves: no plots to draw")
	}
	plots := make([]*plot.Plot, len(f.Plots))
	var keys []key
	for i, curves := range f.Plots {
		var err error
		if plots[i], keys, err = curves.plot(); err != nil {
			return nil, err
		}
	}
	return framed(f.Note, keys, 1.6*vg.Inch, func(c vgdraw.Canvas) {
		tiles := vgdraw.Tiles{Rows: 1, Cols: len(plots), PadX: 8}
		for i, p := range plots {
			p.Draw(tiles.At(c, i, 0))
		}
	}), nil
}

// framed is a figure with a legend above and a note below what paint draws.
func framed(note string, keys []key, height vg.Length, paint func(vgdraw.Canvas)) *Figure {
	notes := wrap(note, textStyle(smallSize, grey), TextWidth)
	legend := flow(keys, TextWidth-keyIndent)
	height += vg.Length(len(notes)+len(legend)) * lineHeight
	return &Figure{Width: TextWidth, Height: height, paint: func(c vgdraw.Canvas) {
		c = paintKeys(footer(c, notes), keys)
		c.Max.Y -= 4
		c.Max.X -= 4
		paint(c)
	}}
}

// plot sets the curves up, with the keys of their legend.
func (f Curves) plot() (*plot.Plot, []key, error) {
	if err := f.check(); err != nil {
		return nil, nil, fmt.Errorf("curves %q: %w", f.Title, err)
	}
	p := newPlot(f.XLabel, f.YLabel)
	p.Title.Text = f.Title
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.TickerFunc(ticks), plot.TickerFunc(ticks)
	if f.counts() {
		p.X.Tick.Marker = plot.TickerFunc(wholeTicks)
	}
	if f.LogX {
		p.X.Scale, p.X.Tick.Marker = logScale{}, plot.TickerFunc(logTicks)
	}
	if f.LogY {
		p.Y.Scale, p.Y.Tick.Marker = logScale{}, plot.TickerFunc(logTicks)
	}
	p.Add(gridLines{x: true, y: true})
	var keys []key
	for i, s := range f.Series {
		p.Add(curve{s, curveStyles[i]})
		keys = append(keys, lineKey(s.Name, curveStyles[i]))
	}
	if f.YMin != f.YMax {
		p.Y.Min, p.Y.Max = f.YMin, f.YMax
	}
	return p, keys, nil
}

func (f Curves) check() error {
	if len(f.Series) == 0 {
		return errors.New("no series to draw")
	}
	if len(f.Series) > len(curveStyles) {
		return fmt.Errorf("%d series: at most %d can be told apart", len(f.Series), len(curveStyles))
	}
	if !finite(f.YMin, f.YMax) || f.YMin > f.YMax || (f.YMin == f.YMax && f.YMin != 0) {
		return fmt.Errorf("the y axis cannot run from %v to %v", f.YMin, f.YMax)
	}
	positive := func(x []float64) bool { return !slices.ContainsFunc(x, func(x float64) bool { return x <= 0 }) }
	if f.LogY && f.YMin != f.YMax && f.YMin <= 0 {
		return fmt.Errorf("a logarithmic y axis cannot run from %v", f.YMin)
	}
	for _, s := range f.Series {
		switch {
		case f.LogX && !positive(s.X) || f.LogY && (!positive(s.Y) || s.Band != nil):
			return fmt.Errorf("%s: a logarithmic axis takes positive numbers, and none with a band", s.Name)
		case s.Name == "":
			return errors.New("a series has no name")
		case len(s.X) == 0 || len(s.X) != len(s.Y):
			return fmt.Errorf("%s: %d x and %d y: give as many x as y, at least one", s.Name, len(s.X), len(s.Y))
		case s.Band != nil && len(s.Band) != len(s.Y):
			return fmt.Errorf("%s: a band of %d values for %d points: give one per point",
				s.Name, len(s.Band), len(s.Y))
		case !finite(s.X...) || !finite(s.Y...) || !finite(s.Band...):
			return fmt.Errorf("%s: a value is not a finite number", s.Name)
		case !slices.IsSorted(s.X):
			return fmt.Errorf("%s: x is not ascending", s.Name)
		}
	}
	return nil
}

func finite(xs ...float64) bool {
	return !slices.ContainsFunc(xs, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}

// ticks places gonum's default ticks and labels about twice as many of them as gonum, whole numbers as 80,000.
func ticks(low, high float64) []plot.Tick {
	ts := plot.DefaultTicks{}.Ticks(low, high)
	slices.SortFunc(ts, func(a, b plot.Tick) int { return cmp.Compare(a.Value, b.Value) })
	if len(ts) < 2 {
		return ts
	}
	step := ts[1].Value - ts[0].Value
	// Gonum's ticks need not be multiples of their step, as 25, 75, 125.
	if k := ts[0].Value / step; math.Abs(k-math.Round(k)) > 1e-6 {
		ts = ts[:0]
		for k := math.Ceil(low / step); k*step <= high; k++ {
			ts = append(ts, plot.Tick{Value: k * step})
		}
	}
	every := math.Ceil(float64(len(ts)) / 7)
	for i, t := range ts {
		k := math.Round(t.Value / step)
		value := k * step
		switch {
		case math.Mod(k, every) != 0:
			ts[i].Label = ""
		case step >= 1 && math.Abs(value) < 1e9:
			ts[i].Label = thousands(int(math.Round(value)))
		default:
			ts[i].Label = strconv.FormatFloat(value, 'g', 4, 64)
		}
	}
	return ts
}

// counts tells whether x counts a few things, as modes.
func (f Curves) counts() bool {
	for _, s := range f.Series {
		if s.X[len(s.X)-1]-s.X[0] > 40 || slices.ContainsFunc(s.X, func(x float64) bool { return x != math.Trunc(x) }) {
			return false
		}
	}
	return true
}

// wholeTicks labels whole numbers, at most nine of them, from low on.
func wholeTicks(low, high float64) []plot.Tick {
	var ts []plot.Tick
	step := max(1, math.Ceil((high-low)/8))
	for x := math.Ceil(low); x <= high; x += step {
		ts = append(ts, plot.Tick{Value: x, Label: strconv.FormatFloat(x, 'f', 0, 64)})
	}
	return ts
}

// curve draws one series.
type curve struct {
	Series
	style lineStyle
}

// DataRange implements [plot.DataRanger].
func (s curve) DataRange() (xmin, xmax, ymin, ymax float64) {
	ymin, ymax = math.Inf(1), math.Inf(-1)
	for i, y := range s.Y {
		half := 0.0
		if s.Band != nil {
			half = s.Band[i]
		}
		ymin, ymax = min(ymin, y-half), max(ymax, y+half)
	}
	return s.X[0], s.X[len(s.X)-1], ymin, ymax
}

// Plot implements [plot.Plotter].
func (s curve) Plot(c vgdraw.Canvas, p *plot.Plot) {
	s.fillBand(c, p)
	s.stroke(c, p, s.style.line(), s.style.glyph(), 8)
}

// fillBand draws the band, if there is one.
func (s curve) fillBand(c vgdraw.Canvas, p *plot.Plot) {
	if s.Band == nil {
		return
	}
	x, y := p.Transforms(&c)
	var band []vg.Point
	for i, half := range s.Band {
		band = append(band, vg.Point{X: x(s.X[i]), Y: y(s.Y[i] + half)})
	}
	for i, half := range slices.Backward(s.Band) {
		band = append(band, vg.Point{X: x(s.X[i]), Y: y(s.Y[i] - half)})
	}
	r, g, b, _ := s.style.color.RGBA()
	c.FillPolygon(color.NRGBA{R: uint8(r >> 8), G: uint8(g >> 8), B: uint8(b >> 8), A: 0x38}, c.ClipPolygonXY(band))
}

// stroke draws the line with about so many markers, or none: one on every point would hide a long curve.
func (s curve) stroke(c vgdraw.Canvas, p *plot.Plot, style vgdraw.LineStyle, glyph vgdraw.GlyphStyle, markers int) {
	x, y := p.Transforms(&c)
	var line []vg.Point
	for i := range s.Y {
		line = append(line, vg.Point{X: x(s.X[i]), Y: y(s.Y[i])})
	}
	c.StrokeLines(style, c.ClipLinesXY(line)...)
	if markers == 0 {
		return
	}
	every := max(1, len(line)/markers)
	for i := 0; i < len(line); i += every {
		c.DrawGlyph(glyph, line[i])
	}
}
