package draw

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Curves is a line plot, such as steps against average cosine similarity.
type Curves struct {
	Title, XLabel, YLabel string
	YMin, YMax            float64 // range of the y axis; both 0: fitted to the curves
	LogX, LogY            bool    // logarithmic axes, for positive numbers without a band
	Note                  string  // printed under the plot; may be empty
	Series                []Series
}

// Series is one curve with as many x as y, x ascending.
type Series struct {
	Name   string
	X, Y   []float64
	Band   []float64 // half width of the band around y, such as one σ; nil for none
	Dashed bool      // dashed, without markers; for other authors' curves, see [CurvesRow].Dashed
}

// Add appends a point.
func (s *Series) Add(x, y float64) { s.X, s.Y = append(s.X, x), append(s.Y, y) }

// Figure lays out the plot, 5.5 in wide and 2.6 in high plus legend and note, of at most eight series.
func (f Curves) Figure() (*Figure, error) {
	return CurvesRow{Note: f.Note, Plots: []Curves{f}}.Figure()
}

// CurvesRow draws line plots side by side under one legend. Series with the same name look the same.
type CurvesRow struct {
	Note    string // printed under the plots; may be empty
	Columns int    // plots per row; 0: all
	Plots   []Curves
	// Dashed is the legend of dashed series. If it is not empty, series have the colours of figure 1's methods, and all
	// other lines are solid.
	Dashed string
}

// Figure lays out the plots, 5.5 in wide, about 1.5 in per row.
func (f CurvesRow) Figure() (*Figure, error) {
	looks, columns := curveLooks, f.Columns
	if f.Dashed != "" {
		looks = methodLooks
	}
	if columns == 0 {
		columns = len(f.Plots)
	}
	known, names := map[string]look{}, legend(nil)
	var plots []*plot.Plot
	for _, curves := range f.Plots {
		for _, s := range curves.Series {
			if _, ok := known[s.Name]; ok {
				continue
			}
			if len(known) == len(looks) {
				return nil, fmt.Errorf("curves %q: too many series names, want at most %d", curves.Title,
					len(looks))
			}
			l := looks[len(known)]
			known[s.Name] = l
			names.add(s.Name, line(l.line()), scatter(l.mark(1.7)))
		}
		if err := curves.check(); err != nil {
			return nil, fmt.Errorf("curves %q: %w", curves.Title, err)
		}
		plots = append(plots, curves.plot(known))
	}
	if f.Dashed != "" {
		names.add(f.Dashed, line(look{color: grey, dashes: otherDashes}.line()))
	}
	if len(names) == 1 && names[0].name == "" {
		names = nil
	}
	rows, height := (len(plots)+columns-1)/columns, 1.55*vg.Inch
	if len(plots) == 1 {
		height = 2.5 * vg.Inch
	}
	return framed(f.Note, names, vg.Length(rows)*height, func(c vgdraw.Canvas) { tile(c, columns, plots) }), nil
}

var otherDashes = []vg.Length{2, 1.5}

// plot draws each series with the look of its name. A logarithmic axis shows decimal logarithms.
func (f Curves) plot(looks map[string]look) *plot.Plot {
	p := newPlot(f.Title, f.XLabel, f.YLabel)
	x, y := scale(&p.X, f.LogX, 5), scale(&p.Y, f.LogY, 8)
	if f.counts() {
		p.X.Tick.Marker = plot.TickerFunc(wholeTicks)
	}
	p.Add(grid(false))
	for _, s := range slices.Backward(f.Series) { // the first on top
		l, markers := looks[s.Name], 8
		if f.counts() {
			markers = len(s.X)
		}
		if s.Dashed {
			l.dashes, markers = otherDashes, 0
		}
		at, band := make(plotter.XYs, len(s.X)), make(plotter.XYs, 2*len(s.Band)) // upper edge, then lower backwards
		for i := range s.X {
			at[i] = plotter.XY{X: x(s.X[i]), Y: y(s.Y[i])}
			if s.Band != nil {
				band[i] = plotter.XY{X: at[i].X, Y: s.Y[i] + s.Band[i]}
				band[len(band)-1-i] = plotter.XY{X: at[i].X, Y: s.Y[i] - s.Band[i]}
			}
		}
		if s.Band != nil {
			p.Add(&plotter.Polygon{XYs: []plotter.XYs{band}, Color: transparent(l.color, 0x38)})
		}
		p.Add(line(l.line(), at...))
		if markers > 0 {
			marked := scatter(l.mark(1.7))
			for some := range slices.Chunk(at, (len(at)+markers-1)/markers) {
				marked.XYs = append(marked.XYs, some[0])
			}
			p.Add(marked)
		}
	}
	if f.YMin != f.YMax {
		p.Y.Min, p.Y.Max = y(f.YMin), y(f.YMax)
	}
	return p
}

// scale sets the ticks of an axis and returns the map from values to positions on it.
func scale(a *plot.Axis, logarithmic bool, labels int) func(float64) float64 {
	if !logarithmic {
		return func(x float64) float64 { return x }
	}
	a.Tick.Marker = logTicks(labels)
	return math.Log10
}

func (f Curves) check() error {
	for _, s := range f.Series {
		switch {
		case len(s.X) == 0 || len(s.X) != len(s.Y) || s.Band != nil && len(s.Band) != len(s.Y):
			return fmt.Errorf("%s: %d x, %d y, band of %d; want equal lengths of at least 1, or no band", s.Name,
				len(s.X), len(s.Y), len(s.Band))
		case !finite(s.X...) || !finite(s.Y...) || !finite(s.Band...):
			return fmt.Errorf("%s: a value is not finite", s.Name)
		case f.LogX && slices.Min(s.X) <= 0 || f.LogY && (slices.Min(s.Y) <= 0 || s.Band != nil):
			return fmt.Errorf("%s: a logarithmic axis needs positive numbers without a band", s.Name)
		}
	}
	return nil
}

// counts reports whether x counts a few items, such as modes. Then each point has a marker.
func (f Curves) counts() bool {
	for _, s := range f.Series {
		if s.X[len(s.X)-1]-s.X[0] > 40 || slices.ContainsFunc(s.X, func(x float64) bool { return x != math.Trunc(x) }) {
			return false
		}
	}
	return len(f.Series) > 0 && !f.LogX
}
