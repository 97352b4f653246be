package draw

import (
	"cmp"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Drawing is data that can be drawn: [Fig1], [Curves], [CurvesRow], [Contours], [HeatMaps], [Panels], [Dots],
// [Eigenfunctions], [Schematic] and [*Film].
type Drawing interface{ Figure() (*Figure, error) }

// Figure is a laid-out [Drawing] with its size in points, before rendering.
type Figure struct {
	Width, Height vg.Length
	paint         func(vgdraw.Canvas)
}

// legend lists what the marks and lines of a figure mean.
type legend []entry

type entry struct {
	name   string
	sample []plot.Thumbnailer // drawn on top of each other
}

// add appends an entry, unless it has no name or the name has an entry.
func (l *legend) add(name string, sample ...plot.Thumbnailer) {
	if name != "" && !slices.ContainsFunc(*l, func(e entry) bool { return e.name == name }) {
		*l = append(*l, entry{name, sample})
	}
}

// columns returns the legend as columns side by side, the width of a column, and the height with a space below.
func (l legend) columns() (list []plot.Legend, width, height vg.Length) {
	const sample = vg.Length(15)
	for _, e := range l {
		width = max(width, sample+small.Width("  "+e.name)+10)
	}
	columns := max(1, min(len(l), int((pageWidth-legendIndent+10)/width)))
	for some := range slices.Chunk(l, (len(l)+columns-1)/columns) {
		one := plot.NewLegend()
		one.Left, one.Top, one.ThumbnailWidth, one.TextStyle, one.Padding = true, true, sample, small, 2
		for _, e := range some {
			one.Add(e.name, e.sample...)
		}
		list, height = append(list, one), max(height, one.Rectangle(vgdraw.Canvas{}).Size().Y+8)
	}
	return list, width, height
}

// page is a figure of [TextWidth]: from top to bottom a legend, plots in rows with aligned axes, a colour bar and a
// note.
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
	equal   []*plot.Plot // with height: the plots that have equal scales on both axes
	even    bool         // gives the plots of a row the same width, without their labels
}

const (
	legendIndent = vg.Length(24) // aligns the legend with the axes below it
	tileGap      = vg.Length(7)  // between plots
	barHeight    = vg.Length(29)
	rowLabel     = vg.Length(42) // width of labels of rows
)

func (p page) figure() *Figure {
	var table [][]*plot.Plot
	for row := range slices.Chunk(p.plots, p.columns) {
		table = append(table, slices.Concat(row, make([]*plot.Plot, p.columns-len(row))))
	}
	style := textStyle(smallSize, grey, text.XLeft, text.YTop)
	lines := strings.FieldsFunc(wrap(p.note, style, pageWidth), func(r rune) bool { return r == '\n' })
	var names []plot.Legend
	var column, top vg.Length
	if p.names != nil {
		names, column, top = p.names.columns()
	}
	bottom, left, height := vg.Length(len(lines))*lineHeight, vg.Length(0), vg.Length(len(table))*p.height
	if p.labels != nil {
		left = rowLabel + 4
	}
	if p.bar != nil {
		bottom += barHeight
	}
	for _, one := range p.heights {
		height += one - p.height
	}
	tiles := vgdraw.Tiles{Rows: len(table), Cols: p.columns, PadX: tileGap, PadY: tileGap}
	if p.side > 0 {
		height = p.equalHeight(table, tiles, pageWidth-left)
	}
	return &Figure{Width: TextWidth, Height: top + height + bottom + 2*margin, paint: func(c vgdraw.Canvas) {
		c = vgdraw.Crop(c, margin, -margin, margin, -margin)
		for j, one := range names {
			one.Draw(vgdraw.Crop(c, legendIndent+vg.Length(j)*column, 0, 0, 0))
		}
		for i, line := range lines {
			y := vg.Length(len(lines)-i)*lineHeight - 1
			c.FillText(style, vg.Point{X: c.Min.X, Y: c.Min.Y + y}, line)
		}
		if p.bar != nil {
			low := bottom - barHeight
			p.bar.Draw(vgdraw.Crop(c, pageWidth/3, -pageWidth/3, low, low+barHeight-5-c.Size().Y))
		}
		p.drawPlots(table, tiles, vgdraw.Crop(c, left, 0, bottom, -top))
	}}
}

