package draw

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Dots is a dot plot: a row for each result, with our number filled and the paper's open. Results in different units
// have an axis each, one below the other.
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

// DotRow is one result. Adjacent rows of one name show it once.
type DotRow struct {
	Name  string   `json:"name"`
	Kind  string   `json:"protocol"`
	Runs  string   `json:"runs"`
	Ours  float64  `json:"ours"`
	Half  *float64 `json:"spread,omitempty"` // half of the length of the bar around Ours; nil for none
	Paper *float64 `json:"paper,omitempty"`  // nil: the paper has no number
}

const (
	dotRow   = vg.Length(10) // height of a row, in points
	dotTitle = 1.6           // height of the title of a group, in rows
	dotApart = vg.Length(8)  // between two axes
)

var dotLooks = []look{{blue, nil, vgdraw.CircleGlyph{}}, {vermillion, nil, vgdraw.BoxGlyph{}}}

// openMark is the mark of a result that is not ours, larger than our mark: a ring around it where the two coincide.
var openMark = vgdraw.GlyphStyle{Color: ink, Radius: 3.2, Shape: vgdraw.RingGlyph{}}

// addResult draws a result at a height of a plot: the open mark, a bar of ± half, and our mark. Without a bar half is
// zero; open is nil if there is no other result.
func addResult(p *plot.Plot, y float64, l look, ours, half float64, open *float64) {
	at := plotter.XY{X: ours, Y: y}
	if open != nil {
		p.Add(scatter(openMark, plotter.XY{X: *open, Y: y}))
	}
	if half > 0 {
		p.Add(&plotter.XErrorBars{XYs: plotter.XYs{at}, LineStyle: l.line(), CapWidth: 4,
			XErrors: plotter.XErrors{{Low: -half, High: half}}})
	}
	if finite(ours) {
		p.Add(scatter(l.mark(2.1), at))
	}
}

// Figure lays the axes out: 5.5 in wide. It is an error if a number is not finite, if a kind is not listed, or if an
// axis has no rows.
func (f Dots) Figure() (*Figure, error) {
	var plots []*plot.Plot
	var heights []vg.Length
	left, total := vg.Length(0), vg.Length(0) // where the data of all axes begin; the sum of heights
	for _, a := range f.Axes {
		p, rows, err := a.plot(f.Kinds)
		if err != nil {
			return nil, err
		}
		area := vgdraw.Canvas{Rectangle: rectangle(0, 0, pageWidth, 10*vg.Inch)}
		data := p.DataCanvas(area)
		left = max(left, data.Min.X)
		height := area.Size().Y - data.Size().Y + vg.Length(rows)*dotRow
		plots, heights, total = append(plots, p), append(heights, height), total+height+dotApart
	}
	var names legend
	for i, kind := range f.Kinds {
		names.add("ours, "+kind, scatter(dotLooks[i].mark(2.1)))
	}
	names.add(f.Open, scatter(openMark))
	return framed(f.Note, names, total, func(c vgdraw.Canvas) {
		for i, p := range plots {
			area := vgdraw.Crop(c, 0, 0, c.Size().Y-heights[i], 0)
			area.Min.X += c.Min.X + left - p.DataCanvas(area).Min.X
			p.Draw(area)
			c.Max.Y -= heights[i] + dotApart
		}
	}), nil
}

// plot sets up the axis with its rows, and returns its height in rows.
func (a DotAxis) plot(kinds []string) (p *plot.Plot, height float64, err error) {
	rows := 0
	for _, g := range a.Groups {
		rows += len(g.Rows)
	}
	if rows == 0 {
		return nil, 0, fmt.Errorf("dots: axis %q has no rows", a.Label)
	}
	height = float64(rows) + dotTitle*float64(len(a.Groups))
	p = newPlot("", a.Label, "")
	p.Y.LineStyle.Width, p.Y.Tick.Length, p.Y.Padding = 0, 0, 4
	p.Add(grid(true))
	y, names, titles := height, plot.ConstantTicks{}, []float64(nil)
	for _, g := range a.Groups {
		y -= dotTitle
		titles = append(titles, y+0.75)
		before := ""
		for _, r := range g.Rows {
			kind, half, paper := slices.Index(kinds, r.Kind), 0.0, 0.0
			if r.Half != nil {
				half = *r.Half
			}
			if r.Paper != nil {
				paper = *r.Paper
			}
			if kind < 0 || !finite(r.Ours, half, paper) {
				return nil, 0, fmt.Errorf("dots: row %q has the kind %q and the numbers %v ± %v, %v; use a kind of %q "+
					"and finite numbers", r.Name, r.Kind, r.Ours, half, paper, kinds)
			}
			addResult(p, y-0.5, dotLooks[kind], r.Ours, half, r.Paper)
			label := r.Kind + ", " + r.Runs
			if r.Name != before {
				label = r.Name + ": " + label
			}
			names, before = append(names, plot.Tick{Value: y - 0.5, Label: label}), r.Name
			y--
		}
	}
	pad := (p.X.Max - p.X.Min) / 25
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = p.X.Min-pad, p.X.Max+pad, 0, height
	p.Y.Tick.Marker = names
	style := aligned(labelSize, ink, text.XLeft, middle)
	for i, g := range a.Groups {
		p.Add(words(style, p.X.Min, titles[i], g.Title))
	}
	return p, height, nil
}
