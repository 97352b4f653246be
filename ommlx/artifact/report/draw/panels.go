package draw

import (
	"cmp"
	"fmt"
	"image"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/interp"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Panels draws functions on a square, as learned eigenfunctions above true ones: navy below zero, white at zero and
// orange above zero. Each function is divided by its root mean square (RMS), since eigenfunctions matter up to a
// factor. Each column, the functions of one number in all rows, has a scale, which ends at ± its largest |value|.
type Panels struct {
	Note string // printed under the panels; may be empty
	Rows []PanelRow
}

// PanelRow is a row of functions under one label. Rows of more than eight are broken, with what stands below them.
type PanelRow struct {
	Label  string
	Titles []string // above each panel; nil for none
	// Maps are the functions, each on n×n points of a square, the second coordinate running fastest. The first
	// coordinate is drawn to the right, the second upwards.
	Maps [][]float64
}

const (
	panelGap     = vg.Length(3)
	panelColumns = 8
	panelLevels  = 6 // of colours between zero and either end
	// Of more than manyPanels each has fewerPixels on a side, so that a PNG stays below 150 kB.
	manyPanels, fewerPixels = 30, 180
)

// side is the n of a map on n×n points.
func side(m []float64) int { return int(math.Round(math.Sqrt(float64(len(m))))) }

// Figure lays the rows out: 5.5 in wide. It is an error if a map is not a square of numbers that are all finite.
func (f Panels) Figure() (*Figure, error) {
	var limits []float64 // the largest |value| of each column, of functions of RMS 1
	for _, row := range f.Rows {
		for i, m := range row.Maps {
			if n := side(m); n < 2 || n*n != len(m) || !finite(m...) {
				return nil, fmt.Errorf("panels: map %d of row %q has %d values; give n×n finite numbers, n at least 2",
					i+1, row.Label, len(m))
			}
			if i == len(limits) {
				limits = append(limits, 0)
			}
			limits[i] = max(limits[i], floats.Norm(m, math.Inf(1))/size(m))
		}
	}
	columns := len(limits)
	blocks := (columns + panelColumns - 1) / panelColumns
	perRow := (columns + blocks - 1) / blocks
	width := min((pageWidth-vg.Length(perRow-1)*panelGap)/vg.Length(perRow), 1.2*vg.Inch)
	height := scaleHeight
	for _, row := range f.Rows {
		height += vg.Length(blocks) * (width + row.captions())
	}
	title := "max: largest |value| of each panel"
	if len(f.Rows) > 1 {
		title = fmt.Sprintf("max: largest |value| in each column of %d maps; functions scaled to RMS 1", len(f.Rows))
	}
	pixels := leastPixels
	if blocks*perRow*len(f.Rows) > manyPanels {
		pixels = fewerPixels
	}
	fig := framed(f.Note, nil, height, width*leastPixels/vg.Length(pixels), func(c vgdraw.Canvas) {
		paintSigns(c, 2*panelLevels+1, "max", title)
		// No two panels have the same number of pixels on a side, since a PDF orders its images by their width, and
		// images of one width at random.
		pixels := pixels
		for from := 0; from < columns; from += perRow {
			for _, row := range f.Rows {
				if from < len(row.Maps) {
					pixels = row.paint(c, width, from, min(from+perRow, len(row.Maps)), limits, pixels)
					c.Max.Y -= width + row.captions()
				}
			}
		}
	})
	fig.palette = levels(panelLevels)
	return fig, nil
}

// size is the root mean square of a function; 1 where it is zero everywhere, which is white everywhere.
func size(m []float64) float64 {
	return cmp.Or(floats.Norm(m, 2)/math.Sqrt(float64(len(m))), 1)
}

// captions is the height of the text above a row's panels, and of the space below them.
func (r PanelRow) captions() vg.Length {
	if r.Titles == nil {
		return lineHeight + 8
	}
	return 2*lineHeight + 8
}

// paint draws the panels [from, to) of the row from the top of c down, the first with so many pixels on a side, and
// returns that number for the next.
func (r PanelRow) paint(c vgdraw.Canvas, side vg.Length, from, to int, limits []float64, pixels int) int {
	c.FillText(textStyle(labelSize, ink), vg.Point{X: c.Min.X, Y: c.Max.Y - lineHeight + 1}, r.Label)
	top := c.Max.Y - r.captions() + 6
	for i := from; i < to; i++ {
		x := c.Min.X + vg.Length(i-from)*(side+panelGap)
		if i < len(r.Titles) {
			c.FillText(centred(smallSize, ink), vg.Point{X: x + side/2, Y: top + 3}, r.Titles[i])
		}
		box := rectangle(x, top-side, x+side, top)
		c.DrawImage(box, picture(r.Maps[i], limits[i], pixels))
		outline(c, box, grey, hairline)
		pixels++
	}
	return pixels
}

// picture colours a map, of which the largest value on the scale is limit times its size, with Akima splines between
// the points, which do not swing beside a peak.
func picture(m []float64, limit float64, pixels int) image.Image {
	n, scale := side(m), panelLevels/(max(limit, 1e-300)*size(m))
	at, lines := floats.Span(make([]float64, n), 0, float64(n-1)), make([][]float64, n)
	for i := range lines {
		lines[i] = between(at, m[i*n:(i+1)*n], pixels)
	}
	img := image.NewPaletted(image.Rect(0, 0, pixels, pixels), levels(panelLevels))
	for py := range pixels {
		across := make([]float64, n)
		for i := range across {
			across[i] = lines[i][py]
		}
		for px, value := range between(at, across, pixels) {
			level := max(-panelLevels, min(panelLevels, math.Round(value*scale)))
			img.SetColorIndex(px, pixels-1-py, uint8(panelLevels+level))
		}
	}
	return img
}

// between is a function at the middle of each of so many pixels from its first point to its last.
func between(x, y []float64, pixels int) []float64 {
	values := make([]float64, pixels)
	var curve interp.AkimaSpline
	if err := curve.Fit(x, y); err != nil {
		panic(err) // points ascend
	}
	for p := range values {
		values[p] = curve.Predict((float64(p) + 0.5) / float64(pixels) * x[len(x)-1])
	}
	return values
}
