package draw

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// CurvesGrid draws the learning curves of the methods of figure 1, average cosine similarity from 0 to 1, in a panel
// for each environment, four in a row, under one legend.
type CurvesGrid struct {
	XLabel  string
	Note    string   // printed under the panels; required, so that a quick run never looks like the paper's
	Methods []string // in the order of figure 1, which gives them their colours
	Panels  []CurvesPanel
}

// CurvesPanel is one environment. One without a curve needs a remark that says why.
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
func otherStyle(c color.Color) lineStyle { return lineStyle{c, []vg.Length{2, 1.5}, marker{}} }

const (
	gridColumns = 4
	panelHeight = vg.Length(66) // of the data
	panelGutter = vg.Length(19) // between panels beside each other: room for half a number on either side
	panelRight  = vg.Length(8)  // right of the last one, for the same
	tickHeight  = smallSize + 9 // of the numbers below a panel, and of the space below them
	titleHeight = labelSize + 3
)

// Figure lays the panels out: 5.5 in wide, 1.3 in per row and more with legend and note. It is an error if a panel says
// nothing, if a series is of no method, or if a number is not finite or outside of the axes.
func (f CurvesGrid) Figure() (*Figure, error) {
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("a grid of curves: %w", err)
	}
	note := f.Note
	if slices.ContainsFunc(f.Panels, func(p CurvesPanel) bool { return p.Generated }) {
		note += "\n" + oursNote
	}
	var keys []key
	for i, name := range f.Methods {
		keys = append(keys, lineKey(name, methodStyles[i]))
	}
	if slices.ContainsFunc(f.Panels, func(p CurvesPanel) bool { return len(p.Others) > 0 }) {
		keys = append(keys, lineKey("dashed: the public code's own runs", otherStyle(grey)))
	}
	rows := vg.Length((len(f.Panels) + gridColumns - 1) / gridColumns)
	height := rows*(titleHeight+panelHeight+tickHeight) + labelSize + 8
	return framed(note, keys, height, f.paint), nil
}

