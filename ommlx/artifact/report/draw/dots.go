package draw

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Dots is a dot plot: a row for each result, with our number filled and the paper's open. Each unit has its own axis,
// one below the other.
type Dots struct {
	Note  string
	Kinds []string // kinds of rows, which differ in colour and shape; at most two
	Open  string   // the legend of open marks
	Axes  []DotAxis
}

// DotAxis is an axis with the groups of rows above it.
type DotAxis struct {
	Label  string     `json:"axis"`
	Groups []DotGroup `json:"groups"`
}

// DotGroup is a group of rows under a title.
type DotGroup struct {
	Title string   `json:"title"`
	Rows  []DotRow `json:"rows"`
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
	dotNames = vg.Length(180) // width of the names of rows
)

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
	height := vg.Length(0)
	for _, a := range f.Axes {
		plots = append(plots, a.plot(f.Kinds))
		height += dotHeight(plots[len(plots)-1])
	}
	var names legend
	for i, kind := range f.Kinds {
		names.add("ours, "+kind, scatter(dotLooks[i].mark(2.1)))
	}
	names.add(f.Open, scatter(openMark))
	return framed(f.Note, names, height, func(c vgdraw.Canvas) {
		for _, p := range plots {
			area := vgdraw.Crop(c, 0, 0, c.Size().Y-dotHeight(p), 0)
			area.Min.X += dotNames - p.DataCanvas(area).Min.X + c.Min.X // aligns the axes
			p.Draw(area)
			c.Max.Y -= dotHeight(p)
		}
	}), nil
}

// dotHeight returns the height of a plot with its axis.
func dotHeight(p *plot.Plot) vg.Length { return vg.Length(p.Y.Max)*dotRow + 34 }

func (a DotAxis) plot(kinds []string) *plot.Plot {
	p := newPlot("", a.Label, "")
	p.Y.LineStyle.Width, p.Y.Tick.Length, p.Y.Padding = 0, 0, 4
	p.Add(grid(true))
	y := 0.0
	var names plot.ConstantTicks
	for _, g := range slices.Backward(a.Groups) { // upwards
		for i, r := range slices.Backward(g.Rows) {
			half, label := 0.0, r.Kind+", "+r.Runs
			if r.Half != nil {
				half = *r.Half
			}
			if i == 0 || r.Name != g.Rows[i-1].Name {
				label = r.Name + ": " + label
			}
			if r.Paper != nil {
				p.Add(scatter(openMark, plotter.XY{X: *r.Paper, Y: y + 0.5}))
			}
			addResult(p, y+0.5, dotLooks[slices.Index(kinds, r.Kind)], r.Ours, r.Ours-half, r.Ours+half)
			names = append(names, plot.Tick{Value: y + 0.5, Label: label})
			y++
		}
		names = append(names, plot.Tick{Value: y + 0.6, Label: g.Title})
		y += dotTitle
	}
	pad := (p.X.Max - p.X.Min) / 25
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = p.X.Min-pad, p.X.Max+pad, 0, y
	p.Y.Tick.Marker = names
	return p
}
