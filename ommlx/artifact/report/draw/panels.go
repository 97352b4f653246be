package draw

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/interp"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Panels draws rows of functions on a square, such as learned and true eigenfunctions, with the colours and scales of
// [HeatMaps], or rows of small images.
type Panels struct {
	Note string   // printed under the panels; may be empty
	Head []string // titles of the columns; may be nil
	Rows []PanelRow
}

// PanelRow is a row of functions or images with a label at the left. Rows of more than eight are split into blocks.
type PanelRow struct {
	Label  string
	Titles []string // below each panel; nil for none
	// Maps are the functions, each on n×n points of a square with the second coordinate fastest. The first coordinate
	// is drawn to the right, the second upwards. A nil map leaves its place empty, and a row whose first map is nil has
	// no label.
	Maps   [][]float64
	Images []image.Image // instead of Maps; square, see [Images]
}

const (
	// PanelColours is the number of colours from − to + the largest |value|; the one in the middle is white.
	PanelColours = 13
	// BlockPanels is the largest number of panels in a row of a block.
	BlockPanels = 8

	panelPixels = 112 // along a side of a map
)

// Figure lays out the rows, 5.5 in wide.
func (f Panels) Figure() (*Figure, error) {
	out, longest, rows := page{note: f.Note, side: 40}, 1, make([][]*plot.Plot, len(f.Rows))
	for i, row := range f.Rows {
		var err error
		if rows[i], err = row.pictures(); err != nil {
			return nil, err
		}
		if longest = max(longest, len(rows[i])); row.Maps != nil {
			out.side = 96
		}
	}
	blocks := (longest + BlockPanels - 1) / BlockPanels
	together := int((pageWidth - rowLabel) / (out.side + tileGap)) // few panels stay together
	out.columns = max((longest+blocks-1)/blocks, together)
	for from := 0; from < longest; from += out.columns {
		for i, row := range f.Rows {
			block := make([]*plot.Plot, out.columns)
			copy(block, rows[i][min(from, len(rows[i])):])
			for j, p := range block {
				if p == nil {
					continue
				}
				if from+j < len(row.Titles) {
					p.X.Label.Text = strings.TrimSuffix(row.Titles[from+j]+"\n"+p.X.Label.Text, "\n")
				}
				if i == 0 && from+j < len(f.Head) {
					p.Title.Text = f.Head[from+j]
				}
			}
			if slices.ContainsFunc(block, func(p *plot.Plot) bool { return p != nil }) {
				out.plots = append(out.plots, block...)
				out.labels = append(out.labels, wrap(row.Label, small, rowLabel))
			}
		}
	}
	return out.figure(), nil
}

// pictures returns a plot for each map or image; nil for a nil map.
func (r PanelRow) pictures() (all []*plot.Plot, err error) {
	for _, img := range r.Images {
		side := img.Bounds().Dx()
		all = append(all, picture("", 1, 1, enlarged(8, side, side, img.At)))
	}
	for i, m := range r.Maps {
		n := int(math.Round(math.Sqrt(float64(len(m)))))
		switch {
		case m == nil:
			all = append(all, nil)
			continue
		case n < 2 || n*n != len(m) || !finite(m...):
			return nil, fmt.Errorf("panels: map %d of row %q has %d values, want n×n finite values with n ≥ 2", i+1,
				r.Label, len(m))
		}
		pixels, colours := refine(refine(slices.Collect(slices.Chunk(m, n)))), scaleOf(m, PanelColours)
		all = append(all, picture(limit(m), 1, 1, raster(panelPixels, panelPixels, func(x, y int) color.Color {
			return colours.at(pixels[x][panelPixels-1-y])
		})))
	}
	return all, nil
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

// Images returns N images from N×side×side×channels numbers, with one channel for grey or three for RGB.
func Images(pixels []uint8, side, channels int) (all []image.Image, err error) {
	size := side * side * channels
	if size < 1 || len(pixels)%size != 0 {
		return nil, fmt.Errorf("images: %d values, want a multiple of %d×%d×%d", len(pixels), side, side, channels)
	}
	for one := range slices.Chunk(pixels, size) {
		all = append(all, raster(side, side, func(x, y int) color.Color {
			at := one[(y*side+x)*channels:][:channels]
			return color.RGBA{at[0], at[len(at)/2], at[len(at)-1], 255}
		}))
	}
	return all, nil
}

// Profile is a small plot for a place in a [PanelRow]: marks over a wide pale line. Its axes, which are not drawn, end
// at 0 and xMax, and at yMin and the largest value.
func Profile(path, marks plotter.XYs, xMax, yMin float64) image.Image {
	p := plot.New()
	p.HideAxes()
	p.X.Max, p.Y.Min = xMax, yMin
	p.Add(line(vgdraw.LineStyle{Color: color.NRGBA{R: 0xF2, G: 0xB6, B: 0x80, A: 0xFF}, Width: 5}, path...))
	if marks != nil {
		p.Add(scatter(vgdraw.GlyphStyle{Color: navy, Radius: 4, Shape: vgdraw.CircleGlyph{}}, marks...))
	}
	c := vgimg.NewWith(vgimg.UseWH(panelPixels, panelPixels), vgimg.UseDPI(int(vg.Inch.Points())))
	p.Draw(vgdraw.New(c))
	return c.Image()
}