// drawPlots draws the plots with the labels of their rows.
func (p page) drawPlots(table [][]*plot.Plot, tiles vgdraw.Tiles, c vgdraw.Canvas) {
	areas := plot.Align(table, tiles, c)
	if p.even {
		evened(table, areas)
	}
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
			drawTitled(one, p.cropped(one, area))
			if data := one.DataCanvas(area); j == 0 && p.labels != nil {
				c.FillText(textStyle(smallSize, ink, text.XRight, text.YCenter),
					vg.Point{X: c.Min.X - 4, Y: data.Center().Y}, p.labels[i])
			}
		}
	}
}

// drawTitled draws a plot with its title above the middle of the axes, not of the whole plot.
func drawTitled(p *plot.Plot, area vgdraw.Canvas) {
	title, style := p.Title.Text, p.Title.TextStyle
	if title != "" {
		p.Title.Text = " " + strings.Repeat("\n ", strings.Count(title, "\n")) // of the same height
	}
	p.Draw(area)
	data := p.DataCanvas(area)
	p.Title.Text, style.YAlign = title, text.YBottom
	area.FillText(style, vg.Point{X: data.Center().X, Y: data.Max.Y + p.Title.Padding}, title)
}

// evened gives the plots of each row, without labels, the same width. Labels and gaps keep their widths.
func evened(table [][]*plot.Plot, areas [][]vgdraw.Canvas) {
	for i, row := range table {
		var plots []vgdraw.Canvas
		width := vg.Length(0)
		for j, one := range row {
			plots = append(plots, one.DataCanvas(areas[i][j]))
			width += plots[j].Size().X / vg.Length(len(row))
		}
		shift := vg.Length(0) // of the left side
		for j := range row {
			wider := width - plots[j].Size().X
			areas[i][j].Min.X, areas[i][j].Max.X = areas[i][j].Min.X+shift, areas[i][j].Max.X+shift+wider
			shift += wider
		}
	}
}

// ratio returns the height of a plot over its width, with equal scales.
func ratio(p *plot.Plot) vg.Length { return vg.Length((p.Y.Max - p.Y.Min) / (p.X.Max - p.X.Min)) }

// cropped returns the middle of an area, where the scales of a plot are equal if they should be. Without a title above
// it and labels of rows it is at the bottom.
func (p page) cropped(one *plot.Plot, area vgdraw.Canvas) vgdraw.Canvas {
	if p.side == 0 && !slices.Contains(p.equal, one) {
		return area
	}
	data := one.DataCanvas(area).Size()
	x := max(0, data.X-min(cmp.Or(p.side, data.X), data.Y/ratio(one))) / 2
	y := max(0, data.Y-(data.X-2*x)*ratio(one)) / 2
	if one.Title.Text == "" && p.labels == nil { // captions of a row are at one height
		return vgdraw.Crop(area, x, -x, 0, -2*y)
	}
	return vgdraw.Crop(area, x, -x, y, -y)
}

// equalHeight returns the height of plots with equal scales on a page of the given width, unless one would be more than
// a quarter higher than wide.
func (p page) equalHeight(table [][]*plot.Plot, tiles vgdraw.Tiles, wide vg.Length) (height vg.Length) {
	width, high := p.side, vg.Length(0)
	areas := plot.Align(table, tiles, vgdraw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: wide, Y: 20 * wide}}})
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
	return height + vg.Length(len(table))*width*high
}

// colourBar returns a plot of the colours of shares, from low, with a title below.
func colourBar(colours scale, low string) *plot.Plot {
	p := picture("one scale for all maps", 1, 1, raster(smooth, 1, func(column, _ int) color.Color {
		return colours.at(colours.low + (colours.high-colours.low)*(float64(column)+0.5)/smooth)
	}))
	p.X.Tick.Marker = plot.ConstantTicks{{Value: 0, Label: low}, {Value: 1, Label: "1"}}
	p.X.Padding = 2
	return p
}
