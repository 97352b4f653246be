package draw

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
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
	return plotsInARow(f.Note, 2.6*vg.Inch, f)
}

// CurvesRow draws line plots of the same series side by side under one legend.
type CurvesRow struct {
	Note  string // printed under the plots; may be empty
	Plots []Curves
}

// Figure lays the plots out: 5.5 in wide, 1.7 in high and more with a note. It is an error if one of them cannot be
// drawn.
func (f CurvesRow) Figure() (*Figure, error) {
	return plotsInARow(f.Note, 1.6*vg.Inch, f.Plots...)
}

func plotsInARow(note string, height vg.Length, list ...Curves) (*Figure, error) {
	plots := make([]*plot.Plot, len(list))
	for i, f := range list {
		if err := f.check(); err != nil {
			return nil, fmt.Errorf("curves %q: %w", f.Title, err)
		}
		plots[i] = f.plot()
	}
	var keys []key
	var ends []float64
	for i, s := range list[len(list)-1].Series {
		keys, ends = append(keys, lineKey(s.Name, curveStyles[i])), append(ends, s.Y[len(s.Y)-1])
	}
	return besideLines(note, keys, ends, height, plots), nil
}

func (f Curves) plot() *plot.Plot {
	p := newPlot(f.XLabel, f.YLabel)
	p.Title.Text = f.Title
	if f.counts() {
		p.X.Tick.Marker = plot.TickerFunc(wholeTicks)
	}
	if f.LogX {
		p.X.Scale, p.X.Tick.Marker = logScale{}, plot.TickerFunc(logTicks)
	}
	if f.LogY {
		p.Y.Scale, p.Y.Tick.Marker = logScale{}, plot.TickerFunc(logTicks)
	}
	p.Add(gridLines())
	for i, s := range f.Series {
		s.addTo(p, curveStyles[i], 8)
	}
	if f.YMin != f.YMax {
		p.Y.Min, p.Y.Max = f.YMin, f.YMax
	}
	return p
}

// addTo draws the series with about so many of its style's markers: one on every point would hide a long curve.
func (s Series) addTo(p *plot.Plot, style lineStyle, markers int) {
	line := make(plotter.XYs, len(s.X))
	band := make(plotter.XYs, 2*len(s.Band)) // there and back
	for i, x := range s.X {
		line[i] = plotter.XY{X: x, Y: s.Y[i]}
		if s.Band != nil {
			band[i] = plotter.XY{X: x, Y: s.Y[i] + s.Band[i]}
			band[len(band)-1-i] = plotter.XY{X: x, Y: s.Y[i] - s.Band[i]}
		}
	}
	if s.Band != nil {
		p.Add(&plotter.Polygon{XYs: []plotter.XYs{band}, Color: transparent(style.color, 0x38)})
	}
	p.Add(&plotter.Line{XYs: line, LineStyle: style.line()})
	if !style.marked() {
		return
	}
	marked := &plotter.Scatter{GlyphStyle: style.glyph()}
	for some := range slices.Chunk(line, max(1, len(line)/markers)) {
		marked.XYs = append(marked.XYs, some[0])
	}
	p.Add(marked)
}

// check returns an error that names a series that cannot be drawn.
func (f Curves) check() error {
	if len(f.Series) > len(curveStyles) {
		return fmt.Errorf("%d series: at most %d can be told apart", len(f.Series), len(curveStyles))
	}
	for _, s := range f.Series {
		switch {
		case len(s.X) == 0 || len(s.X) != len(s.Y) || s.Band != nil && len(s.Band) != len(s.Y):
			return fmt.Errorf("%s: %d x, %d y and a band of %d: give as many of each, at least one, or no band", s.Name,
				len(s.X), len(s.Y), len(s.Band))
		case !finite(s.X...) || !finite(s.Y...) || !finite(s.Band...):
			return fmt.Errorf("%s: a value is not a finite number", s.Name)
		case f.LogX && slices.Min(s.X) <= 0 || f.LogY && (slices.Min(s.Y) <= 0 || s.Band != nil):
			return fmt.Errorf("%s: a logarithmic axis takes positive numbers, and none with a band", s.Name)
		}
	}
	return nil
}

func finite(xs ...float64) bool {
	return !slices.ContainsFunc(xs, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
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
