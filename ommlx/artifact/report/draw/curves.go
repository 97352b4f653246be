package draw

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
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

// plotsInARow has the legend at the right, each key where its line ends in the last plot, or above where it is wide.
func plotsInARow(note string, height vg.Length, list ...Curves) (*Figure, error) {
	plots := make([]*plot.Plot, len(list))
	for i, f := range list {
		if err := f.check(); err != nil {
			return nil, fmt.Errorf("curves %q: %w", f.Title, err)
		}
		plots[i] = f.plot()
	}
	last, axis := list[len(list)-1], &plots[len(plots)-1].Y
	var keys []key
	width := vg.Length(0)
	for i, s := range last.Series {
		keys = append(keys, lineKey(s.Name, curveStyles[i]))
		width = max(width, keys[i].width()+5)
	}
	if width > pageWidth/4 {
		return tiled(note, keys, len(plots), height, plots), nil
	}
	return framed(note, nil, height, pageWidth/vg.Length(len(plots)), func(c vgdraw.Canvas) {
		c.Max.X -= width
		data := drawTiles(c, len(plots), plots)
		type placed struct {
			key
			at vg.Length
		}
		var ends []placed
		for i, s := range last.Series {
			end := min(axis.Max, max(axis.Min, s.Y[len(s.Y)-1]))
			ends = append(ends, placed{keys[i], data.Y(axis.Norm(end))})
		}
		slices.SortStableFunc(ends, func(a, b placed) int { return cmp.Compare(a.at, b.at) })
		at := vg.Length(math.Inf(-1))
		for _, k := range ends { // upwards, none on another
			at = max(k.at, at+lineHeight)
			k.paint(data, vg.Point{X: data.Max.X + 5, Y: at - 0.36*smallSize})
		}
	}), nil
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
		markers := 8
		if f.counts() {
			markers = len(s.X)
		}
		s.addTo(p, curveStyles[i], markers)
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

// counts tells whether x counts a few things, as modes. Each has a marker then.
func (f Curves) counts() bool {
	for _, s := range f.Series {
		if s.X[len(s.X)-1]-s.X[0] > 40 || slices.ContainsFunc(s.X, func(x float64) bool { return x != math.Trunc(x) }) {
			return false
		}
	}
	return true
}

// CurvesGrid draws the learning curves of the methods of figure 1, average cosine similarity from 0 to 1, in a panel
// for each environment, three in a row, under one legend.
type CurvesGrid struct {
	XLabel  string
	Note    string   // printed under the panels
	Methods []string // in the order of figure 1, which gives them their colours; at most three
	Panels  []CurvesPanel
}

// CurvesPanel is one environment. One without a curve has a remark that says why.
type CurvesPanel struct {
	Name    string
	XMax    float64  // the x axis runs from 0 to it; it has no numbers where there is no series
	Series  []Series // named as one of the methods each
	Others  []Series // the same of other people's runs, drawn dashed and without markers
	Remarks []string // lines in the panel, as "ALLO not run yet"
}

// methodStyles have the colours and shapes of figure 1, and other people's curves the dashes.
var methodStyles = []lineStyle{
	{blue, nil, marker{circle, true}},
	{skyBlue, nil, marker{square, false}},
	{ink, nil, marker{triangle, true}},
}

var otherDashes = []vg.Length{2, 1.5}

const (
	gridColumns = 3
	gridHeight  = vg.Length(98) // of a row of panels
)

// Figure lays the panels out: 5.5 in wide, 1.4 in per row and more with legend and note.
func (f CurvesGrid) Figure() (*Figure, error) {
	var keys []key
	for i, name := range f.Methods {
		keys = append(keys, lineKey(name, methodStyles[i]))
	}
	if slices.ContainsFunc(f.Panels, func(p CurvesPanel) bool { return len(p.Others) > 0 }) {
		keys = append(keys, lineKey("dashed: the authors' logged runs", lineStyle{grey, otherDashes, marker{}}))
	}
	plots := make([]*plot.Plot, len(f.Panels))
	for i, p := range f.Panels {
		plots[i] = p.plot(f.Methods)
		numbers := halves(1)
		if i%gridColumns == 0 {
			plots[i].Y.Label.Text = "cosine similarity"
		} else {
			for k := range numbers {
				numbers[k].Label = " " // a grid line without a number
			}
		}
		plots[i].Y.Tick.Marker = numbers
	}
	for _, p := range plots[(len(plots)-1)/gridColumns*gridColumns:] {
		p.X.Label.Text = f.XLabel
	}
	return tiled(f.Note, keys, gridColumns, gridHeight, plots), nil
}

// plot sets the panel up; the first method is on top.
func (p CurvesPanel) plot(methods []string) *plot.Plot {
	axes := newPlot("", "")
	axes.Title.Text = p.Name
	style := func(s Series) lineStyle { return methodStyles[slices.Index(methods, s.Name)] }
	axes.X.Tick.Marker = plot.ConstantTicks{}
	if len(p.Series)+len(p.Others) > 0 {
		axes.X.Tick.Marker = halves(p.XMax)
		axes.Add(gridLines())
	}
	for _, s := range slices.Backward(p.Series) {
		s.addTo(axes, style(s), 5)
	}
	for _, s := range p.Others {
		s.addTo(axes, lineStyle{style(s).color, otherDashes, marker{}}, 5)
	}
	axes.Add(p.remarks())
	axes.X.Min, axes.X.Max, axes.Y.Min, axes.Y.Max = 0, p.XMax, 0, 1
	return axes
}

// remarks stand in the middle of an empty panel, and else on the right, above the curves or below them, where there is
// more room.
func (p CurvesPanel) remarks() onPlot {
	style := textStyle(smallSize, grey)
	style.XAlign, style.YAlign = text.XRight, text.YTop
	at := plotter.XY{X: p.XMax, Y: 0.97}
	low, high := 1., 0.
	for _, s := range slices.Concat(p.Series, p.Others) {
		late := s.Y[len(s.Y)/3:]
		low, high = min(low, slices.Min(late)), max(high, slices.Max(late))
	}
	switch {
	case len(p.Series)+len(p.Others) == 0:
		style.XAlign, style.YAlign, at = text.XCenter, text.YCenter, plotter.XY{X: p.XMax / 2, Y: 0.5}
	case low > 1-high:
		style.YAlign, at.Y = text.YBottom, 0.03
	}
	return func(c vgdraw.Canvas, x, y func(float64) vg.Length) {
		c.FillText(style, vg.Point{X: x(at.X), Y: y(at.Y)}, strings.Join(p.Remarks, "\n"))
	}
}
