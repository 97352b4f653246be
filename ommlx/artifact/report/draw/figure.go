package draw

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// DPI is the resolution of PNG files, in dots per inch: 1,100 pixels at [TextWidth].
const DPI = 200

const pixel = vg.Inch / DPI

// Drawing is data that can be drawn: [Fig1], [Curves], [CurvesRow], [Contours], [HeatMaps], [Panels], [Scores], [Dots],
// [Sheet] and [Schematic].
type Drawing interface{ Figure() (*Figure, error) }

// Figure is a laid-out [Drawing] with its size in points, before rendering.
type Figure struct {
	Width, Height vg.Length
	paint         func(vgdraw.Canvas)
}

// framed returns a figure of [TextWidth] with a legend, the output of paint, and a note, from top to bottom. paint gets
// a canvas of [pageWidth] and the given height.
func framed(note string, names legend, height vg.Length, paint func(vgdraw.Canvas)) *Figure {
	style := aligned(smallSize, grey, text.XLeft, text.YTop)
	lines := strings.FieldsFunc(wrap(note, style, pageWidth), func(r rune) bool { return r == '\n' })
	foot := vg.Length(len(lines)) * lineHeight
	_, head := names.places()
	height = pixel * vg.Length(math.Ceil(float64((head+height+foot+2*margin)/pixel)))
	return &Figure{Width: TextWidth, Height: height, paint: func(c vgdraw.Canvas) {
		c = vgdraw.Crop(c, margin, -margin, margin, -margin)
		names.draw(c)
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
	legendGap    = vg.Length(12) // between entries
	legendIndent = vg.Length(24) // aligns the legend with the axes below it
	legendRow    = lineHeight + 1
)

// places returns the upper left corners of the entries, in rows as wide as the page, and their total height with a
// space below.
func (l legend) places() (at []vg.Point, height vg.Length) {
	x := legendIndent
	for _, e := range l {
		width := sampleWidth + textStyle(smallSize, ink).Width(" "+e.name)
		if height == 0 || x+width > pageWidth {
			x, height = legendIndent, height+legendRow
		}
		at, x = append(at, vg.Point{X: x, Y: height - legendRow}), x+width+legendGap
	}
	if l != nil {
		height += 6
	}
	return at, height
}

// draw draws the entries at the top of c, each as a [plot.Legend].
func (l legend) draw(c vgdraw.Canvas) {
	places, _ := l.places()
	for i, at := range places {
		one := plot.NewLegend()
		one.Left, one.Top, one.ThumbnailWidth, one.TextStyle = true, true, sampleWidth, textStyle(smallSize, ink)
		one.Add(l[i].name, l[i].sample...)
		one.Draw(vgdraw.Crop(c, at.X, 0, 0, -at.Y))
	}
}

// rectangle returns a rectangle by its left, bottom, right and top edges.
func rectangle(x0, y0, x1, y1 vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: x0, Y: y0}, Max: vg.Point{X: x1, Y: y1}}
}

const tileGap = vg.Length(7) // between plots

// tile draws plots in rows with aligned axes; nil leaves a gap. With equal scales on both axes, each plot is as large
// as possible and centred.
func tile(c vgdraw.Canvas, columns int, plots []*plot.Plot, equal bool) {
	var table [][]*plot.Plot
	for row := range slices.Chunk(plots, columns) {
		table = append(table, slices.Concat(row, make([]*plot.Plot, columns-len(row))))
	}
	labels := make([][2]string, len(plots)) // gonum reserves their length off the middle of a logarithmic axis
	for i, p := range plots {
		if p != nil {
			labels[i] = [2]string{p.X.Label.Text, p.Y.Label.Text}
			p.X.Label.Text, p.Y.Label.Text = blank(p.X.Label.Text), blank(p.Y.Label.Text)
		}
	}
	areas := plot.Align(table, vgdraw.Tiles{Rows: len(table), Cols: columns, PadX: tileGap, PadY: tileGap}, c)
	for i, p := range plots {
		if p == nil {
			continue
		}
		area := areas[i/columns][i%columns]
		if equal {
			data := p.DataCanvas(area).Size()
			wide, high := vg.Length(p.X.Max-p.X.Min), vg.Length(p.Y.Max-p.Y.Min)
			unit := min(data.X/wide, data.Y/high)
			x, y := (data.X-unit*wide)/2, (data.Y-unit*high)/2
			area = vgdraw.Crop(area, x, -x, y, -y)
		}
		drawLabelled(area, p, labels[i][0], labels[i][1])
	}
}

// drawLabelled draws a plot whose labels of the axes are blank, then sets the labels and draws them at the middle of
// the data.
func drawLabelled(c vgdraw.Canvas, p *plot.Plot, x, y string) {
	data := drawPlot(c, p)
	p.X.Label.Text, p.Y.Label.Text = x, y
	style := p.X.Label.TextStyle
	c.FillText(style, vg.Point{X: data.Center().X, Y: c.Min.Y + style.FontExtents().Descent}, x)
	style = p.Y.Label.TextStyle
	style.Rotation = math.Pi / 2
	c.FillText(style, vg.Point{X: c.Min.X + style.Height(y) - style.FontExtents().Descent, Y: data.Center().Y}, y)
}

// equalHeight returns the height at which [tile] draws plots with equal scales as wide as their columns, unless one
// would be more than a quarter higher than wide.
func equalHeight(columns int, plots []*plot.Plot) vg.Length {
	area := vgdraw.Canvas{Rectangle: rectangle(0, 0, (pageWidth+tileGap)/vg.Length(columns)-tileGap, pageWidth)}
	height := vg.Length(0)
	for _, p := range plots {
		if p != nil {
			data := p.DataCanvas(area).Size()
			high := data.X * vg.Length(min(1.25, (p.Y.Max-p.Y.Min)/(p.X.Max-p.X.Min)))
			height = max(height, area.Size().Y-data.Y+high)
		}
	}
	return vg.Length((len(plots)+columns-1)/columns) * (height + tileGap)
}

var anything = regexp.MustCompile(`.+`)

// blank returns a text of as many lines, to reserve their space.
func blank(s string) string { return anything.ReplaceAllString(s, " ") }

// drawPlot draws a plot with its title over the data, centred or from the left, and returns the canvas of the data.
// gonum centres the title over c.
func drawPlot(c vgdraw.Canvas, p *plot.Plot) vgdraw.Canvas {
	title, style := p.Title.Text, p.Title.TextStyle
	p.Title.Text = blank(title)
	p.Draw(c)
	p.Title.Text = title
	data := p.DataCanvas(c)
	at := vg.Point{X: data.Center().X, Y: data.Max.Y + p.Title.Padding}
	if style.XAlign == text.XLeft {
		at.X = data.Min.X
	}
	c.FillText(aligned(labelSize, ink, style.XAlign, text.YBottom), at, title)
	return data
}