func (f CurvesGrid) check() error {
	switch {
	case f.Note == "":
		return errors.New("the note is empty: say which profile was run")
	case len(f.Panels) == 0 || len(f.Methods) == 0:
		return errors.New("no panels or no methods to draw")
	case len(f.Methods) > len(methodStyles):
		return fmt.Errorf("%d methods: at most %d can be told apart", len(f.Methods), len(methodStyles))
	}
	for _, p := range f.Panels {
		if err := p.check(f.Methods); err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	return nil
}

func (p CurvesPanel) check(methods []string) error {
	if len(p.Series) == 0 && len(p.Remarks) == 0 {
		return errors.New("no curve and no remark that says why")
	}
	for _, list := range [][]Series{p.Series, p.Others} {
		if len(list) > 0 {
			if err := p.checkSeries(methods, list); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p CurvesPanel) checkSeries(methods []string, list []Series) error {
	if err := (Curves{Series: list}).check(); err != nil {
		return err
	}
	if !(p.XMax > 0) || !finite(p.XMax) {
		return fmt.Errorf("the x axis cannot run from 0 to %v", p.XMax)
	}
	seen := map[string]bool{}
	for _, s := range list {
		switch {
		case !slices.Contains(methods, s.Name) || seen[s.Name]:
			return fmt.Errorf("the series %q is of no method, or the second of one", s.Name)
		case s.X[0] < 0 || s.X[len(s.X)-1] > p.XMax*(1+1e-9):
			return fmt.Errorf("%s: x is outside of the axis from 0 to %v", s.Name, p.XMax)
		case slices.Min(s.Y) < 0 || slices.Max(s.Y) > 1+1e-6: // rounding may carry a perfect similarity past 1
			return fmt.Errorf("%s: an average cosine similarity is outside [0, 1]", s.Name)
		}
		seen[s.Name] = true
	}
	return nil
}

// paint draws the panels, and the labels that all of them share.
func (f CurvesGrid) paint(c vgdraw.Canvas) {
	label := centred(labelSize, ink)
	c.Max.X -= panelRight
	width := (c.Size().X - keyIndent - (gridColumns-1)*panelGutter) / gridColumns
	c.FillText(label, vg.Point{X: (c.Min.X + keyIndent + c.Max.X) / 2, Y: c.Min.Y}, f.XLabel)
	label.Rotation = math.Pi / 2
	label.YAlign = text.YTop
	c.FillText(label, vg.Point{X: c.Min.X, Y: (c.Min.Y + c.Max.Y) / 2}, "average cosine similarity")
	for i, p := range f.Panels {
		left := c.Min.X + keyIndent + vg.Length(i%gridColumns)*(width+panelGutter)
		top := c.Max.Y - vg.Length(i/gridColumns)*(titleHeight+panelHeight+tickHeight)
		title := starred(p.Name, p.Generated)
		c.FillText(centred(labelSize, ink), vg.Point{X: left + width/2, Y: top - titleHeight + 2}, title)
		area := c
		area.Rectangle = rectangle(left, top-titleHeight-panelHeight, left+width, top-titleHeight)
		p.paint(area, f.Methods, i%gridColumns == 0)
	}
}

// paint draws the panel with its data in c, and the numbers of the y axis on its left if it is the first of its row.
func (p CurvesPanel) paint(c vgdraw.Canvas, methods []string, first bool) {
	axes := newPlot("", "")
	axes.X.Min, axes.X.Max, axes.Y.Min, axes.Y.Max = 0, p.XMax, 0, 1
	axes.X.Tick.Marker, axes.Y.Tick.Marker = plot.TickerFunc(fewTicks), halves
	if p.drawn() {
		gridLines{x: true, y: true}.Plot(c, axes)
	}
	style := func(s Series) lineStyle { return methodStyles[slices.Index(methods, s.Name)] }
	for _, s := range slices.Backward(p.Series) { // the first method is on top
		curve{s, style(s)}.fillBand(c, axes)
	}
	for _, s := range slices.Backward(p.Series) {
		glyph := style(s).glyph()
		glyph.Radius = 1.4
		curve{Series: s}.stroke(c, axes, style(s).line(), glyph, 5)
	}
	for _, s := range p.Others {
		curve{Series: s}.stroke(c, axes, otherStyle(style(s).color).line(), vgdraw.GlyphStyle{}, 0)
	}
	p.paintAxes(c, axes, first)
	p.paintRemarks(c)
}

// drawn tells whether the panel has a curve.
func (p CurvesPanel) drawn() bool { return len(p.Series)+len(p.Others) > 0 }

// paintAxes draws the axes on the edges of c, with ticks and numbers outside of it.
func (p CurvesPanel) paintAxes(c vgdraw.Canvas, axes *plot.Plot, numbers bool) {
	line := vgdraw.LineStyle{Color: ink, Width: axisLine}
	c.StrokeLines(line, []vg.Point{{X: c.Min.X, Y: c.Max.Y}, c.Min, {X: c.Max.X, Y: c.Min.Y}})
	below, beside := centred(smallSize, ink), textStyle(smallSize, ink)
	below.YAlign = text.YTop
	beside.XAlign, beside.YAlign = text.XRight, text.YCenter
	if p.drawn() {
		for _, t := range fewTicks(0, p.XMax) {
			x := c.X(axes.X.Norm(t.Value))
			c.StrokeLine2(line, x, c.Min.Y, x, c.Min.Y-2.5)
			c.FillText(below, vg.Point{X: x, Y: c.Min.Y - 3}, t.Label)
		}
	}
	for _, t := range halves {
		y := c.Y(t.Value)
		c.StrokeLine2(line, c.Min.X-2.5, y, c.Min.X, y)
		if numbers {
			c.FillText(beside, vg.Point{X: c.Min.X - 4, Y: y}, t.Label)
		}
	}
}

// paintRemarks writes the remarks into the middle of an empty panel, and else where the right half has more room, above
// its curves or below them.
func (p CurvesPanel) paintRemarks(c vgdraw.Canvas) {
	low, high := 1., 0.
	for _, s := range slices.Concat(p.Series, p.Others) {
		for i, x := range s.X {
			if x < p.XMax/3 {
				continue
			}
			half := 0.
			if s.Band != nil {
				half = s.Band[i]
			}
			low, high = min(low, s.Y[i]-half), max(high, s.Y[i]+half)
		}
	}
	block := vg.Length(len(p.Remarks)) * lineHeight
	at := vg.Point{X: c.Max.X - 2, Y: c.Max.Y - 2}
	style := textStyle(smallSize, grey)
	style.XAlign, style.YAlign = text.XRight, text.YTop
	switch {
	case !p.drawn():
		style.XAlign = text.XCenter
		at = vg.Point{X: (c.Min.X + c.Max.X) / 2, Y: (c.Min.Y+c.Max.Y)/2 + block/2}
	case low > 1-high:
		at.Y = c.Min.Y + block + 1
	}
	for _, line := range p.Remarks {
		c.FillText(style, at, line)
		at.Y -= lineHeight
	}
}

// halves are the ticks of the y axis.
var halves = plot.ConstantTicks{{Value: 0, Label: "0"}, {Value: 0.5, Label: "0.5"}, {Value: 1, Label: "1"}}

// fewTicks are at 0 and at up to three multiples of a round step.
func fewTicks(_, high float64) []plot.Tick {
	unit := math.Pow(10, math.Floor(math.Log10(high/3)))
	step := 10 * unit
	for _, k := range []float64{5, 4, 2.5, 2, 1} {
		if k*unit >= high/3*(1-1e-9) {
			step = k * unit
		}
	}
	var ts []plot.Tick
	for k := 0.; k*step <= high*(1+1e-9); k++ {
		t := plot.Tick{Value: k * step, Label: strconv.FormatFloat(k*step, 'g', 4, 64)}
		if step >= 1 && step == math.Trunc(step) {
			t.Label = thousands(int(math.Round(t.Value)))
		}
		ts = append(ts, t)
	}
	return ts
}
