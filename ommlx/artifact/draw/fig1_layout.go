package draw

import (
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

const (
	rowHeight    = vg.Length(7.8)
	blockApart   = vg.Length(5)     // between the rows of two environments
	blockLeast   = vg.Length(20)    // the least height of an environment's rows: room for its name and a remark
	figureMargin = vg.Length(4)     // on all sides
	columnApart  = vg.Length(8)     // between two panels
	columnPad    = vg.Length(5)     // from an end of an axis to the edge of its panel
	spectraWidth = vg.Length(78)    // of the panel of spectra
	footHeight   = 2*lineHeight + 6 // of the axes below the panels
)

// column is the stretch of a panel from left to right.
type column struct{ from, to vg.Length }

// fig1Layout knows where everything of figure 1 stands.
type fig1Layout struct {
	Fig1
	styles  []lineStyle // of the methods
	low     float64     // where the axes of similarity begin
	columns []column    // the panels of rows and, at the end, that of spectra
	titles  [][]string  // the lines of their titles
	notes   []string    // the lines of the footer
	block   vg.Length   // height of an environment
	bottom  vg.Length   // of the last environment
}

func newFig1Layout(f Fig1) fig1Layout {
	l := fig1Layout{Fig1: f, low: f.low()}
	count := map[bool]int{}
	for _, r := range f.Environments[0].longest() {
		styles := paperStyles
		if r.Beyond {
			styles = beyondStyles
		}
		l.styles = append(l.styles, styles[count[r.Beyond]])
		count[r.Beyond]++
	}
	l.block = blockApart + max(blockLeast, vg.Length(len(l.styles))*rowHeight)

	left, right := figureMargin, TextWidth-figureMargin
	for _, e := range f.Environments {
		for _, words := range []string{e.Name, e.remark()} {
			left = max(left, figureMargin+textStyle(smallSize, ink).Width(words)+columnApart)
		}
	}
	n := vg.Length(len(f.Panels))
	width := (right - spectraWidth - left - n*columnApart) / n
	for range f.Panels {
		l.columns = append(l.columns, column{left, left + width})
		left += width + columnApart
	}
	l.columns = append(l.columns, column{left, right})
	for i, c := range l.columns {
		title := append(f.Panels[:len(f.Panels):len(f.Panels)], "spectrum of I – P")[i]
		l.titles = append(l.titles, wrap(title, textStyle(labelSize, ink), c.to-c.from))
	}
	l.notes = wrap(f.notes(l.low, l.missing()), textStyle(smallSize, grey), right-figureMargin)
	l.bottom = figureMargin + vg.Length(len(l.notes))*lineHeight + 3 + footHeight
	return l
}

// low is where the axes of similarity begin: the highest multiple of a fifth, at most 0.8, that no number is below.
func (f Fig1) low() float64 {
	low := 0.8
	for _, r := range f.rows() {
		lowest, _ := r.ends()
		low = min(low, math.Floor(lowest*5)/5)
	}
	return max(0, low)
}

// remark stands below the name of an environment.
func (e Fig1Environment) remark() string {
	switch {
	case e.Hard && e.Generated:
		return "× hard " + standIn
	case e.Hard:
		return "× hard"
	case e.Generated:
		return standIn
	}
	return ""
}

// top is that of the first environment.
func (l fig1Layout) top() vg.Length { return l.bottom + vg.Length(len(l.Environments))*l.block }

// y is the middle of the row of method j on environment i.
func (l fig1Layout) y(i, j int) vg.Length {
	middle := l.top() - (vg.Length(i)+0.5)*l.block
	return middle + (vg.Length(len(l.styles)-1)/2-vg.Length(j))*rowHeight
}

// x is where a similarity stands in a panel.
func (l fig1Layout) x(panel int, value float64) vg.Length {
	c := l.columns[panel]
	return c.from + columnPad + vg.Length((value-l.low)/(1-l.low))*(c.to-c.from-2*columnPad)
}

// legendHeight is that of the keys of methods and of marks, which stand in rows from the first panel on.
func (l fig1Layout) legendHeight() vg.Length {
	width := TextWidth - figureMargin - l.columns[0].from
	return vg.Length(len(flow(l.methodKeys(), width))+len(flow(l.markKeys(), width))) * keyHeight
}

func (l fig1Layout) titleHeight() (height vg.Length) {
	for _, lines := range l.titles {
		height = max(height, vg.Length(len(lines))*(labelSize+2)+3)
	}
	return height
}

func (l fig1Layout) height() vg.Length {
	return l.top() + l.titleHeight() + l.legendHeight() + 4 + figureMargin
}

func (l fig1Layout) paint(c vgdraw.Canvas) {
	inner := c
	inner.Rectangle = rectangle(c.Min.X+figureMargin, c.Min.Y+figureMargin, c.Max.X-figureMargin, c.Max.Y-figureMargin)
	footer(inner, l.notes)
	inner.Min.X = l.columns[0].from - keyIndent
	paintKeys(paintKeys(inner, l.methodKeys()), l.markKeys())
	for i, lines := range l.titles {
		for n, line := range lines {
			y := l.top() + 4 + vg.Length(len(lines)-1-n)*(labelSize+2)
			c.FillText(centred(labelSize, ink), vg.Point{X: (l.columns[i].from + l.columns[i].to) / 2, Y: y}, line)
		}
	}
	for panel := range l.Panels {
		l.paintPanel(c, panel)
	}
	l.paintSpectra(c)
	l.paintNames(c)
}

// ruleInk is the colour of the lines between environments.
var ruleInk = color.NRGBA{R: 0xB0, G: 0xB0, B: 0xB0, A: 0xFF}

// paintNames writes the names of the environments and draws a line between two of them.
func (l fig1Layout) paintNames(c vgdraw.Canvas) {
	name, remark := textStyle(smallSize, ink), textStyle(smallSize, grey)
	for i, e := range l.Environments {
		middle := l.top() - (vg.Length(i)+0.5)*l.block
		at := vg.Point{X: figureMargin, Y: middle - 0.34*smallSize}
		if e.remark() != "" {
			at.Y += lineHeight / 2
			c.FillText(remark, vg.Point{X: at.X, Y: at.Y - lineHeight}, e.remark())
		}
		c.FillText(name, at, e.Name)
		if i > 0 {
			y := middle + l.block/2
			c.StrokeLine2(vgdraw.LineStyle{Color: ruleInk, Width: hairline}, figureMargin, y, TextWidth-figureMargin, y)
		}
	}
}

// paintPanel draws a panel of rows with its axis.
func (l fig1Layout) paintPanel(c vgdraw.Canvas, panel int) {
	for i, e := range l.Environments {
		for j, r := range e.Rows[panel] {
			if y := l.y(i, j); r.Beyond {
				c.FillPolygon(beyondGround, corners(rectangle(
					l.columns[panel].from, y-rowHeight/2, l.columns[panel].to, y+rowHeight/2)))
			}
		}
	}
	var ticks []plot.Tick
	for k := math.Round(l.low * 5); k <= 5; k++ {
		ticks = append(ticks, plot.Tick{Value: k / 5, Label: strconv.FormatFloat(k/5, 'f', -1, 64)})
	}
	l.paintAxis(c, l.columns[panel], ticks, func(value float64) vg.Length { return l.x(panel, value) })
	for i, e := range l.Environments {
		for j := range e.Rows[panel] {
			l.paintRow(c, panel, i, j)
		}
	}
	if panel == 0 { // one label below all panels of rows
		x := (l.columns[0].from + l.columns[len(l.Panels)-1].to) / 2
		l.axisLabel(c, x, "average cosine similarity")
	}
}

// paintAxis draws the axis of a panel, with grid lines at the labelled ticks.
func (l fig1Layout) paintAxis(c vgdraw.Canvas, panel column, ticks []plot.Tick, at func(float64) vg.Length) {
	line, label := vgdraw.LineStyle{Color: ink, Width: axisLine}, centred(smallSize, ink)
	label.YAlign = text.YTop
	for _, t := range ticks {
		x := at(t.Value)
		length := vg.Length(1.5)
		if t.Label != "" {
			length = 2.5
			c.StrokeLine2(vgdraw.LineStyle{Color: gridInk, Width: hairline}, x, l.bottom, x, l.top())
			c.FillText(label, vg.Point{X: x, Y: l.bottom - 3}, t.Label)
		}
		c.StrokeLine2(line, x, l.bottom-length, x, l.bottom)
	}
	c.StrokeLine2(line, panel.from, l.bottom, panel.to, l.bottom)
}

// axisLabel names an axis.
func (l fig1Layout) axisLabel(c vgdraw.Canvas, x vg.Length, label string) {
	style := centred(labelSize, ink)
	style.YAlign = text.YTop
	c.FillText(style, vg.Point{X: x, Y: l.bottom - 3 - lineHeight}, label)
}
