package draw

import (
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Dots is a dot plot: a row for each result, with our number filled and the paper's open. Each unit has its own axis,
// one below the other.
type Dots struct {
	Note  string
	Kinds []string // kinds of rows, which differ in colour and shape; at most two; "" has no name
	Open  string   // the legend of open marks
	Axes  []DotAxis
}

// DotAxis is an axis with the groups of rows above it.
type DotAxis struct {
	Label  string     `json:"axis"`
	Groups []DotGroup `json:"groups"`
	Lines  []DotLine  `json:"lines,omitempty"`       // such as baselines; at most six in a figure
	Log    bool       `json:"logarithmic,omitempty"` // for positive numbers; bars are cut at the end of the axis
	Unit   bool       `json:"-"`                     // numbers are in [0, 1], where bars are cut
}

// DotLine is a vertical line through all rows of an axis.
type DotLine struct {
	Name string  `json:"name"`
	At   float64 `json:"at"`
}

// DotGroup is a group of rows under a title.
type DotGroup struct {
	Title string   `json:"title"`
	Rows  []DotRow `json:"rows"`
}

// Grouped adds rows to the last group, or to a new one if the title differs.
func Grouped(groups []DotGroup, title string, rows ...DotRow) []DotGroup {
	if len(groups) == 0 || groups[len(groups)-1].Title != title {
		groups = append(groups, DotGroup{Title: title})
	}
	last := &groups[len(groups)-1]
	last.Rows = append(last.Rows, rows...)
	return groups
}

// DotRow is one result. Adjacent rows with the same name show it once.
type DotRow struct {
	Name  string   `json:"name"`
	Kind  string   `json:"protocol"`
	Runs  string   `json:"runs"`
	Ours  float64  `json:"ours"`
	Half  *float64 `json:"spread,omitempty"` // half length of the bar around Ours; nil for none
	Paper *float64 `json:"paper,omitempty"`  // nil if the paper has no number
}

const (
	dotRow   = vg.Length(10)  // height of a row, in points
	dotTitle = 1.6            // height of the title of a group, in rows
	dotNames = vg.Length(180) // least width of the names of rows
)

var lineLooks = []look{curveLooks[2], curveLooks[3], curveLooks[6], {skyBlue, []vg.Length{5, 2}, nil}, curveLooks[7],
	{blue, []vg.Length{7, 2, 1, 2}, nil}}

var dotLooks = []look{{blue, nil, vgdraw.CircleGlyph{}}, {vermillion, nil, vgdraw.BoxGlyph{}}}

// openMark marks a result that is not ours. It is larger than our mark, so both are visible if they coincide.
var openMark = vgdraw.GlyphStyle{Color: ink, Radius: 3.2, Shape: vgdraw.RingGlyph{}}

// addResult draws our mark at height y, with a bar from low to high if they differ.
func addResult(p *plot.Plot, y float64, l look, ours, low, high float64) {
	at := plotter.XY{X: ours, Y: y}
	if low != high {
		p.Add(&plotter.XErrorBars{XYs: plotter.XYs{at}, LineStyle: l.line(), CapWidth: 4,
			XErrors: plotter.XErrors{{Low: low - ours, High: high - ours}}})
	}
	p.Add(scatter(l.mark(2.1), at))
}

// Figure lays out the axes, 5.5 in wide. Every axis needs a row, and every row one of the kinds.
func (f Dots) Figure() (*Figure, error) {
	var plots []*plot.Plot
	var names legend
	for i, kind := range f.Kinds {
		names.add(strings.TrimSuffix("ours, "+kind, ", "), scatter(dotLooks[i].mark(2.1)))
	}
	names.add(f.Open, scatter(openMark))
	height, left := vg.Length(0), dotNames
	lines := kinds{}
	for _, a := range f.Axes {
		for _, l := range a.Lines {
			if look, isNew := lines.look(l.Name, lineLooks); isNew {
				names.add(l.Name, line(look.line()))
			}
		}
		p := a.plot(f.Kinds, lines)
		for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
			left = max(left, p.Y.Tick.Label.Width(t.Label)+8)
		}
		plots, height = append(plots, p), height+dotHeight(p)
	}
	return framed(f.Note, names, height, func(c vgdraw.Canvas) {
		for i, p := range plots {
			p.X.Label.Text = " "
			area := vgdraw.Crop(c, 0, 0, c.Size().Y-dotHeight(p), 0)
			area.Min.X += left - p.DataCanvas(area).Min.X + c.Min.X // aligns the axes
			drawLabelled(area, p, f.Axes[i].Label, "")
			c.Max.Y -= dotHeight(p)
		}
	}), nil
}

// dotHeight returns the height of a plot with its axis.
func dotHeight(p *plot.Plot) vg.Length { return vg.Length(p.Y.Max)*dotRow + 34 }

func (a DotAxis) plot(names []string, lines kinds) *plot.Plot {
	p := newPlot("", " ", "")
	p.Y.LineStyle.Width, p.Y.Tick.Length, p.Y.Padding = 0, 0, 4
	p.Add(grid(true))
	y := 0.0
	var labels plot.ConstantTicks
	for _, g := range slices.Backward(a.Groups) { // upwards
		for i, r := range slices.Backward(g.Rows) {
			low, high, label := r.Ours, r.Ours, strings.TrimPrefix(r.Kind+", "+r.Runs, ", ")
			if r.Half != nil {
				low, high = low-*r.Half, high+*r.Half
			}
			if a.Unit {
				low, high = max(low, 0), min(high, 1)
			}
			if a.Log {
				low = max(low, a.least())
			}
			if i == 0 || r.Name != g.Rows[i-1].Name {
				label = r.Name + ": " + label
			}
			if r.Paper != nil {
				p.Add(scatter(openMark, plotter.XY{X: *r.Paper, Y: y + 0.5}))
			}
			addResult(p, y+0.5, dotLooks[slices.Index(names, r.Kind)], r.Ours, low, high)
			labels = append(labels, plot.Tick{Value: y + 0.5, Label: label})
			y++
		}
		labels = append(labels, plot.Tick{Value: y + 0.6, Label: g.Title})
		y += dotTitle
	}
	for _, l := range a.Lines {
		p.Add(line(lines[l.Name].line(), plotter.XY{X: l.At, Y: 0}, plotter.XY{X: l.At, Y: y}))
	}
	p.Y.Min, p.Y.Max = 0, y
	if pad := (p.X.Max - p.X.Min) / 25; a.Log {
		p.X.Min, p.X.Max, p.X.Scale, p.X.Tick.Marker = a.least(), p.X.Max*1.2, plot.LogScale{}, logTicks(5)
	} else {
		p.X.Min, p.X.Max = p.X.Min-pad, p.X.Max+pad
	}
	p.Y.Tick.Marker = labels
	return p
}

// least returns the left end of a logarithmic axis: two thirds of the smallest number.
func (a DotAxis) least() float64 {
	smallest := math.Inf(1)
	for _, g := range a.Groups {
		for _, r := range g.Rows {
			smallest = min(smallest, r.Ours)
		}
	}
	return smallest / 1.5
}
