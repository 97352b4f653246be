package draw

import (
	"image"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"omm-go/ommlx/internal/testkit"
)

// recorded is a text, path or image of a figure with its bounding box in points.
type recorded struct {
	vg.Rectangle
	words  string
	color  color.Color
	filled bool
	image  image.Image
}

type recording struct {
	*Figure
	texts, paths, images []recorded
}

// record lists what a figure draws, except rotated text.
func record(d Drawing) (r recording) {
	r.Figure = testkit.Must(d.Figure())
	var c recorder.Canvas
	r.paint(vgdraw.NewCanvas(&c, r.Width, r.Height))
	var ink color.Color
	var rotated []bool
	turned := false
	add := func(p vg.Path, filled bool) {
		if ink == nil { // an outline without width
			return
		}
		inf := vg.Length(math.Inf(1))
		at := rectangle(inf, inf, -inf, -inf)
		for _, part := range p {
			if part.Type != vg.CloseComp {
				size := vg.Point{X: part.Radius, Y: part.Radius}
				low, high := part.Pos.Sub(size), part.Pos.Add(size)
				at = rectangle(min(at.Min.X, low.X), min(at.Min.Y, low.Y), max(at.Max.X, high.X), max(at.Max.Y, high.Y))
			}
		}
		r.paths = append(r.paths, recorded{Rectangle: at, color: ink, filled: filled})
	}
	for _, action := range c.Actions {
		switch a := action.(type) {
		case *recorder.Push:
			rotated = append(rotated, turned)
		case *recorder.Pop:
			turned, rotated = rotated[len(rotated)-1], rotated[:len(rotated)-1]
		case *recorder.Rotate:
			turned = true
		case *recorder.SetColor:
			ink = a.Color
		case *recorder.Fill:
			add(a.Path, true)
		case *recorder.Stroke:
			add(a.Path, false)
		case *recorder.DrawImage:
			r.images = append(r.images, recorded{Rectangle: a.Rectangle, image: a.Image})
		case *recorder.FillString:
			if !turned && strings.TrimSpace(a.String) != "" {
				right, y := a.Point.X+textStyle(a.Size, color.Black, 0, 0).Width(a.String), a.Point.Y
				r.texts = append(r.texts, recorded{words: a.String,
					Rectangle: rectangle(a.Point.X, y-0.2*a.Size, right, y+0.72*a.Size)})
			}
		}
	}
	return r
}

func (r recording) words() (all []string) {
	for _, text := range r.texts {
		all = append(all, text.words)
	}
	return all
}

func (r recording) at(words string) vg.Rectangle {
	return r.texts[slices.Index(r.words(), words)].Rectangle
}

// of returns the paths of a colour, filled or stroked, in drawing order.
func (r recording) of(c color.Color, filled bool) (all []recorded) {
	for _, p := range r.paths {
		if same(c, p.color) && p.filled == filled {
			all = append(all, p)
		}
	}
	return all
}

// same reports whether two colours are equal, up to the steps of a colour scale.
func same(a, b color.Color) bool {
	const step = 0x300
	r1, g1, b1, a1 := a.RGBA()
	r2, g2, b2, a2 := b.RGBA()
	near := func(x, y uint32) bool { return max(x, y)-min(x, y) <= step }
	return near(r1, r2) && near(g1, g2) && near(b1, b2) && near(a1, a2)
}

func centre(r vg.Rectangle) plotter.XY {
	return plotter.XY{X: float64(r.Min.X+r.Max.X) / 2, Y: float64(r.Min.Y+r.Max.Y) / 2}
}

// centres returns the centres of the paths of a colour, filled or stroked, in drawing order.
func (r recording) centres(c color.Color, filled bool) plotter.XYs {
	return xslices.Map(r.of(c, filled), func(p recorded) plotter.XY { return centre(p.Rectangle) })
}

func sampleDrawings() map[string]Drawing {
	layout := Layout{Name: "layout", Rows: []string{"X  X", " X  "}}
	maps := PanelRow{Label: "learned", Titles: []string{"−0.5", "−0.2\n±3"}}
	for i := range 10 {
		maps.Maps = append(maps.Maps, []float64{1, float64(i), -1, 0.5})
	}
	return map[string]Drawing{
		"fig1":    sampleFig1(),
		"layouts": HeatMaps{Note: strings.Repeat("A note. ", 40), Maps: slices.Repeat([]HeatMap{{Layout: layout}}, 5)},
		"curves":  Curves{Title: "t", XLabel: "x", YLabel: "y", Series: []Series{sampleSeries("a", 0.5)}},
		"row":     sampleRow(),
		"log":     Curves{LogX: true, LogY: true, Series: []Series{{X: []float64{1, 1e5}, Y: []float64{1e-8, 3}}}},
		"contour": Contours{XLabel: "x", YLabel: "y", Plots: []Landscape{sampleLandscape()}},
		"heat":    HeatMaps{Maps: []HeatMap{{Title: "a map", Layout: layout, Values: []float64{-2, 0, 2, 1, -1}}}},
		"panels": Panels{Note: "A note.", Head: []string{"1", "2"},
			Rows: []PanelRow{maps, {Label: "exact", Maps: maps.Maps}}},
		"matrix": sampleMatrix(), "method": Schematic{},
		"dots":  sampleDots(),
		"sheet": sampleSheet(),
	}
}

