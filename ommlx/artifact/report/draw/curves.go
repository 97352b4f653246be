package draw

import (
	"cmp"
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

	xMin, xMax float64            // as YMin and YMax
	pad        bool               // leaves a space at both ends of the x axis
	xTicks     plot.ConstantTicks // nil: numbers
	rows       plot.ConstantTicks // names along the y axis instead of numbers; nil for none
	rules      []float64          // heights of light lines between rows
}

// Series is one curve with as many x as y, x ascending.
type Series struct {
	Name   string
	X, Y   []float64
	Band   []float64 // half width of the band around y, such as one σ, or of error bars of Marks; nil for none
	Dashed bool      // dashed, without markers; for other authors' curves, see [CurvesRow].Dashed
	Marks  bool      // a mark at every point and no line, as for numbers per mode
	Plain  bool      // a line without marks, as for a function
	// Reference draws the series wide and pale under the others, for exact values that measured ones may cover.
	Reference bool

	ends  [][2]float64       // of horizontal error bars; nil for none
	style *vgdraw.GlyphStyle // of marks; nil: by the name
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
	// Dashed is the legend of dashed series. If it is not empty, all other lines are solid.
	Dashed string

	layout page // for the sizes of the plots
}

// Figure lays out the plots, 5.5 in wide.
func (f CurvesRow) Figure() (*Figure, error) {
	out, height := f.layout, 1.55*vg.Inch
	if len(f.Plots) == 1 {
		height = 2.5 * vg.Inch
	}
	out.note, out.columns, out.height = f.Note, cmp.Or(f.Columns, len(f.Plots)), cmp.Or(out.height, height)
	known, dashed := kinds{}, false
	for _, curves := range f.Plots {
		for _, s := range curves.Series {
			dashed = dashed || s.Dashed
			if err := curves.check(s); err != nil {
				return nil, err
			}
			if s.style == nil {
				if l := known.of(s.Name); f.Dashed != "" { // dashes have their own entry
					l.dashes, s.Dashed = nil, false
					known[s.Name] = l
				}
			}
			out.names.add(s.Name, s.parts(known[s.Name])...)
		}
		curves.Title = wrap(curves.Title, small, pageWidth/vg.Length(out.columns)-32)
		out.plots = append(out.plots, curves.plot(known))
	}
	if dashed {
		out.names.add(f.Dashed, line(marking{color: grey, dashes: otherDashes}.line()))
	}
	return out.figure(), nil
}

var otherDashes = []vg.Length{2, 1.5}

// parts returns the marks and the line of a series through points, for the legend or, from back to front, for the plot.
// A curve with many points has no marks: marks at some of them would look like data. A reference is pale and broad.
func (s Series) parts(l marking, at ...plotter.XY) (all []plot.Thumbnailer) {
	if s.Reference {
		l.color, l.dashes = tint(l.color, 0.35), nil
	} else if s.Dashed {
		l.dashes = otherDashes
	}
	stroke, mark := l.line(), l.mark()
	if s.Reference {
		stroke.Width, mark.Radius = 3.5*curveLine, 2*mark.Radius
	}
	if s.style != nil {
		mark = *s.style
	}
	n := len(s.X)
	few := n <= 16 || n <= 40 && s.X[n-1]-s.X[0] <= 40
	if s.Marks || few && !s.Dashed && !s.Plain && !s.Reference {
		all = append(all, scatter(mark, at...))
	}
	if !s.Marks {
		all = append(all, line(stroke, at...))
	}
	return all
}

func (f Curves) check(s Series) error {
	lengths := len(s.X) == len(s.Y) && (s.Band == nil || len(s.Band) == len(s.Y))
	positive := len(s.X) > 0 && (!f.LogX || slices.Min(s.X) > 0) && (!f.LogY || slices.Min(s.Y) > 0 && s.Band == nil)
	if !lengths || !positive || !finite(slices.Concat(s.X, s.Y, s.Band)...) {
		return fmt.Errorf("curves %q: series %q has %d x, %d y and a band of %d, want equally many finite "+
			"numbers, positive and without band on logarithmic axes", f.Title, s.Name, len(s.X), len(s.Y), len(s.Band))
	}
	return nil
}

