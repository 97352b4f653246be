package draw

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
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
	dotRow   = vg.Length(10) // height of a row, in points
	dotTitle = 1.6           // height of the title of a group, in rows
)

// openMark marks a result that is not ours. It is larger than our mark, so both are visible if they coincide.
var openMark = vgdraw.GlyphStyle{Color: ink, Radius: 3.2, Shape: vgdraw.RingGlyph{}}

// Figure lays out the axes, 5.5 in wide. Every row needs one of the kinds. An axis without rows and lines is an error.
func (f Dots) Figure() (*Figure, error) {
	out := CurvesRow{Note: f.Note, Columns: 1}
	for _, a := range f.Axes {
		if len(a.Groups) == 0 && len(a.Lines) == 0 {
			return nil, fmt.Errorf("dots: axis %q has neither rows nor lines", a.Label)
		}
		p := f.plot(a)
		out.Plots, out.heights = append(out.Plots, p), append(out.heights, vg.Length(p.YMax)*dotRow+34)
	}
	return out.Figure()
}

func (f Dots) plot(a DotAxis) Curves {
	ours, theirs := make([]Series, len(f.Kinds)), Series{Name: f.Open, Marks: true, style: &openMark}
	for i, kind := range f.Kinds {
		ours[i] = Series{Name: strings.TrimSuffix("ours, "+kind, ", "), Marks: true}
	}
	p, y, smallest := Curves{XLabel: a.Label, LogX: a.Log, pad: true}, 0.0, math.Inf(1)
	for _, g := range slices.Backward(a.Groups) { // upwards
		for i, r := range slices.Backward(g.Rows) {
			half, label := 0.0, strings.TrimPrefix(r.Kind+", "+r.Runs, ", ")
			if r.Half != nil {
				half = *r.Half
			}
			ends := [2]float64{r.Ours - half, r.Ours + half}
			if a.Unit {
				ends = [2]float64{max(ends[0], 0), min(ends[1], 1)}
			}
			if i == 0 || r.Name != g.Rows[i-1].Name {
				label = r.Name + ": " + label
			}
			if r.Paper != nil {
				theirs.Add(*r.Paper, y+0.5)
			}
			kind := &ours[slices.Index(f.Kinds, r.Kind)]
			kind.Add(r.Ours, y+0.5)
			kind.ends = append(kind.ends, ends)
			smallest = min(smallest, r.Ours)
			p.rows = append(p.rows, plot.Tick{Value: y + 0.5, Label: label})
			y++
		}
		p.rows = append(p.rows, plot.Tick{Value: y + 0.6, Label: g.Title})
		y += dotTitle
	}
	for _, s := range append(ours, theirs) {
		for i := range s.ends {
			if a.Log { // bars are cut at two thirds of the smallest number
				s.ends[i][0] = max(s.ends[i][0], smallest/1.5)
			}
		}
		if s.X != nil {
			p.Series = append(p.Series, s)
		}
	}
	for _, l := range a.Lines {
		p.Series = append(p.Series, Series{Name: l.Name, X: []float64{l.At, l.At}, Y: []float64{0, y}})
	}
	p.YMax = y
	return p
}
