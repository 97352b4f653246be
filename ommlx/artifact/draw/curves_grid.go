package draw

import (
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

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
	Name      string
	Generated bool     // the maze is ours, not the official layout; the figure says so
	XMax      float64  // the x axis runs from 0 to it; it has no numbers where there is no series
	Series    []Series // named as one of the methods each
	Others    []Series // the same of other people's runs, drawn dashed and without markers
	Remarks   []string // lines in the panel, as "ALLO not run yet"
}

// methodStyles have the colours and shapes of figure 1.
var methodStyles = []lineStyle{
	{blue, nil, marker{circle, true}},
	{skyBlue, nil, marker{square, false}},
	{ink, nil, marker{triangle, true}},
}

// otherStyle is the look of other people's curves.
func otherStyle(c lineStyle) lineStyle { return lineStyle{c.color, []vg.Length{2, 1.5}, marker{}} }

const (
	gridColumns = 3
	gridHeight  = vg.Length(98) // of a row of panels
)

// Figure lays the panels out: 5.5 in wide, 1.4 in per row and more with legend and note.
func (f CurvesGrid) Figure() (*Figure, error) {
	note := f.Note
	if slices.ContainsFunc(f.Panels, func(p CurvesPanel) bool { return p.Generated }) {
		note += "\n" + oursNote
	}
	var keys []key
	for i, name := range f.Methods {
		keys = append(keys, lineKey(name, methodStyles[i]))
	}
	if slices.ContainsFunc(f.Panels, func(p CurvesPanel) bool { return len(p.Others) > 0 }) {
		keys = append(keys, lineKey("dashed: the public code's own runs", otherStyle(lineStyle{color: grey})))
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
	return tiled(note, keys, gridColumns, gridHeight, plots), nil
}

// plot sets the panel up; the first method is on top.
func (p CurvesPanel) plot(methods []string) *plot.Plot {
	axes := newPlot("", "")
	axes.Title.Text = starred(p.Name, p.Generated)
	style := func(s Series) lineStyle { return methodStyles[slices.Index(methods, s.Name)] }
	drawn := len(p.Series)+len(p.Others) > 0
	if drawn {
		axes.Add(gridLines())
	}
	for _, s := range slices.Backward(p.Series) {
		s.addTo(axes, style(s), 5)
	}
	for _, s := range p.Others {
		s.addTo(axes, otherStyle(style(s)), 5)
	}
	axes.Add(p.remarks())
	axes.X.Min, axes.X.Max, axes.Y.Min, axes.Y.Max = 0, p.XMax, 0, 1
	axes.X.Tick.Marker = plot.ConstantTicks{}
	if drawn {
		axes.X.Tick.Marker = halves(p.XMax)
	}
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
