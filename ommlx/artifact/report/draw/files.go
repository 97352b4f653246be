package draw

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/png"
	"strings"

	"golang.org/x/text/encoding/charmap"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"
)

// DPI is the resolution of PNG files, in dots per inch: 1,100 pixels at [TextWidth].
const DPI = 200

// Files renders the figure as PNG, SVG and PDF and returns the bytes by file extension: ".png", ".svg" and ".pdf". The
// same figure always gives the same bytes, except for the PDF, which contains the time. SVG names fallbacks of the same
// metrics for Liberation Sans; PDF embeds it. Letters outside Windows-1252, such as Greek, are an error, because gonum
// embeds fonts with that encoding.
func Files(fig *Figure) (map[string][]byte, error) {
	image, err := PNG(fig)
	pdf := pdfCanvas{vgpdf.New(fig.Width, fig.Height), new(error)}
	files := map[string][]byte{".png": image}
	for ending, c := range map[string]vg.CanvasWriterTo{
		".svg": vgsvg.NewWith(vgsvg.UseWH(fig.Width, fig.Height)), ".pdf": pdf} {
		fig.paint(vgdraw.New(c))
		var b bytes.Buffer
		_, failed := c.WriteTo(&b)
		files[ending], err = b.Bytes(), cmp.Or(err, failed)
	}
	files[".svg"] = bytes.ReplaceAll(files[".svg"], []byte("font-family:Liberation Sans;"),
		[]byte("font-family:'Liberation Sans',Arial,Helvetica,sans-serif;"))
	return files, cmp.Or(err, *pdf.failed)
}

// PNG renders the figure as a PNG file of [DPI] with a white background.
func PNG(fig *Figure) ([]byte, error) {
	c := vgimg.NewWith(vgimg.UseWH(fig.Width, fig.Height), vgimg.UseDPI(DPI))
	fig.paint(vgdraw.New(c))
	var b bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, c.Image())
	return b.Bytes(), err
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