// plot draws each series with the marking of its name, the first on top, references below all others.
func (f Curves) plot(markings kinds) *plot.Plot {
	p := newPlot(f.Title, f.XLabel, f.YLabel)
	x, y := scaling(&p.X, f.LogX), scaling(&p.Y, f.LogY)
	if f.xTicks != nil {
		p.X.Tick.Marker = f.xTicks
	}
	light := vgdraw.LineStyle{Color: gridInk, Width: hairline} // at the labelled ticks
	grid := &plotter.Grid{Vertical: light, Horizontal: light}
	if f.rows != nil {
		p.HideY()
		p.Y.Tick.Marker, p.Y.Padding, grid.Horizontal = f.rows, 4, vgdraw.LineStyle{}
	}
	p.Add(grid)
	for _, s := range f.Series {
		s.addBand(p, markings[s.Name], x, y)
	}
	for _, under := range []bool{true, false} {
		for _, s := range slices.Backward(f.Series) {
			if s.Reference == under {
				s.addTo(p, markings[s.Name], x, y)
			}
		}
	}
	if f.YMin != f.YMax {
		p.Y.Min, p.Y.Max = y(f.YMin), y(f.YMax)
	}
	if f.xMin != f.xMax {
		p.X.Min, p.X.Max = x(f.xMin), x(f.xMax)
	}
	if space := (p.X.Max - p.X.Min) / 25; f.pad {
		p.X.Min, p.X.Max = p.X.Min-space, p.X.Max+space
	}
	for _, y := range f.rules {
		p.Add(line(vgdraw.LineStyle{Color: grey, Width: hairline / 2}, plotter.XY{X: p.X.Min, Y: y},
			plotter.XY{X: p.X.Max, Y: y}))
	}
	return p
}

// addBand draws the band, or error bars of marks.
func (s Series) addBand(p *plot.Plot, l marking, x, y func(float64) float64) {
	var above, below plotter.XYs
	for i, half := range s.Band {
		above = append(above, plotter.XY{X: x(s.X[i]), Y: y(s.Y[i]) + half})
		below = append(below, plotter.XY{X: x(s.X[i]), Y: y(s.Y[i]) - half})
		if s.Marks {
			p.Add(line(marking{color: l.color}.line(), above[i], below[i]))
		}
	}
	if slices.Reverse(below); s.Band != nil && !s.Marks {
		p.Add(&plotter.Polygon{XYs: []plotter.XYs{append(above, below...)}, Color: tint(l.color, 0.22)})
	}
}

func (s Series) addTo(p *plot.Plot, l marking, x, y func(float64) float64) {
	var at plotter.XYs
	for i := range s.X {
		one := plotter.XY{X: x(s.X[i]), Y: y(s.Y[i])}
		if at = append(at, one); s.ends != nil && s.ends[i][0] < s.ends[i][1] {
			p.Add(&plotter.XErrorBars{XYs: at[i:], LineStyle: marking{color: l.color}.line(), CapWidth: 4,
				XErrors: plotter.XErrors{{Low: x(s.ends[i][0]) - one.X, High: x(s.ends[i][1]) - one.X}}})
		}
	}
	for _, part := range slices.Backward(s.parts(l, at...)) {
		p.Add(part.(plot.Plotter))
	}
}

// scaling returns the place of a number on an axis: the number, or its decimal logarithm. gonum's logarithmic scale
// would reserve the length of the axis's label off the middle of the axis.
func scaling(a *plot.Axis, logarithmic bool) func(float64) float64 {
	if !logarithmic {
		return func(x float64) float64 { return x }
	}
	a.Tick.Marker = plot.TickerFunc(logTicks)
	return math.Log10
}
