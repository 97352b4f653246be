package draw

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
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
	Marks  bool      // a mark at every point and no line, as for numbers per mode
}

// sample returns what the legend shows of a series.
func (s Series) sample(l look) []plot.Thumbnailer {
	switch {
	case s.Marks:
		return []plot.Thumbnailer{scatter(l.mark(1.7))}
	case s.Dashed:
		return []plot.Thumbnailer{line(look{color: l.color, dashes: otherDashes}.line())}
	}
	return []plot.Thumbnailer{scatter(l.mark(1.7)), line(l.line())}
}

// Add appends a point.
func (s *Series) Add(x, y float64) { s.X, s.Y = append(s.X, x), append(s.Y, y) }

// Figure lays out the plot, 5.5 in wide and 2.6 in high plus legend and note.
func (f Curves) Figure() (*Figure, error) {
	return CurvesRow{Note: f.Note, Plots: []Curves{f}}.Figure()
}

// CurvesRow draws line plots side by side under one legend. Series with the same name look the same. It distinguishes
// eight names.
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
	looks, columns, height := curveLooks, cmp.Or(f.Columns, len(f.Plots)), 1.55*vg.Inch
	if f.Dashed != "" {
		looks = methodLooks
	}
	if len(f.Plots) == 1 {
		height = 2.5 * vg.Inch
	}
	var names legend
	var plots []*plot.Plot
	known, dashed := kinds{}, false
	for _, curves := range f.Plots {
		for _, s := range curves.Series {
			dashed = dashed || s.Dashed
			if err := curves.check(s); err != nil {
				return nil, err
			}
			if l, isNew := known.look(s.Name, looks); isNew {
				s.Dashed = s.Dashed && f.Dashed == "" // else dashes have their own entry
				names.add(s.Name, s.sample(l)...)
			}
		}
		curves.Title = wrap(curves.Title, textStyle(labelSize, ink), pageWidth/vg.Length(columns)-32)
		plots = append(plots, curves.plot(known))
	}
	if dashed {
		names.add(f.Dashed, line(look{color: grey, dashes: otherDashes}.line()))
	}
	rows := (len(plots) + columns - 1) / columns
	return framed(f.Note, names, vg.Length(rows)*height,
		func(c vgdraw.Canvas) { tile(c, columns, plots, false) }), nil
}

var otherDashes = []vg.Length{2, 1.5}

func (f Curves) check(s Series) error {
	lengths := len(s.X) == len(s.Y) && (s.Band == nil || len(s.Band) == len(s.Y))
	positive := len(s.X) > 0 && (!f.LogX || slices.Min(s.X) > 0) && (!f.LogY || slices.Min(s.Y) > 0 && s.Band == nil)
	if !lengths || !positive || !finite(slices.Concat(s.X, s.Y, s.Band)...) {
		return fmt.Errorf("curves %q: series %q has %d x, %d y and a band of %d, want equally many finite "+
			"numbers, positive and without band on logarithmic axes", f.Title, s.Name, len(s.X), len(s.Y), len(s.Band))
	}
	return nil
}

// plot draws each series with the look of its name.
func (f Curves) plot(looks kinds) *plot.Plot {
	p := newPlot(f.Title, f.XLabel, f.YLabel)
	if f.LogX {
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, logTicks(5)
	}
	if f.LogY {
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, logTicks(8)
	}
	p.Add(grid(false))
	for _, s := range f.Series {
		if s.Band != nil {
			low := floats.SubTo(make([]float64, len(s.Y)), s.Y, s.Band)
			high := floats.AddTo(make([]float64, len(s.Y)), s.Y, s.Band)
			edge, below := points(s.X, high), points(s.X, low)
			slices.Reverse(below)
			p.Add(&plotter.Polygon{XYs: []plotter.XYs{append(edge, below...)}, Color: tint(looks[s.Name].color, 0.22),
				LineStyle: vgdraw.LineStyle{Color: looks[s.Name].color, Width: 0.2}})
		}
	}
	for _, s := range slices.Backward(f.Series) { // the first on top
		l, at, marks := looks[s.Name], points(s.X, s.Y), len(s.X)
		if s.Dashed {
			l.dashes, marks = otherDashes, 0
		} else if !s.Marks && (marks > 40 || marks > 16 && s.X[marks-1]-s.X[0] > 40) {
			marks = 8
		}
		if !s.Marks {
			p.Add(line(l.line(), at...))
		}
		if marks > 0 {
			marked := scatter(l.mark(1.7))
			for some := range slices.Chunk(at, (len(at)+marks-1)/marks) {
				marked.XYs = append(marked.XYs, some[0])
			}
			p.Add(marked)
		}
	}
	if f.YMin != f.YMax {
		p.Y.Min, p.Y.Max = f.YMin, f.YMax
	}
	return p
}

func points(x, y []float64) (at plotter.XYs) {
	for i := range x {
		at = append(at, plotter.XY{X: x[i], Y: y[i]})
	}
	return at
}
