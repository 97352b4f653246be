package draw

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/interp"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// Panels draws functions on a square, such as learned and true eigenfunctions, with the colours of [HeatMaps].
type Panels struct {
	Note string   // printed under the panels; may be empty
	Head []string // titles of the columns; may be nil
	Rows []PanelRow
}

// PanelRow is a row of functions with a label at the left. Rows with more than eight functions are split into blocks.
type PanelRow struct {
	Label  string
	Titles []string // below each panel; nil for none
	// Maps are the functions, each on n×n points of a square with the second coordinate fastest. The first coordinate
	// is drawn to the right, the second upwards. A nil map leaves its place empty, and a row whose first map is nil has
	// no label.
	Maps [][]float64
}

const (
	// PanelColours is the number of colours from − to + the largest |value|; the one in the middle is white.
	PanelColours = 13

	panelPixels = 112 // along a side
)

// Figure lays out the rows, 5.5 in wide.
func (f Panels) Figure() (*Figure, error) {
	out := album{note: f.Note, head: f.Head, side: 96, bar: mapBar(PanelColours)}
	for _, row := range f.Rows {
		pictures := make([]*plot.Plot, len(row.Maps))
		for j, m := range row.Maps {
			n := int(math.Round(math.Sqrt(float64(len(m)))))
			if m == nil {
				continue
			}
			if n < 2 || n*n != len(m) || !finite(m...) {
				return nil, fmt.Errorf("panels: map %d of row %q has %d values, want n×n finite values with n ≥ 2", j+1,
					row.Label, len(m))
			}
			pixels := refine(refine(slices.Collect(slices.Chunk(m, n))))
			colours := scaleOf(m, PanelColours)
			pictures[j] = picture("", 1, 1, raster(panelPixels, panelPixels, func(x, y int) color.Color {
				return colours.at(pixels[x][panelPixels-1-y])
			}))
		}
		out.rows = append(out.rows, albumRow{row.Label, row.Titles, pictures})
	}
	return out.figure(), nil
}

// refine interpolates lines of equal length by Akima splines, which do not overshoot next to a peak. It returns a list
// for each pixel of a line, between its first and last points, with the values of all lines there.
func refine(lines [][]float64) [][]float64 {
	pixels, last := make([][]float64, panelPixels), float64(len(lines[0])-1)
	points := floats.Span(make([]float64, len(lines[0])), 0, last)
	for _, line := range lines {
		var curve interp.AkimaSpline
		if err := curve.Fit(points, line); err != nil {
			panic(err) // the points ascend
		}
		for p := range pixels {
			pixels[p] = append(pixels[p], curve.Predict((float64(p)+0.5)/panelPixels*last))
		}
	}
	return pixels
}

// Sheet draws rows of small square images.
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

// Figure lays out the images, 5.5 in wide. It returns an error if a row is not a whole number of images.
func (f Sheet) Figure() (*Figure, error) {
	size, out := f.Side*f.Side*f.Channels, album{note: f.Note, head: f.Titles, side: 40}
	for _, row := range f.Rows {
		if size < 1 || len(row.Pixels)%size != 0 {
			return nil, fmt.Errorf("sheet: row %q has %d values, want a multiple of %d×%d×%d", row.Label,
				len(row.Pixels), f.Side, f.Side, f.Channels)
		}
		var pictures []*plot.Plot
		for pixels := range slices.Chunk(row.Pixels, size) {
			pictures = append(pictures, picture("", 1, 1, enlarged(8, f.Side, f.Side, func(x, y int) color.Color {
				at := pixels[(y*f.Side+x)*f.Channels:][:f.Channels]
				return color.RGBA{at[0], at[len(at)/2], at[len(at)-1], 255}
			})))
		}
		out.rows = append(out.rows, albumRow{row.Label, row.Captions, pictures})
	}
	return out.figure(), nil
}

// album is rows of pictures, with titles above the columns. Rows with more than eight pictures are split into blocks.
type album struct {
	note string
	head []string
	rows []albumRow
	bar  *plot.Plot
	side vg.Length // largest side of a picture
}

// albumRow is pictures with captions below and a label at the left. A row whose first picture is nil has no label.
type albumRow struct {
	label    string
	captions []string
	pictures []*plot.Plot
}

func (a album) figure() *Figure {
	const most = 8 // pictures in a block
	longest := 1
	for _, row := range a.rows {
		longest = max(longest, len(row.pictures))
	}
	blocks := (longest + most - 1) / most
	out := page{note: a.note, columns: (longest + blocks - 1) / blocks, side: a.side, bar: a.bar}
	out.columns = max(out.columns, int((pageWidth-rowLabel)/(a.side+tileGap))) // few pictures stay together
	for from := 0; from < longest; from += out.columns {
		for i, row := range a.rows {
			block := make([]*plot.Plot, out.columns)
			copy(block, row.pictures[min(from, len(row.pictures)):])
			for j, p := range block {
				if p == nil {
					continue
				}
				if from+j < len(row.captions) {
					p.X.Label.Text = row.captions[from+j]
				}
				if i == 0 && from+j < len(a.head) {
					p.Title.Text = a.head[from+j]
				}
			}
			if slices.ContainsFunc(block, func(p *plot.Plot) bool { return p != nil }) {
				out.plots = append(out.plots, block...)
				out.labels = append(out.labels, wrap(row.label, small, rowLabel))
			}
		}
	}
	return out.figure()
}