func sampleSeries(name string, y float64) Series {
	return Series{Name: name, X: []float64{0, 50, 100}, Y: []float64{y, y, y}, Band: []float64{0.25, 0.25, 0.25}}
}

func sampleRow() CurvesRow {
	one, other := sampleSeries("one", 0.4), sampleSeries("one", 0.6)
	other.Dashed = true
	return CurvesRow{Columns: 2, Dashed: "dashed: others", Plots: []Curves{
		{Title: "first", YLabel: "y", YMax: 1, Series: []Series{one, other}},
		{Title: "second", YMax: 1, Series: []Series{one, sampleSeries("two", 0.2)}},
		{Title: "third\nnot run", XLabel: "x", YMax: 1},
	}}
}

// sampleLandscape is x² + y² on a rectangle twice as wide as high.
func sampleLandscape() Landscape {
	return Landscape{Title: "bowl", XMin: -2, XMax: 2, YMin: -1, YMax: 1,
		F:      func(x, y float64) float64 { return x*x + y*y },
		Levels: []float64{0.3, 0.6}, // of radii 0.55 and 0.77
		Points: []Points{{Name: "minimum", At: plotter.XYs{{X: 0, Y: 0}}}},
		Paths:  []Paths{{Name: "descent", Directed: true, Lines: []plotter.XYs{{{X: 1.5, Y: 0.5}, {X: 9, Y: 0.5}}}}}}
}

// sampleFig1 has two panels of three methods on two environments of two groups. The second method diverged on the
// second environment.
func sampleFig1() Fig1 {
	row := func(method string, runs ...float64) Fig1Row { return Fig1Row{Method: method, Runs: runs} }
	rows := func() []Fig1Row { return []Fig1Row{row("x", 0.9), row("y", 0.5, 0.7), row("more", 0.99)} }
	f := Fig1{Note: "A note.", Panels: []string{"theirs", "printed"}, Environments: []Fig1Environment{
		{Name: "Room", Group: "easy", Spectrum: []float64{0, 0.01, 0.1, 1}, Rows: [][]Fig1Row{rows(), rows()}},
		{Name: "Maze", Group: "hard", Spectrum: []float64{0, 0, 0.001, 1}, Rows: [][]Fig1Row{rows(), rows()}},
	}}
	f.Environments[0].Rows[0][0].Reference = new(0.0)
	f.Environments[1].Rows[0][1] = Fig1Row{Method: "y", Diverged: 2, Reference: new(0.9)}
	f.Environments[1].Rows[1][1].Runs = []float64{1, 0.9}
	return f
}

func sampleMatrix() HeatMaps {
	return HeatMaps{Shares: true, Maps: []HeatMap{{Title: "a matrix", Layout: Layout{Rows: []string{"  ", " X"}},
		Values: []float64{0.5, 0.7, 0.25}, RowNames: []string{"a", "b"}, ColumnNames: []string{"1", "2"},
		Numbers: true}}}
}

func sampleDots() Dots {
	return Dots{Note: "A note.", Kinds: []string{"a", "b"}, Open: "theirs", Axes: []DotAxis{
		{Label: "one axis", Groups: []DotGroup{{Title: "group 1", Rows: []DotRow{
			{Name: "one", Kind: "a", Runs: "1 run", Ours: 0.25, Half: new(0.25), Paper: new(0.25)},
			{Name: "one", Kind: "a", Runs: "2 runs", Ours: 0.5, Paper: new(0.75)}}},
			{Title: "group 2", Rows: []DotRow{{Name: "three", Kind: "b", Runs: "3 runs", Ours: 1}}}}},
		{Label: "another", Groups: []DotGroup{{
			Title: "group 3", Rows: []DotRow{
				{Name: "four", Kind: "a", Runs: "1 run", Ours: 0.01, Half: new(2.0)},
				{Name: "five", Kind: "b", Runs: "1 run", Ours: 1}}}}}}}
}

// rectangle returns a rectangle by its left, bottom, right and top edges.
func rectangle(x0, y0, x1, y1 vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: x0, Y: y0}, Max: vg.Point{X: x1, Y: y1}}
}
