package notebook

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"strings"

	"github.com/janpfeifer/gonb/gonbui"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"

	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/rl/gridworld"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/spectral"
	"omm-go/ommlx/train"
)

// Functions draws learned functions of one variable beside exact ones, a plot for each mode, counted from 1. The
// columns of learned and exact are functions at the N points x; x nil stands for 1 to N. An exact function is drawn
// with the sign of the learned one. An error says what does not fit.
func Functions(label string, x []float64, learned, exact *mat.Dense, modes ...int) (draw.CurvesRow, error) {
	n, _ := learned.Dims()
	if x == nil {
		x = floats.Span(make([]float64, n), 1, float64(n))
	}
	if len(x) != n {
		return draw.CurvesRow{}, fmt.Errorf("functions are given at %d points, but x has %d; give one for each",
			n, len(x))
	}
	var row draw.CurvesRow
	for _, mode := range modes {
		y, z, err := pair(learned, exact, mode)
		if err != nil {
			return draw.CurvesRow{}, err
		}
		row.Plots = append(row.Plots, draw.Curves{Title: fmt.Sprintf("function %d", mode), XLabel: label,
			Series: []draw.Series{{Name: "learned", X: x, Y: y}, {Name: "exact", X: x, Y: z}}})
	}
	return row, nil
}

// Squares draws learned functions on a square above exact ones, as [Functions] does on a line. Rows of learned and
// exact are n×n points, the second coordinate running fastest.
func Squares(learned, exact *mat.Dense, modes ...int) (draw.Panels, error) {
	above, below := draw.PanelRow{Label: "learned"}, draw.PanelRow{Label: "exact"}
	for _, mode := range modes {
		y, z, err := pair(learned, exact, mode)
		if err != nil {
			return draw.Panels{}, err
		}
		above.Titles = append(above.Titles, fmt.Sprint(mode))
		above.Maps, below.Maps = append(above.Maps, y), append(below.Maps, z)
	}
	return draw.Panels{Rows: []draw.PanelRow{above, below}}, nil
}

// pair returns a learned function, and the exact one with its sign.
func pair(learned, exact *mat.Dense, mode int) (y, z []float64, err error) {
	n, k := learned.Dims()
	points, known := exact.Dims()
	if n != points {
		return nil, nil, fmt.Errorf("learned functions are given at %d points, but exact ones at %d; give the same "+
			"points", n, points)
	}
	if mode < 1 || mode > min(k, known) {
		return nil, nil, fmt.Errorf("mode %d does not exist: %d learned functions and %d exact ones are given, "+
			"counted from 1", mode, k, known)
	}
	y, z = mat.Col(nil, mode-1, learned), mat.Col(nil, mode-1, exact)
	if floats.Dot(y, z) < 0 {
		floats.Scale(-1, z)
	}
	return y, z, nil
}

// Beside draws learned eigenfunctions, with their cosine similarity, above true ones. Column i of learned (N×k) is the
// i-th function on all states; modes, counted from 1 and at most k, are those that are drawn.
//
// A true function is defined up to its sign, and within a degenerate eigenspace up to a rotation: what is drawn is the
// projection of the learned one onto the true eigenspace, the member that is nearest to it. An error says which mode
// does not exist, or that learned has not one row for each state.
func Beside(w *gridworld.World, learned *mat.Dense, modes ...int) (draw.HeatMaps, error) {
	cosines, _, err := spectral.CosineSimilarity(w.Truth, learned)
	if err != nil {
		return draw.HeatMaps{}, err
	}
	layout := Layout(w.Grid)
	var above, below []draw.HeatMap
	for _, mode := range modes {
		if mode < 1 || mode > len(cosines) {
			return draw.HeatMaps{}, fmt.Errorf("mode %d does not exist: %d functions were learned, counted from 1",
				mode, len(cosines))
		}
		i := mode - 1
		above = append(above, draw.HeatMap{Title: fmt.Sprintf("learned %d: cos %.3f", mode, cosines[i]), Layout: layout,
			Values: mat.Col(nil, i, learned)})
		below = append(below, draw.HeatMap{Title: fmt.Sprintf("true %d: λ = %.4f", mode, w.Truth.Values[i]),
			Layout: layout, Values: nearest(w.Truth, i, learned.ColView(i))})
	}
	return draw.HeatMaps{Columns: len(modes), Maps: append(above, below...)}, nil
}

// nearest returns the projection of f onto the true eigenspace that holds mode i.
func nearest(t spectral.Truth, i int, f mat.Vector) []float64 {
	sum := mat.NewVecDense(f.Len(), nil)
	for _, space := range t.Eigenspaces() {
		for m := space.First; m < space.End && space.First <= i && i < space.End; m++ {
			v := t.Vectors.ColView(m)
			sum.AddScaledVec(sum, mat.Dot(v, f), v)
		}
	}
	return sum.RawVector().Data
}

