package notebook

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Size of the images of a sheet and the space between them, in screen pixels.
const (
	imageSide = 48
	imageGap  = 4
)

// Images shows images [N, height, width, channels], grey (one channel) or RGB (three), perRow to a row. Each is
// enlarged by a whole factor to a side of at least 48 pixels.
func Images(pixels []uint8, height, width, channels, perRow int) error {
	var out bytes.Buffer
	if err := png.Encode(&out, imageSheet(pixels, height, width, channels, perRow)); err != nil {
		return fmt.Errorf("images: %w", err)
	}
	showPNG(out.Bytes())
	return nil
}

func imageSheet(pixels []uint8, height, width, channels, perRow int) *image.RGBA {
	size := height * width * channels
	n, zoom := len(pixels)/size, (imageSide+max(height, width)-1)/max(height, width)
	columns, rows := min(n, perRow), (n+perRow-1)/perRow
	stepX, stepY := width*zoom+imageGap, height*zoom+imageGap
	sheet := image.NewRGBA(image.Rect(0, 0, columns*stepX-imageGap, rows*stepY-imageGap))
	for i := range n {
		left, top := i%perRow*stepX, i/perRow*stepY
		for y := range height * zoom {
			for x := range width * zoom {
				at := pixels[i*size+(y/zoom*width+x/zoom)*channels:][:channels]
				sheet.SetRGBA(left+x, top+y, color.RGBA{at[0], at[len(at)/2], at[len(at)-1], 255})
			}
		}
	}
	return sheet
}

// classColours are the first Okabe–Ito colours, one per class.
var classColours = []color.RGBA{{0, 114, 178, 255}, {230, 159, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255},
	{86, 180, 233, 255}, {213, 94, 0, 255}, {0, 0, 0, 255}}

// Dots draws points, each in the colour of its class. It returns an error if there are more than seven classes.
func Dots(x, y []float64, classes []int) error {
	p := plot.New()
	p.HideAxes()
	for i, class := range classes {
		if class < 0 || class >= len(classColours) {
			return fmt.Errorf("dots: class %d out of range [0, %d)", class, len(classColours))
		}
		p.Add(&plotter.Scatter{XYs: plotter.XYs{{X: x[i], Y: y[i]}}, GlyphStyle: vgdraw.GlyphStyle{
			Color: classColours[class], Radius: vg.Points(1), Shape: vgdraw.CircleGlyph{}}})
	}
	var out bytes.Buffer
	picture, err := p.WriterTo(4*vg.Inch, 4*vg.Inch, "png")
	if err == nil {
		_, err = picture.WriteTo(&out)
	}
	if err != nil {
		return fmt.Errorf("dots: %w", err)
	}
	showPNG(out.Bytes())
	return nil
}
