package draw

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/text/encoding/charmap"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"
)

// DPI is the resolution of PNG files, in dots per inch: 1,320 pixels at [TextWidth].
const DPI = 240

const pixel = vg.Inch / DPI

// Drawing is data that can be drawn: [Fig1], [Fig3], [Curves], [CurvesRow], [Contours], [HeatMaps], [Panels], [Scores]
// and [Dots].
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
	lines := wrap(note, style, pageWidth)
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

func (l *legend) add(name string, sample ...plot.Thumbnailer) { *l = append(*l, entry{name, sample}) }

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

// tile draws plots in rows with aligned axes.
func tile(c vgdraw.Canvas, columns int, plots []*plot.Plot) {
	var table [][]*plot.Plot
	for row := range slices.Chunk(plots, columns) {
		table = append(table, slices.Concat(row, make([]*plot.Plot, columns-len(row))))
	}
	areas := plot.Align(table, vgdraw.Tiles{Rows: len(table), Cols: columns, PadX: 8, PadY: 6}, c)
	for i, p := range plots {
		drawPlot(areas[i/columns][i%columns], p)
	}
}

// tileEqual draws plots in rows, each centred in its tile and as large as possible with equal scales on both axes.
func tileEqual(c vgdraw.Canvas, columns int, plots []*plot.Plot) {
	tiles := vgdraw.Tiles{Rows: (len(plots) + columns - 1) / columns, Cols: columns, PadX: tileGap, PadY: tileGap}
	for i, p := range plots {
		area := tiles.At(c, i%columns, i/columns)
		data := p.DataCanvas(area).Size()
		wide, high := vg.Length(p.X.Max-p.X.Min), vg.Length(p.Y.Max-p.Y.Min)
		unit := min(data.X/wide, data.Y/high)
		x, y := (data.X-unit*wide)/2, (data.Y-unit*high)/2
		drawPlot(vgdraw.Crop(area, x, -x, y, -y), p)
	}
}

// drawPlot draws a plot with its title centred over the data; gonum centres it over c.
func drawPlot(c vgdraw.Canvas, p *plot.Plot) {
	title := p.Title.Text
	p.Title.Text = regexp.MustCompile(`.+`).ReplaceAllString(title, " ") // reserve the space
	p.Draw(c)
	p.Title.Text = title
	data := p.DataCanvas(c)
	c.FillText(aligned(labelSize, ink, text.XCenter, text.YBottom),
		vg.Point{X: data.Center().X, Y: data.Max.Y + p.Title.Padding}, title)
}

const (
	tileGap   = vg.Length(6)
	barHeight = 2*lineHeight + 9
)

// drawBar draws a colour bar at the bottom of c, with the values at its ends and a title. A [plotter.ColorBar] would
// blur the steps and end one step before the highest colour.
func drawBar(c vgdraw.Canvas, colours []color.Color, low, high, title string) {
	const width, thick = vg.Length(96), vg.Length(6)
	step := width / vg.Length(len(colours))
	left, y := c.Center().X-width/2, c.Min.Y+lineHeight+3
	for i, colour := range colours {
		x := left + vg.Length(i)*step
		c.SetColor(colour)
		c.Fill(rectangle(x, y, min(x+step+0.25, left+width), y+thick).Path())
	}
	c.SetLineStyle(vgdraw.LineStyle{Color: ink, Width: hairline})
	c.Stroke(rectangle(left, y, left+width, y+thick).Path())
	half := y + thick/2
	c.FillText(aligned(smallSize, ink, text.XRight, middle), vg.Point{X: left - 5, Y: half}, low)
	c.FillText(aligned(smallSize, ink, text.XLeft, middle), vg.Point{X: left + width + 5, Y: half}, high)
	c.FillText(aligned(smallSize, ink, text.XCenter, text.YBottom), vg.Point{X: c.Center().X, Y: c.Min.Y + 1}, title)
}

// steps returns n equally spaced colours of a scale.
func steps(n int, low, high float64, colour func(float64) color.Color) (list []color.Color) {
	for i := range n {
		list = append(list, colour(low+(high-low)*float64(i)/float64(n-1)))
	}
	return list
}

