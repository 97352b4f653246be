package draw

import (
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Drawing is data that can be drawn: [Fig1], [Curves], [CurvesRow], [Contours], [HeatMaps], [Panels], [Dots], [Sheet],
// [Eigenfunctions] and [Schematic].
type Drawing interface{ Figure() (*Figure, error) }

// Figure is a laid-out [Drawing] with its size in points, before rendering.
type Figure struct {
	Width, Height vg.Length
	paint         func(vgdraw.Canvas)
}

// framed returns a figure of [TextWidth] with a legend, the output of paint, and a note, from top to bottom. paint gets
// a canvas of [pageWidth] and the given height.
func framed(note string, names legend, height vg.Length, paint func(vgdraw.Canvas)) *Figure {
	style := textStyle(smallSize, grey, text.XLeft, text.YTop)
	lines := strings.FieldsFunc(wrap(note, style, pageWidth), func(r rune) bool { return r == '\n' })
	foot, head := vg.Length(len(lines))*lineHeight, names.height()
	return &Figure{Width: TextWidth, Height: head + height + foot + 2*margin, paint: func(c vgdraw.Canvas) {
		c = vgdraw.Crop(c, margin, -margin, margin, -margin)
		for j, column := range names.columns() {
			column.Draw(vgdraw.Crop(c, legendIndent+vg.Length(j)*names.width(), 0, 0, 0))
		}
		for i, line := range lines {
			c.FillText(style, vg.Point{X: c.Min.X, Y: c.Min.Y + foot - vg.Length(i)*lineHeight - 1}, line)
		}
		paint(vgdraw.Crop(c, 0, 0, foot, -head))
	}}
}

// legend lists what the marks and lines of a figure mean.
type legend []entry

type entry struct {
	name   string
	sample []plot.Thumbnailer // drawn on top of each other
}

// add appends an entry, unless it has no name.
func (l *legend) add(name string, sample ...plot.Thumbnailer) {
	if name != "" {
		*l = append(*l, entry{name, sample})
	}
}

const (
	sampleWidth  = vg.Length(15)
	legendIndent = vg.Length(24) // aligns the legend with the axes below it
)

// width returns the width of a column.
func (l legend) width() (width vg.Length) {
	for _, e := range l {
		width = max(width, sampleWidth+small.Width("  "+e.name)+10)
	}
	return width
}

// columns returns the legend as columns side by side.
func (l legend) columns() (list []plot.Legend) {
	if l == nil {
		return nil
	}
	columns := max(1, min(len(l), int((pageWidth-legendIndent+10)/l.width())))
	for some := range slices.Chunk(l, (len(l)+columns-1)/columns) {
		one := plot.NewLegend()
		one.Left, one.Top, one.ThumbnailWidth, one.TextStyle, one.Padding = true, true, sampleWidth, small, 2
		for _, e := range some {
			one.Add(e.name, e.sample...)
		}
		list = append(list, one)
	}
	return list
}

// height returns the height of the legend with a space below.
func (l legend) height() (height vg.Length) {
	for _, column := range l.columns() {
		height = max(height, column.Rectangle(vgdraw.Canvas{}).Size().Y+8)
	}
	return height
}

// page is a figure of plots in rows with aligned axes.
type page struct {
	note    string
	names   legend
	columns int
	plots   []*plot.Plot // nil leaves a gap
	bar     *plot.Plot   // see [colourBar]; nil for none
	height  vg.Length    // of a row
	heights []vg.Length  // of the rows of one column, instead of height
	labels  []string     // at the left of the rows; nil for none
	side    vg.Length    // instead of height: largest width of a plot with equal scales on both axes
}

const (
	tileGap   = vg.Length(7) // between plots
	barHeight = vg.Length(29)
	rowLabel  = vg.Length(42) // width of labels of rows
)

func (p page) figure() *Figure {
	var table [][]*plot.Plot
	for row := range slices.Chunk(p.plots, p.columns) {
		table = append(table, slices.Concat(row, make([]*plot.Plot, p.columns-len(row))))
	}
	tiles := vgdraw.Tiles{Rows: len(table), Cols: p.columns, PadX: tileGap, PadY: tileGap}
	height, bar := vg.Length(len(table))*p.height, vg.Length(0)
	if p.side > 0 {
		height = p.equalHeight(table, tiles)
	} else if p.heights != nil {
		height = 0
		for _, one := range p.heights {
			height += one
		}
	}
	if p.bar != nil {
		bar = barHeight
	}
	left := vg.Length(0)
	if p.labels != nil {
		left = rowLabel + 4
	}
	return framed(p.note, p.names, height+bar, func(c vgdraw.Canvas) {
		if p.bar != nil {
			p.bar.Draw(vgdraw.Crop(c, pageWidth/3, -pageWidth/3, 0, barHeight-5-c.Size().Y))
		}
		areas := plot.Align(table, tiles, vgdraw.Crop(c, left, 0, bar, 0))
		for i, row := range table {
			for j, one := range row {
				area := areas[i][j]
				if p.heights != nil {
					area.Max.Y, area.Min.Y = c.Max.Y, c.Max.Y-p.heights[i]
					c.Max.Y -= p.heights[i]
				}
				if one == nil {
					continue
				}
				one.Draw(p.cropped(one, area))
				if data := one.DataCanvas(area); j == 0 && p.labels != nil {
					c.FillText(textStyle(smallSize, ink, text.XRight, text.YCenter),
						vg.Point{X: c.Min.X + rowLabel, Y: data.Center().Y}, p.labels[i])
				}
			}
		}
	})
}

// ratio returns the height of a plot over its width, with equal scales.
func ratio(p *plot.Plot) vg.Length { return vg.Length((p.Y.Max - p.Y.Min) / (p.X.Max - p.X.Min)) }

// cropped returns the middle of an area, where the scales of a plot are equal if they should be.
func (p page) cropped(one *plot.Plot, area vgdraw.Canvas) vgdraw.Canvas {
	if p.side == 0 {
		return area
	}
	data := one.DataCanvas(area).Size()
	x := max(0, data.X-min(p.side, data.Y/ratio(one))) / 2
	y := max(0, data.Y-(data.X-2*x)*ratio(one)) / 2
	return vgdraw.Crop(area, x, -x, y, -y)
}

// equalHeight returns the height of the plots with equal scales, unless one would be more than a quarter higher than
// wide.
func (p page) equalHeight(table [][]*plot.Plot, tiles vgdraw.Tiles) (height vg.Length) {
	width, high := p.side, vg.Length(0)
	wide := pageWidth
	if p.labels != nil {
		wide -= rowLabel + 4
	}
	areas := plot.Align(table, tiles, vgdraw.Canvas{Rectangle: rectangle(0, 0, wide, 20*pageWidth)})
	for i, row := range table {
		texts := vg.Length(0)
		for j, one := range row {
			if one != nil {
				size := one.DataCanvas(areas[i][j]).Size()
				width, high = min(width, size.X), max(high, min(1.25, ratio(one)))
				texts = max(texts, areas[i][j].Size().Y-size.Y)
			}
		}
		height += texts + tileGap
	}
	return height + vg.Length(math.Ceil(float64(vg.Length(len(table))*width*high)))
}

// rectangle returns a rectangle by its left, bottom, right and top edges.
func rectangle(x0, y0, x1, y1 vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: x0, Y: y0}, Max: vg.Point{X: x1, Y: y1}}
}

// colourBar returns a plot of the colours, with texts at both ends and a title below.
func colourBar(colours scale, low, high, title string) *plot.Plot {
	s := surface{x0: colours.low, x1: colours.high, y1: 1, columns: 255, rows: 1}
	s.z = func(column, _ int) float64 { return s.X(column) }
	p := heatPlot(title, s, colours)
	p.X.Tick.Marker = plot.ConstantTicks{{Value: colours.low, Label: low}, {Value: colours.high, Label: high}}
	return p
}
