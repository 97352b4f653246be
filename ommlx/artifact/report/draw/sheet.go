package draw

import (
	"fmt"
	"image"
	"image/color"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Sheet draws rows of small square images, enlarged without smoothing.
type Sheet struct {
	Note     string   // printed under the images; may be empty
	Side     int      // pixels along a side of each image
	Channels int      // per pixel: 1 for grey, 3 for RGB
	Titles   []string // above the columns; nil for none
	Rows     []SheetRow
}

// SheetRow is a row of images.
type SheetRow struct {
	Label    string   // to the left
	Captions []string // below each image; nil for none
	Pixels   []uint8  // N×side×side×channels
}

const (
	sheetLabels = vg.Length(60) // width of the labels
	sheetGap    = vg.Length(3)  // between images
	sheetImage  = vg.Length(40) // largest side of an image
	sheetPixels = 128           // least pixels along a side, since viewers blur the edges of pixels
)

// Figure lays out the images, 5.5 in wide. It returns an error if a row is not a whole number of images.
func (f Sheet) Figure() (*Figure, error) {
	size, columns, head := f.Side*f.Side*f.Channels, 1, vg.Length(0)
	for _, row := range f.Rows {
		if size < 1 || len(row.Pixels)%size != 0 {
			return nil, fmt.Errorf("sheet: row %q has %d values, want a multiple of %d×%d×%d", row.Label,
				len(row.Pixels), f.Side, f.Side, f.Channels)
		}
		columns = max(columns, len(row.Pixels)/size)
	}
	if f.Titles != nil {
		head = lineHeight
	}
	side := min(sheetImage, (pageWidth-sheetLabels)/vg.Length(columns)-sheetGap)
	bottoms, height := []vg.Length{}, head // of the images, from the top
	for _, row := range f.Rows {
		bottoms, height = append(bottoms, height+side), height+side+sheetGap
		if row.Captions != nil {
			height += lineHeight
		}
	}
	return framed(f.Note, nil, height, func(c vgdraw.Canvas) {
		centred := aligned(smallSize, ink, text.XCenter, text.YTop)
		at := func(j int) vg.Length { return c.Min.X + sheetLabels + vg.Length(j)*(side+sheetGap) }
		for j, title := range f.Titles {
			c.FillText(centred, vg.Point{X: at(j) + side/2, Y: c.Max.Y}, title)
		}
		for i, row := range f.Rows {
			y := c.Max.Y - bottoms[i]
			c.FillText(aligned(smallSize, ink, text.XLeft, middle), vg.Point{X: c.Min.X, Y: y + side/2}, row.Label)
			for j := range len(row.Pixels) / size {
				c.DrawImage(rectangle(at(j), y, at(j)+side, y+side), f.enlarged(row.Pixels[j*size:][:size]))
			}
			for j, caption := range row.Captions {
				c.FillText(centred, vg.Point{X: at(j) + side/2, Y: y - 1}, caption)
			}
		}
	}), nil
}

// enlarged returns an image enlarged by a whole factor, in a thin grey frame.
func (f Sheet) enlarged(pixels []uint8) *image.RGBA {
	zoom := (sheetPixels + f.Side - 1) / f.Side
	side := f.Side * zoom
	out := image.NewRGBA(image.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			at := pixels[(y/zoom*f.Side+x/zoom)*f.Channels:][:f.Channels]
			out.SetRGBA(x, y, color.RGBA{at[0], at[len(at)/2], at[len(at)-1], 255})
			if x < 2 || y < 2 || x >= side-2 || y >= side-2 {
				out.Set(x, y, grey)
			}
		}
	}
	return out
}
