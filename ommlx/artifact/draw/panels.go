package draw

import (
	"fmt"
	"image"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Panels draws functions on a square, as learned eigenfunctions above true ones: navy below zero, white at zero and
// orange above zero.
type Panels struct {
	Note string // printed under the panels; may be empty
	Rows []PanelRow
}

// PanelRow is a row of functions under one label. Each has its own scale, symmetric about zero, from −max|value| to
// max|value|: eigenfunctions matter up to scale.
type PanelRow struct {
	Label  string
	Titles []string // above each panel; nil for none
	// Maps are the functions, each on n×n points of a square, the second coordinate running fastest. The first
	// coordinate is drawn to the right, the second upwards.
	Maps [][]float64
}

const panelGap = vg.Length(2)

// side is the n of a map on n×n points.
func side(m []float64) int { return int(math.Round(math.Sqrt(float64(len(m))))) }

// Figure lays the rows out: 5.5 in wide. It is an error if a map is not a square of numbers that are all finite.
func (f Panels) Figure() (*Figure, error) {
	columns := 0
	for _, row := range f.Rows {
		columns = max(columns, len(row.Maps))
		for i, m := range row.Maps {
			if n := side(m); n < 2 || n*n != len(m) || !finite(m...) {
				return nil, fmt.Errorf("panels: map %d of row %q has %d values; give n×n finite numbers, n at least 2",
					i+1, row.Label, len(m))
			}
		}
	}
	width := min((TextWidth-vg.Length(columns-1)*panelGap)/vg.Length(columns), 1.2*vg.Inch)
	notes := wrap(f.Note, textStyle(smallSize, grey), TextWidth)
	height := vg.Length(len(notes))*lineHeight + scaleHeight
	for _, row := range f.Rows {
		height += width + row.captions()
	}
	return &Figure{Width: TextWidth, Height: height, paint: func(c vgdraw.Canvas) {
		c = footer(c, notes)
		paintSigns(c)
		top := c.Max.Y
		before := 0
		for _, row := range f.Rows {
			row.paint(c, top, width, before)
			top -= width + row.captions()
			before += len(row.Maps)
		}
	}}, nil
}

// captions is the height of the text above a row's panels, and of the space below them.
func (r PanelRow) captions() vg.Length {
	if r.Titles == nil {
		return lineHeight + 6
	}
	return 2*lineHeight + 6
}

// paint draws the row from top down; before counts the panels of the rows above it.
func (r PanelRow) paint(c vgdraw.Canvas, top, side vg.Length, before int) {
	top -= lineHeight
	c.FillText(textStyle(labelSize, ink), vg.Point{X: c.Min.X, Y: top + 1}, r.Label)
	for i := range r.Titles {
		x := c.Min.X + vg.Length(i)*(side+panelGap) + side/2
		c.FillText(centred(smallSize, ink), vg.Point{X: x, Y: top - lineHeight + 2}, r.Titles[i])
	}
	if r.Titles != nil {
		top -= lineHeight
	}
	for i, m := range r.Maps {
		x := c.Min.X + vg.Length(i)*(side+panelGap)
		box := rectangle(x, top-side, x+side, top)
		c.DrawImage(box, picture(m, before+i))
		frame := corners(box)
		c.StrokeLines(vgdraw.LineStyle{Color: grey, Width: hairline}, append(frame, frame[0]))
	}
}

// picture colours a map, with about two pixels for the distance of two points and linear interpolation between them: a
// viewer would otherwise choose an interpolation of its own. No two panels of a figure have the same number of pixels,
// since a PDF orders its images by their width, and images of one width at random.
func picture(m []float64, panel int) image.Image {
	n := side(m)
	largest := max(floats.Max(m), -floats.Min(m))
	if largest == 0 {
		largest = 1 // zero everywhere: white everywhere
	}
	size := 2*(n-1) + panel
	between := func(pixel int) (point int, share float64) {
		x := (float64(pixel) + 0.5) / float64(size) * float64(n-1)
		return int(x), x - math.Floor(x)
	}
	img := image.NewPaletted(image.Rect(0, 0, size, size), scaleColours)
	for px := range size {
		i, u := between(px)
		for py := range size {
			j, v := between(py)
			at := (1-u)*((1-v)*m[i*n+j]+v*m[i*n+j+1]) + u*((1-v)*m[(i+1)*n+j]+v*m[(i+1)*n+j+1])
			img.Set(px, size-1-py, diverging(at/largest))
		}
	}
	return img
}
