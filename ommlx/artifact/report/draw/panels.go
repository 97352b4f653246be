package draw

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/interp"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Panels draws functions on a square, such as learned and true eigenfunctions: navy below zero, white at zero and
// orange above. Each function is divided by its root mean square (RMS), since eigenfunctions are defined up to a
// factor. The panels of a column share a scale, which ends at ± their largest |value|.
type Panels struct {
	Note string // printed under the panels; may be empty
	Rows []PanelRow
}

// PanelRow is a row of functions under one label. Rows with more than eight functions are split into blocks.
type PanelRow struct {
	Label  string
	Titles []string // above each panel; nil for none
	// Maps are the functions, each on n×n points of a square with the second coordinate fastest. The first coordinate
	// is drawn to the right, the second upwards.
	Maps [][]float64
}

const (
	panelGap     = vg.Length(3)
	panelColumns = 8
	panelLevels  = 6 // colours between zero and either end
)

// side returns n of a map on n×n points.
func side(m []float64) int { return int(math.Round(math.Sqrt(float64(len(m))))) }

// Figure lays out the rows, 5.5 in wide.
func (f Panels) Figure() (*Figure, error) {
	var limits []float64 // the largest |value| of each column, with functions scaled to RMS 1
	for _, row := range f.Rows {
		for i, m := range row.Maps {
			if n := side(m); n < 2 || n*n != len(m) || !finite(m...) {
				return nil, fmt.Errorf("panels: map %d of row %q has %d values, want n×n finite values with n ≥ 2",
					i+1, row.Label, len(m))
			}
			if i == len(limits) {
				limits = append(limits, 0)
			}
			limits[i] = max(limits[i], floats.Norm(m, math.Inf(1))/size(m))
		}
	}
	blocks := max(1, (len(limits)+panelColumns-1)/panelColumns)
	perRow := max(1, (len(limits)+blocks-1)/blocks)
	width := min((pageWidth-vg.Length(perRow-1)*panelGap)/vg.Length(perRow), 1.2*vg.Inch)
	height := vg.Length(0)
	for _, row := range f.Rows {
		height += vg.Length(blocks) * (width + row.captions())
	}
	title := "±max |value| of the panel"
	if len(f.Rows) > 1 {
		title = fmt.Sprintf("±max |value| of the column of %d maps; functions scaled to RMS 1", len(f.Rows))
	}
	each := func(visit func(row PanelRow, i int, x, top vg.Length)) { // from the upper left corner
		top := vg.Length(0)
		for from := 0; from < len(limits); from += perRow {
			for _, row := range f.Rows {
				top += row.captions()
				for i := from; i < min(from+perRow, len(row.Maps)); i++ {
					visit(row, i, vg.Length(i-from)*(width+panelGap), top)
				}
				top += width
			}
		}
	}
	// All panels are one image, because the PDF writer orders several images at random.
	colours := steps(2*panelLevels+1, -1, 1, diverging)
	all := image.NewPaletted(image.Rect(0, 0, int(pageWidth/pixel), int(height/pixel)+1),
		append([]color.Color{white}, colours...))
	each(func(row PanelRow, i int, x, top vg.Length) {
		paintMap(all, int(x/pixel), int(top/pixel), int(width/pixel), row.Maps[i],
			panelLevels/(max(limits[i], 1e-300)*size(row.Maps[i])))
	})
	return framed(f.Note, nil, height+barHeight, func(c vgdraw.Canvas) {
		drawBar(c, colours, "−max", "+max", title)
		c.DrawImage(rectangle(c.Min.X, c.Max.Y-vg.Length(all.Rect.Dy())*pixel, c.Max.X, c.Max.Y), all)
		each(func(row PanelRow, i int, x, top vg.Length) {
			x, top = c.Min.X+x, c.Max.Y-top
			c.SetLineStyle(vgdraw.LineStyle{Color: grey, Width: axisLine})
			c.Stroke(rectangle(x, top-width, x+width, top).Path())
			if i%perRow == 0 {
				label := vg.Point{X: x, Y: top + row.captions() - lineHeight - 5}
				c.FillText(textStyle(labelSize, ink), label, row.Label)
			}
			if i < len(row.Titles) {
				c.FillText(aligned(smallSize, ink, text.XCenter, text.YBottom), vg.Point{X: x + width/2, Y: top + 2},
					row.Titles[i])
			}
		})
	}), nil
}

func (r PanelRow) captions() vg.Length {
	if r.Titles == nil {
		return lineHeight + 10
	}
	return 2*lineHeight + 10
}

// paintMap draws a map as a square of pixels, interpolated by Akima splines, which do not overshoot next to a peak. A
// value times scale is its level above zero.
func paintMap(img *image.Paletted, left, top, pixels int, m []float64, scale float64) {
	n := side(m)
	at, columns := floats.Span(make([]float64, n), 0, float64(n-1)), make([][]float64, n)
	for i := range columns {
		columns[i] = between(at, m[i*n:(i+1)*n], pixels)
	}
	across := make([]float64, n)
	for py := range pixels {
		for i := range across {
			across[i] = columns[i][py]
		}
		for px, value := range between(at, across, pixels) {
			level := max(-panelLevels, min(panelLevels, math.Round(value*scale)))
			img.SetColorIndex(left+px, top+pixels-1-py, uint8(1+panelLevels+level))
		}
	}
}

// between interpolates a function at the middle of each pixel from its first point to its last.
func between(x, y []float64, pixels int) []float64 {
	values := make([]float64, pixels)
	var curve interp.AkimaSpline
	if err := curve.Fit(x, y); err != nil {
		panic(err) // the points ascend
	}
	for p := range values {
		values[p] = curve.Predict((float64(p) + 0.5) / float64(pixels) * x[len(x)-1])
	}
	return values
}