// PNG renders the figure as a PNG file with a white background.
func PNG(fig *Figure) ([]byte, error) {
	c := vgimg.NewWith(vgimg.UseWH(fig.Width, fig.Height), vgimg.UseDPI(DPI))
	fig.paint(vgdraw.New(c))
	return written(vgimg.PngCanvas{Canvas: c})
}

// SVG renders the figure as an SVG file. Text is in Liberation Sans, with fallbacks of the same metrics.
func SVG(fig *Figure) ([]byte, error) {
	c := vgsvg.NewWith(vgsvg.UseWH(fig.Width, fig.Height))
	fig.paint(vgdraw.New(c))
	b, err := written(c)
	return bytes.ReplaceAll(b, []byte("font-family:Liberation Sans;"),
		[]byte("font-family:'Liberation Sans',Arial,Helvetica,sans-serif;")), err
}

// PDF renders the figure as a one-page PDF with its font embedded. Its dates are fixed at 1970-01-01, so that the same
// figure always gives the same bytes. It fails on letters outside Windows-1252, such as Greek, because gonum embeds
// fonts with that encoding.
func PDF(fig *Figure) ([]byte, error) {
	fixPDFDates()
	c := pdfCanvas{vgpdf.New(fig.Width, fig.Height), new(error)}
	fig.paint(vgdraw.New(c))
	b, err := written(c)
	if *c.failed != nil {
		return nil, *c.failed
	}
	return b, err
}

// fixPDFDates sets the PDF library's defaults, because gonum does not export the document.
var fixPDFDates = sync.OnceFunc(func() {
	epoch := time.Unix(0, 0).UTC()
	fpdf.SetDefaultCreationDate(epoch)
	fpdf.SetDefaultModificationDate(epoch)
	fpdf.SetDefaultCatalogSort(true)
})

// pdfCanvas passes text to the PDF writer in Windows-1252; gonum passes UTF-8, which shows wrong letters.
type pdfCanvas struct {
	*vgpdf.Canvas
	failed *error
}

// FillString implements [vg.Canvas].
func (c pdfCanvas) FillString(f font.Face, at vg.Point, s string) {
	encoded, err := charmap.Windows1252.NewEncoder().String(strings.ReplaceAll(s, "−", "–"))
	if err != nil {
		*c.failed = fmt.Errorf("draw: the text %q has a letter outside Windows-1252, which a PDF cannot show", s)
		return
	}
	c.Canvas.FillString(f, at, encoded)
}

// SetColor implements [vg.Canvas]; gonum passes colours multiplied by their opacity, which makes bands grey.
func (c pdfCanvas) SetColor(colour color.Color) {
	if colour != nil {
		colour = straight(color.NRGBAModel.Convert(colour).(color.NRGBA))
	}
	c.Canvas.SetColor(colour)
}

// straight is a colour not multiplied by its opacity.
type straight color.NRGBA

// RGBA implements [color.Color].
func (s straight) RGBA() (r, g, b, a uint32) {
	return uint32(s.R) * 0x101, uint32(s.G) * 0x101, uint32(s.B) * 0x101, uint32(s.A) * 0x101
}

// DrawImage implements [vg.Canvas]; gonum draws images upside down.
func (c pdfCanvas) DrawImage(at vg.Rectangle, img image.Image) {
	c.Push()
	defer c.Pop()
	c.Translate(vg.Point{Y: at.Min.Y + at.Max.Y})
	c.Scale(1, -1)
	c.Canvas.DrawImage(at, img)
}

// Files renders the figure as PNG, SVG and PDF and returns the bytes by file extension: ".png", ".svg" and ".pdf". The
// same figure always gives the same bytes, except a PDF of several [Contours]: the PDF library orders images of equal
// width at random.
func Files(fig *Figure) (map[string][]byte, error) {
	files := map[string][]byte{}
	for ending, render := range map[string]func(*Figure) ([]byte, error){".png": PNG, ".svg": SVG, ".pdf": PDF} {
		content, err := render(fig)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", ending[1:], err)
		}
		files[ending] = content
	}
	return files, nil
}

func written(w io.WriterTo) ([]byte, error) {
	var b bytes.Buffer
	_, err := w.WriteTo(&b)
	return b.Bytes(), err
}
