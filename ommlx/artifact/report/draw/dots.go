package draw

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Dots is a dot plot of numbers in [0, 1]: a row for each result, with our number filled and the paper's open, and bars
// that are cut at 0 and 1. Each unit has its own axis, one below the other.
type Dots struct {
	Note  string
	Kinds []string // kinds of rows, which differ in colour and shape
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
	dotRow   = vg.Length(10) // height of a row, in points
	dotTitle = 1.6           // height of the title of a group, in rows
)

// openMark marks a result that is not ours. It is larger than our mark, so both are visible if they coincide.
var openMark = vgdraw.GlyphStyle{Color: ink, Radius: 3.2, Shape: vgdraw.RingGlyph{}}

// Figure lays out the axes, 5.5 in wide. Every row needs one of the kinds. An axis without rows is an error.
func (f Dots) Figure() (*Figure, error) {
	out := CurvesRow{Note: f.Note, Columns: 1}
	for _, a := range f.Axes {
		if len(a.Groups) == 0 {
			return nil, fmt.Errorf("dots: axis %q has no rows", a.Label)
		}
		p := f.plot(a)
		out.Plots = append(out.Plots, p)
		out.layout.heights = append(out.layout.heights, vg.Length(p.YMax)*dotRow+34)
	}
	return out.Figure()
}

func (f Dots) plot(a DotAxis) Curves {
	ours, theirs := make([]Series, len(f.Kinds)), Series{Name: f.Open, Marks: true, style: &openMark}
	for i, kind := range f.Kinds {
		ours[i] = Series{Name: "ours, " + kind, Marks: true}
	}
	p, y := Curves{XLabel: a.Label, pad: true}, 0.0
	for _, g := range slices.Backward(a.Groups) { // upwards
		for i, r := range slices.Backward(g.Rows) {
			half, label := 0.0, r.Kind+", "+r.Runs
			if r.Half != nil {
				half = *r.Half
			}
			ends := [2]float64{max(r.Ours-half, 0), min(r.Ours+half, 1)}
			if i == 0 || r.Name != g.Rows[i-1].Name {
				label = r.Name + ": " + label
			}
			if r.Paper != nil {
				theirs.Add(*r.Paper, y+0.5)
			}
			kind := &ours[slices.Index(f.Kinds, r.Kind)]
			kind.Add(r.Ours, y+0.5)
			kind.ends = append(kind.ends, ends)
			p.rows = append(p.rows, plot.Tick{Value: y + 0.5, Label: label})
			y++
		}
		p.rows = append(p.rows, plot.Tick{Value: y + 0.6, Label: g.Title})
		y += dotTitle
	}
	for _, s := range append(ours, theirs) {
		if s.X != nil {
			p.Series = append(p.Series, s)
		}
	}
	p.YMax = y
	return p
}
