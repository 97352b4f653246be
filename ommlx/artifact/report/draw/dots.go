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
	dotRow   = 10.0 // height of a row, in points, which is the unit of the y axis
	dotTitle = 16.0 // height of the title of a group
	dotApart = vg.Length(8)
)

var (
	dotStyles = []lineStyle{{blue, nil, marker{circle, true}}, {vermillion, nil, marker{square, true}}}
	dotOpen   = marker{circle, false}.sized(3.4, ink)
)

func (s lineStyle) dot() vgdraw.GlyphStyle { return s.mark.sized(2.1, s.color) }

// Figure lays the axes out: 5.5 in wide. It is an error if a number is not finite, or not positive on a logarithmic
// axis, if a kind is not listed, or if an axis has no rows.
func (f Dots) Figure() (*Figure, error) {
	const tall = vg.Length(1000)
	names := vg.Length(0)
	for _, a := range f.Axes {
		if len(a.rows()) == 0 {
			return nil, fmt.Errorf("dots: axis %q has no rows", a.Label)
		}
		for _, r := range a.rows() {
			names = max(names, textStyle(smallSize, ink).Width(r.Name)+dotApart)
			if !slices.Contains(f.Kinds, r.Kind) || !finite(append(r.numbers(), r.half())...) {
				return nil, fmt.Errorf("dots: row %q has the kind %q and the numbers %v ± %v; use a kind of %q and "+
					"finite numbers", r.Name, r.Kind, r.numbers(), r.half(), f.Kinds)
			}
		}
	}
	plots, heights := make([]*plot.Plot, len(f.Axes)), make([]vg.Length, len(f.Axes))
	left, right, height := vg.Length(0), pageWidth, vg.Length(0) // where the data of all plots stand
	for i, a := range f.Axes {
		p := a.plot(f.Kinds)
		data := p.DataCanvas(vgdraw.Canvas{Rectangle: rectangle(names, 0, pageWidth, tall)})
		left, right = max(left, data.Min.X), min(right, data.Max.X)
		plots[i], heights[i] = p, vg.Length(a.height())+tall-data.Size().Y
		height += heights[i] + dotApart
	}
	return framed(f.Note, f.keys(), height, pageWidth, func(c vgdraw.Canvas) {
		top := c.Max.Y - topGap
		for i, p := range plots {
			box := rectangle(c.Min.X+names, top-heights[i], c.Max.X, top)
			data := p.DataCanvas(vgdraw.Canvas{Canvas: c, Rectangle: box})
			box.Min.X += c.Min.X + left - data.Min.X
			box.Max.X += c.Min.X + right - data.Max.X
			p.Draw(vgdraw.Canvas{Canvas: c, Rectangle: box})
			f.Axes[i].name(c, data.Min.Y)
			top -= heights[i] + dotApart
		}
	}), nil
}

func (r DotRow) numbers() []float64 {
	all := []float64{r.Ours}
	if r.Paper != nil {
		all = append(all, *r.Paper)
	}
	return all
}

func (a DotAxis) rows() (all []DotRow) {
	for _, g := range a.Groups {
		all = append(all, g.Rows...)
	}
	return all
}

func (a DotAxis) height() float64 {
	return dotTitle*float64(len(a.Groups)) + dotRow*float64(len(a.rows()))
}

// bounds are the ends of the axis, a little beyond all marks and bars.
func (a DotAxis) bounds() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, r := range a.rows() {
		for _, x := range append(r.numbers(), r.Ours-r.half(), r.Ours+r.half()) {
			low, high = min(low, x), max(high, x)
		}
	}
	pad := (high - low) / 25
	return low - pad, high + pad
}

func (r DotRow) half() float64 {
	if r.Half == nil {
		return 0
	}
	return *r.Half
}

// places lists the heights of the titles of groups and of the middles of rows above the axis, in points.
func (a DotAxis) places() (titles []float64, rows [][]float64) {
	y := a.height()
	for _, g := range a.Groups {
		y -= dotTitle
		titles, rows = append(titles, y), append(rows, nil)
		for range g.Rows {
			rows[len(rows)-1] = append(rows[len(rows)-1], y-dotRow/2)
			y -= dotRow
		}
	}
	return titles, rows
}

// plot sets up the axis with its rows.
func (a DotAxis) plot(kinds []string) *plot.Plot {
	p := newPlot(a.Label, "")
	p.Y.LineStyle.Width, p.Y.Tick.Length = 0, 0
	p.Add(&plotter.Grid{Vertical: gridLines().Vertical})
	low, high := a.bounds()
	var labels plot.ConstantTicks
	_, places := a.places()
	for i, g := range a.Groups {
		for j, r := range g.Rows {
			y := places[i][j]
			labels = append(labels, plot.Tick{Value: y, Label: r.Kind + ", " + r.Runs})
			style := dotStyles[slices.Index(kinds, r.Kind)]
			if r.Paper != nil {
				p.Add(&plotter.Scatter{XYs: plotter.XYs{{X: *r.Paper, Y: y}}, GlyphStyle: dotOpen})
			}
			if r.Half != nil {
				p.Add(&plotter.XErrorBars{XYs: plotter.XYs{{X: r.Ours, Y: y}}, LineStyle: style.line(), CapWidth: 5.4,
					XErrors: plotter.XErrors{{Low: -*r.Half, High: *r.Half}}})
			}
			p.Add(&plotter.Scatter{XYs: plotter.XYs{{X: r.Ours, Y: y}}, GlyphStyle: style.dot()})
		}
	}
	p.Y.Tick.Marker = labels
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = low, high, 0, a.height()
	return p
}

// name writes the titles of groups and the names of rows at the left of c; the rows begin at a height.
func (a DotAxis) name(c vgdraw.Canvas, from vg.Length) {
	titles, places := a.places()
	at := func(y float64) vg.Point { return vg.Point{X: c.Min.X, Y: from + vg.Length(y)} }
	for i, g := range a.Groups {
		c.FillText(textStyle(labelSize, ink), at(titles[i]+2.5), g.Title)
		before := ""
		for j, r := range g.Rows {
			if r.Name != before {
				c.FillText(textStyle(smallSize, ink), at(places[i][j]-0.36*float64(smallSize)), r.Name)
			}
			before = r.Name
		}
	}
}

// keys name the kinds and explain open marks.
func (f Dots) keys() (keys []key) {
	for i, kind := range f.Kinds {
		keys = append(keys, glyphKey("ours, "+kind, dotStyles[i].dot()))
	}
	return append(keys, glyphKey(f.Open, dotOpen))
}
