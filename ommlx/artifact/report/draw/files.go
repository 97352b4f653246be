package draw

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"io"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/encoding/charmap"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Files renders the figure as PNG, SVG and PDF and returns the bytes by file extension: ".png", ".svg" and ".pdf". The
// same figure always gives the same bytes, except for the PDF, which contains the time.
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

// PNG renders the figure as a PNG file of [DPI] with a white background.
func PNG(fig *Figure) ([]byte, error) {
	c := vgimg.NewWith(vgimg.UseWH(fig.Width, fig.Height), vgimg.UseDPI(DPI))
	fig.paint(vgdraw.New(minusCanvas{c}))
	var b bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, c.Image())
	if err != nil {
		return nil, err
	}
	const header, perMetre = 33, DPI * 10000 / 254 // bytes up to the end of the first chunk
	chunk := binary.BigEndian.AppendUint32([]byte("pHYs"), perMetre)
	chunk = append(binary.BigEndian.AppendUint32(chunk, perMetre), 1)
	size := binary.BigEndian.AppendUint32(nil, uint32(len(chunk)-4))
	sum := binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(chunk))
	return slices.Insert(b.Bytes(), header, slices.Concat(size, chunk, sum)...), nil
}

// minusCanvas writes a hyphen before a number as a minus sign.
type minusCanvas struct{ vg.CanvasSizer }

var hyphen = regexp.MustCompile(`(^|[^\pL\pN–−-])-(\d)`)

// FillString implements [vg.Canvas].
func (c minusCanvas) FillString(f font.Face, at vg.Point, s string) {
	c.CanvasSizer.FillString(f, at, hyphen.ReplaceAllString(s, "$1−$2"))
}

// SVG renders the figure as an SVG file. Text is in Liberation Sans, with fallbacks of the same metrics.
func SVG(fig *Figure) ([]byte, error) {
	c := vgsvg.NewWith(vgsvg.UseWH(fig.Width, fig.Height))
	fig.paint(vgdraw.New(minusCanvas{c}))
	b, err := written(c)
	return bytes.ReplaceAll(b, []byte("font-family:Liberation Sans;"),
		[]byte("font-family:'Liberation Sans',Arial,Helvetica,sans-serif;")), err
}

// PDF renders the figure as a one-page PDF with its font embedded. It fails on letters outside Windows-1252, such as
// Greek, because gonum embeds fonts with that encoding.
func PDF(fig *Figure) ([]byte, error) {
	c := pdfCanvas{vgpdf.New(fig.Width, fig.Height), new(error)}
	fig.paint(vgdraw.New(minusCanvas{c}))
	b, err := written(c)
	if *c.failed != nil {
		return nil, *c.failed
	}
	return b, err
}

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

// DrawImage implements [vg.Canvas]; gonum draws images upside down.
func (c pdfCanvas) DrawImage(at vg.Rectangle, img image.Image) {
	c.Push()
	defer c.Pop()
	c.Translate(vg.Point{Y: at.Min.Y + at.Max.Y})
	c.Scale(1, -1)
	c.Canvas.DrawImage(at, img)
}

func written(w io.WriterTo) ([]byte, error) {
	var b bytes.Buffer
	_, err := w.WriteTo(&b)
	return b.Bytes(), err
}
