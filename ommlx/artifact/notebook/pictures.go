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

// Functions draws learned and exact functions of one variable together, one plot per mode, counted from 1. The columns
// of learned and exact are functions at the N points x; nil x means 1 to N. Exact functions are drawn with the sign of
// the learned ones. It returns an error if sizes differ.
func Functions(label string, x []float64, learned, exact *mat.Dense, modes ...int) (draw.CurvesRow, error) {
	n, _ := learned.Dims()
	if x == nil {
		x = floats.Span(make([]float64, n), 1, float64(n))
	}
	if len(x) != n {
		return draw.CurvesRow{}, fmt.Errorf("notebook: functions have %d points, x has %d; pass one x per point",
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

// Squares draws learned functions on a square above exact ones, like [Functions] on a line. Rows of learned and exact
// are n×n points, with the second coordinate varying fastest.
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

// pair returns a learned function and the exact one with the same sign.
func pair(learned, exact *mat.Dense, mode int) (y, z []float64, err error) {
	n, k := learned.Dims()
	points, known := exact.Dims()
	if n != points {
		return nil, nil, fmt.Errorf("notebook: learned functions have %d points, exact ones have %d", n, points)
	}
	if mode < 1 || mode > min(k, known) {
		return nil, nil, fmt.Errorf("notebook: mode %d out of range [1, %d]", mode, min(k, known))
	}
	y, z = mat.Col(nil, mode-1, learned), mat.Col(nil, mode-1, exact)
	if floats.Dot(y, z) < 0 {
		floats.Scale(-1, z)
	}
	return y, z, nil
}

// Beside draws learned eigenfunctions, with their cosine similarity, above true ones. Column i of learned (N×k) is the
// i-th function on all states; modes, counted from 1 and at most k, selects the functions.
//
// A true function is defined up to its sign, and within a degenerate eigenspace up to a rotation, so the picture shows
// the projection of the learned function onto the true eigenspace, its nearest member. Beside returns an error if a
// mode does not exist or learned does not have one row per state.
func Beside(w *gridworld.World, learned *mat.Dense, modes ...int) (draw.HeatMaps, error) {
	cosines, _, err := spectral.CosineSimilarity(w.Truth, learned)
	if err != nil {
		return draw.HeatMaps{}, err
	}
	layout := Layout(w.Grid)
	var above, below []draw.HeatMap
	for _, mode := range modes {
		if mode < 1 || mode > len(cosines) {
			return draw.HeatMaps{}, fmt.Errorf("notebook: mode %d out of range [1, %d]", mode, len(cosines))
		}
		i := mode - 1
		above = append(above, draw.HeatMap{Title: fmt.Sprintf("learned %d: cos %.3f", mode, cosines[i]), Layout: layout,
			Values: mat.Col(nil, i, learned)})
		below = append(below, draw.HeatMap{Title: fmt.Sprintf("true %d: λ = %.4f", mode, w.Truth.Values[i]),
			Layout: layout, Values: nearest(w.Truth, i, learned.ColView(i))})
	}
	return draw.HeatMaps{Columns: len(modes), Maps: append(above, below...)}, nil
}

// nearest returns the projection of f onto the true eigenspace that contains mode i.
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
// best rotation within eigenspaces onto the exact ones, and the exact ones ([spectral.Align]). label names the learned
// functions. It returns an error if shapes do not fit.
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

// Size of the images of a sheet and the space between them, in screen pixels.
const (
	imageSide = 48
	imageGap  = 4
)

// Images shows images [N, height, width, channels], grey (one channel) or RGB (three), with values from 0 (black) to
// 255, below the cell, perRow to a row. Each is enlarged by a whole factor to a side of at least 48 pixels. It returns
// an error if sizes do not fit.
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
		return nil, fmt.Errorf("notebook: images are %d×%d with %d channels, want a positive size and 1 or "+
			"3 channels", height, width, channels)
	case perRow < 1:
		return nil, fmt.Errorf("notebook: perRow is %d, want at least 1", perRow)
	case len(pixels) == 0 || len(pixels)%size != 0:
		return nil, fmt.Errorf("notebook: %d pixel values, want a positive multiple of %d×%d×%d", len(pixels),
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

// classColours are the first Okabe–Ito colours, one per class.
var classColours = []color.RGBA{{0, 114, 178, 255}, {230, 159, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255},
	{86, 180, 233, 255}, {213, 94, 0, 255}, {0, 0, 0, 255}}

// Dots draws the points, each in the colour of its class, of at most seven. It returns an error if a class is out of
// range or lengths differ.
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
			return nil, fmt.Errorf("notebook: class %d of dot %d out of range [0, %d)", class, i,
				len(classColours))
		}
		p.Add(&plotter.Scatter{XYs: plotter.XYs{{X: x[i], Y: y[i]}}, GlyphStyle: vgdraw.GlyphStyle{
			Color: classColours[class], Radius: vg.Points(1), Shape: vgdraw.CircleGlyph{}}})
	}
	return p, nil
}

// Show draws below the cell. It returns an error if a number cannot be drawn.
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

// Panels returns a row of pictures under one label, one for each column of f. Rows of f are n×n points of a square,
// with the second coordinate varying fastest.
func Panels(label string, f mat.Matrix) draw.PanelRow {
	row := draw.PanelRow{Label: label}
	_, k := f.Dims()
	for i := range k {
		row.Maps = append(row.Maps, mat.Col(nil, i, f))
	}
	return row
}

// Curve returns the evaluation scores of a training, averaged over its runs, against its steps.
func Curve(name string, history []train.Point) draw.Series {
	s := draw.Series{Name: name}
	for _, p := range history {
		s.Add(float64(p.Step), stat.Mean(p.Value, nil))
	}
	return s
}

// Record adds a point to each of the series "name 1", "name 2", … of a plot, one for each value, but at most eight:
// more cannot be distinguished.
func Record(plot *draw.Curves, name string, step int, values []float64) {
	for i, value := range values[:min(len(values), 8)] {
		if i == len(plot.Series) {
			plot.Series = append(plot.Series, draw.Series{Name: fmt.Sprintf("%s %d", name, i+1)})
		}
		plot.Series[i].Add(float64(step), value)
	}
}