// Rotated returns three rows of pictures: learned wavefunctions ψ (N×k) on the points of a square, the same after the
// best rotation within eigenspaces onto the exact ones, and these ([spectral.Align]). The label says what was learned.
// An error says what does not fit.
func Rotated(label string, truth schrodinger.Spectrum, psi *mat.Dense, q schrodinger.Quadrature) (
	rows []draw.PanelRow, err error) {
	exact, err := truth.OnPoints(q.Points)
	if err != nil {
		return nil, err
	}
	aligned, target, err := spectral.Align(exact, psi, q.Weights, truth.Spaces)
	if err != nil {
		return nil, err
	}
	return []draw.PanelRow{Panels(label+", as learned", psi),
		Panels(label+", rotated within eigenspaces onto the exact ones", aligned), Panels("exact", target)}, nil
}

// The size of a sheet's images and the space between them, in pixels of the screen.
const (
	imageSide = 48
	imageGap  = 4
)

// Images shows images [N, height, width, channels] of one channel (grey) or three below the cell, from 0 (black) to
// 255: so many to a row, each enlarged by whole pixels to a side of at least 48. An error says what does not fit.
func Images(pixels []uint8, height, width, channels, perRow int) error {
	sheet, err := imageSheet(pixels, height, width, channels, perRow)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := png.Encode(&out, sheet); err != nil {
		return fmt.Errorf("images: %w", err)
	}
	showPNG(out.Bytes())
	return nil
}

func imageSheet(pixels []uint8, height, width, channels, perRow int) (*image.RGBA, error) {
	size := height * width * channels
	switch {
	case height < 1 || width < 1 || channels != 1 && channels != 3:
		return nil, fmt.Errorf("images of %d×%d pixels and %d channels cannot be shown; give a positive size and 1 or "+
			"3 channels", height, width, channels)
	case perRow < 1:
		return nil, fmt.Errorf("%d images to a row cannot be shown; give at least 1", perRow)
	case len(pixels) == 0 || len(pixels)%size != 0:
		return nil, fmt.Errorf("%d numbers are no whole images of %d×%d×%d; give that many for each image", len(pixels),
			height, width, channels)
	}
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
	return sheet, nil
}

// classColours are the first of the Okabe–Ito colours, a class each.
var classColours = []color.RGBA{{0, 114, 178, 255}, {230, 159, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255},
	{86, 180, 233, 255}, {213, 94, 0, 255}, {0, 0, 0, 255}}

// Dots shows a dot for each point in the colour of its class, of which there are seven at the most. The picture fits
// the points. An error says what does not fit.
func Dots(x, y []float64, classes []int) error {
	p, err := dots(x, y, classes)
	if err != nil {
		return err
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

func dots(x, y []float64, classes []int) (*plot.Plot, error) {
	p := plot.New()
	p.HideAxes()
	for i, class := range classes {
		if class < 0 || class >= len(classColours) {
			return nil, fmt.Errorf("dot %d has class %d; there are colours for 0 to %d", i, class, len(classColours)-1)
		}
		p.Add(&plotter.Scatter{XYs: plotter.XYs{{X: x[i], Y: y[i]}}, GlyphStyle: vgdraw.GlyphStyle{
			Color: classColours[class], Radius: vg.Points(1), Shape: vgdraw.CircleGlyph{}}})
	}
	return p, nil
}

// Show draws below the cell. The error says which number cannot be drawn.
func Show(d draw.Drawing) error {
	figure, err := d.Figure()
	if err != nil {
		return err
	}
	png, err := draw.PNG(figure)
	if err != nil {
		return err
	}
	showPNG(png)
	return nil
}

func showPNG(png []byte) {
	gonbui.DisplayPng(png)
	gonbui.Sync()
}

// Layout returns the floor plan of an environment for package draw.
func Layout(g *gridworld.Grid) draw.Layout {
	return draw.Layout{Name: g.Name, Rows: strings.Split(strings.TrimSuffix(g.String(), "\n"), "\n")}
}

// Panels are a row of pictures under one label, a function for each column of f. Rows of f are n×n points of a square,
// the second coordinate running fastest.
func Panels(label string, f mat.Matrix) draw.PanelRow {
	row := draw.PanelRow{Label: label}
	_, k := f.Dims()
	for i := range k {
		row.Maps = append(row.Maps, mat.Col(nil, i, f))
	}
	return row
}

// Curve is what a training was judged with on the way, in the mean over its runs, against its steps.
func Curve(name string, history []train.Point) draw.Series {
	s := draw.Series{Name: name}
	for _, p := range history {
		s.Add(float64(p.Step), stat.Mean(p.Value, nil))
	}
	return s
}

// Record adds a point to each of the series "name 1", "name 2", … of a plot, of which there are as many as values, but
// at most eight: more cannot be told apart.
func Record(plot *draw.Curves, name string, step int, values []float64) {
	for i, value := range values[:min(len(values), 8)] {
		if i == len(plot.Series) {
			plot.Series = append(plot.Series, draw.Series{Name: fmt.Sprintf("%s %d", name, i+1)})
		}
		plot.Series[i].Add(float64(step), value)
	}
}
