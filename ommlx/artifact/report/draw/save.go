package draw

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"html"
	"image"
	"image/png"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/encoding/charmap"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"
)

// DPI is the least resolution of PNG files, in dots per inch: 1,320 pixels at [TextWidth]. It is higher where a panel
// would have fewer than leastPixels on a side.
const (
	DPI         = 240
	leastPixels = 300
)

// PNG renders the figure on a white ground and returns the bytes of the file, which has at most 256 colours and states
// its resolution.
func PNG(fig *Figure) ([]byte, error) {
	var b bytes.Buffer
	best := png.Encoder{CompressionLevel: png.BestCompression}
	if err := best.Encode(&b, indexed(fig.pixels(), fig.palette)); err != nil {
		return nil, err
	}
	const header = 8 + 12 + 13 // signature, and the frame and data of the chunk IHDR
	return slices.Insert(b.Bytes(), header, resolution(fig.dots())...), nil
}

// resolution is the chunk pHYs of a PNG with so many dots per inch.
func resolution(dpi int) []byte {
	perMetre := uint32(math.Round(float64(dpi) / 0.0254))
	chunk := binary.BigEndian.AppendUint32([]byte("pHYs"), perMetre)
	chunk = append(binary.BigEndian.AppendUint32(chunk, perMetre), 1) // the unit is the metre
	framed := append([]byte{0, 0, 0, 9}, chunk...)
	return binary.BigEndian.AppendUint32(framed, crc32.ChecksumIEEE(chunk))
}

// dots is the resolution of the PNG, in whole dots per inch.
func (fig *Figure) dots() int { return int(math.Ceil(fig.dpi)) }

func (fig *Figure) pixels() *image.RGBA {
	c := vgimg.NewWith(vgimg.UseWH(fig.Width, fig.Height), vgimg.UseDPI(fig.dots()))
	fig.paint(vgdraw.New(c))
	return c.Image().(*image.RGBA)
}

// SVG renders the figure as an SVG document. Text stays text, in Liberation Sans or what the viewer has in its place,
// at the same width.
func SVG(fig *Figure) ([]byte, error) {
	c := vgsvg.NewWith(vgsvg.UseWH(fig.Width, fig.Height))
	fig.paint(vgdraw.New(c))
	b, err := written(c)
	return pinSVGText(b), err
}

var svgText = regexp.MustCompile(
	`(?s)<text ([^>]*?font-family:)Liberation Sans(;[^>]*?font-size:)([0-9.]+)(px[^>]*)>([^<]*)</text>`)

// pinSVGText names faces of equal widths beside Liberation Sans, which few machines have, and states each text's width,
// so that even a foreign face cannot make labels collide or run out of the figure.
func pinSVGText(svg []byte) []byte {
	return svgText.ReplaceAllFunc(svg, func(text []byte) []byte {
		m := svgText.FindSubmatch(text)
		size, _ := strconv.ParseFloat(string(m[3]), 64) // gonum writes a number
		width := textStyle(vg.Length(size), ink).Width(html.UnescapeString(string(m[5])))
		return fmt.Appendf(nil, `<text textLength="%.2f" lengthAdjust="spacingAndGlyphs" `+
			`%s'Liberation Sans',Arial,Helvetica,sans-serif%s%s%s>%s</text>`,
			width.Points(), m[1], m[2], m[3], m[4], m[5])
	})
}

// PDF renders the figure as a one-page PDF with its font embedded. Its dates are fixed at 1970-01-01, so that the same
// figure always gives the same bytes.
func PDF(fig *Figure) ([]byte, error) {
	fixPDFDates()
	c := pdfCanvas{vgpdf.New(fig.Width, fig.Height)}
	fig.paint(vgdraw.New(c))
	return written(c)
}

// Files renders the figure as PNG, SVG and PDF and returns the bytes by the endings of file names: ".png", ".svg" and
// ".pdf". The same figure always gives the same bytes.
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

// fixPDFDates makes PDF bytes depend on the drawing only. gonum hides its PDF document, so these defaults of the PDF
// library are the only way to reach it.
var fixPDFDates = sync.OnceFunc(func() {
	epoch := time.Unix(0, 0).UTC()
	fpdf.SetDefaultCreationDate(epoch)
	fpdf.SetDefaultModificationDate(epoch)
	fpdf.SetDefaultCatalogSort(true)
})

// pdfCanvas hands text to the PDF writer in Windows-1252, the encoding that gonum embeds its fonts with; gonum itself
// passes UTF-8 through. Text with other letters, as Greek ones, is drawn by its outlines.
type pdfCanvas struct{ *vgpdf.Canvas }

// FillString implements [vg.Canvas].
func (c pdfCanvas) FillString(f font.Face, at vg.Point, s string) {
	if encoded, err := charmap.Windows1252.NewEncoder().String(s); err == nil {
		c.Canvas.FillString(f, at, encoded)
		return
	}
	const em = 1000
	var buffer sfnt.Buffer
	for _, letter := range s {
		glyph := must(f.Face.GlyphIndex(&buffer, letter))
		outline := must(f.Face.LoadGlyph(&buffer, glyph, fixed.I(em), nil))
		point := func(p fixed.Point26_6) vg.Point {
			return at.Add(vg.Point{X: vg.Length(p.X), Y: -vg.Length(p.Y)}.Scale(f.Font.Size / (64 * em)))
		}
		var path vg.Path
		for _, s := range outline {
			switch a := s.Args; s.Op {
			case sfnt.SegmentOpMoveTo:
				path.Move(point(a[0]))
			case sfnt.SegmentOpLineTo:
				path.Line(point(a[0]))
			case sfnt.SegmentOpQuadTo:
				path.QuadTo(point(a[0]), point(a[1]))
			case sfnt.SegmentOpCubeTo:
				path.CubeTo(point(a[0]), point(a[1]), point(a[2]))
			}
		}
		c.Fill(path)
		at.X += f.Width(string(letter))
	}
}

// must returns what a face has, of which the house's lacks no part.
func must[T any](v T, err error) T {
	if err != nil {
		panic(fmt.Errorf("the face of the figures is damaged: %w", err))
	}
	return v
}
