package draw

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Fig1 is figure 1 of the paper (section 3.1): for each environment a row for each method with its average cosine
// similarity. The smallest eigenvalues of each environment's Laplacian I − P, if given, are on the right.
type Fig1 struct {
	Note         string            // printed under the figure: the profile and how it differs from the paper's protocol
	Open         string            // legend of open marks; "": mean of the authors' logged runs
	Panels       []string          // titles of the panels of rows, one or two
	Environments []Fig1Environment // in drawing order, from the top
}

// Fig1Environment is one environment of figure 1.
type Fig1Environment struct {
	Name     string
	Hard     bool        // one of the paper's hard instances; marked with ×
	Spectrum []float64   // the smallest eigenvalues of I − P, ascending; the first is 0
	Rows     [][]Fig1Row // for each panel the same methods in the same order; the last may be missing
}

// Fig1Row is the result of one method on one environment by one protocol.
type Fig1Row struct {
	Method    string
	Runs      []float64 // average cosine similarity of each run that finished, in [0, 1]
	Reference *float64  // mean of other authors' runs by the same protocol, drawn open; nil if unknown
	Diverged  int       // runs that diverged; not in Runs
	Beyond    bool      // beyond the paper: drawn on grey
}

const (
	fig1Row = vg.Length(7.8) // height of a row, the unit of the y axis, in points
	runRise = 0.27           // offset of runs above and below the middle of a row, alternating
	zero    = 1e-6           // eigenvalues of I − P below it are 0 up to rounding; all others are above 1e-5
)

// fig1Looks are the looks of the paper's methods, and of three that go beyond it.
var fig1Looks = append(slices.Clone(methodLooks),
	look{vermillion, []vg.Length{2, 1}, vgdraw.CircleGlyph{}},
	look{green, []vg.Length{2, 1}, vgdraw.BoxGlyph{}},
	look{purple, []vg.Length{2, 1}, vgdraw.PyramidGlyph{}})

type fig1 struct {
	Fig1
	methods []Fig1Row // of the first environment, in the panel with the most methods
	block   float64   // rows per environment, including a gap
}

// Figure lays out the figure, 5.5 in wide. With the paper's twelve environments and six methods it is about 10 in high.
func (f Fig1) Figure() (*Figure, error) {
	l := fig1{Fig1: f}
	l.methods = slices.MaxFunc(f.Environments[0].Rows, func(a, b []Fig1Row) int { return len(a) - len(b) })
	l.block = max(3, float64(len(l.methods))) + 0.7
	var plots []*plot.Plot
	for i := range f.Panels {
		plots = append(plots, l.panel(i))
	}
	if f.Environments[0].Spectrum != nil {
		plots = append(plots, l.spectra())
	}
	for i, p := range plots {
		if p.Y.Min, p.Y.Max = 0, l.top(); i > 0 {
			p.HideY()
		}
		for e := 1; e < len(f.Environments); e++ { // a line between environments
			y := float64(e) * l.block
			p.Add(line(vgdraw.LineStyle{Color: ruleInk, Width: hairline},
				plotter.XY{X: p.X.Min, Y: y}, plotter.XY{X: p.X.Max, Y: y}))
		}
	}
	const axes = 42
	height := vg.Length(l.top())*fig1Row + axes
	return framed(f.Note, l.legend(), height, func(c vgdraw.Canvas) { tile(c, len(plots), plots, false) }), nil
}

func (l fig1) top() float64 { return float64(len(l.Environments)) * l.block }

// panel draws the rows of a protocol: references, intervals of ±1 sample standard deviation, runs and means.
func (l fig1) panel(panel int) *plot.Plot {
	p := newPlot(l.Panels[panel], "average cosine similarity", "")
	p.Y.LineStyle.Width, p.Y.Tick.Length, p.Y.Padding = 0, 0, 4
	p.Add(grid(true))
	p.X.Min, p.X.Max = -0.03, 1.03
	var names plot.ConstantTicks
	for i, e := range l.Environments {
		label, middle := e.Name, l.top()-(float64(i)+0.5)*l.block
		if e.Hard {
			label += "\n× hard"
		}
		names = append(names, plot.Tick{Value: middle, Label: label})
		for j, r := range e.Rows[panel] {
			y := middle + float64(len(l.methods)-1)/2 - float64(j)
			if r.Beyond {
				p.Add(&plotter.Polygon{XYs: []plotter.XYs{box(p.X.Min, y-0.5, p.X.Max, y+0.5)}, Color: shade})
			}
			r.addTo(p, y, fig1Looks[j])
		}
	}
	p.Y.Tick.Marker = names
	return p
}

func (r Fig1Row) addTo(p *plot.Plot, y float64, l look) {
	mean, std := math.NaN(), 0.0
	if len(r.Runs) == 1 {
		mean = r.Runs[0]
	} else if len(r.Runs) > 1 {
		mean, std = stat.MeanStdDev(r.Runs, nil)
		runs := scatter(runMark(l))
		for k, run := range r.Runs {
			runs.XYs = append(runs.XYs, plotter.XY{X: run, Y: y + float64(1-2*(k%2))*runRise})
		}
		p.Add(runs)
	}
	addResult(p, y, l, mean, std, r.Reference)
	if len(r.Runs) == 0 {
		why := "not run"
		if r.Diverged > 0 {
			why = "diverged"
		}
		p.Add(words(aligned(smallSize, grey, text.XCenter, middle), 0.5, y, why))
	}
}

func runMark(l look) vgdraw.GlyphStyle {
	return vgdraw.GlyphStyle{Color: tint(l.color, 0.5), Radius: 0.9, Shape: vgdraw.CircleGlyph{}}
}

// spectra plots the eigenvalues of each environment on a logarithmic axis, one below the other, so that equal ones do
// not overlap. Zeros (one for each connected part of the environment) are at the left end, without a line.
func (l fig1) spectra() *plot.Plot {
	p := newPlot("spectrum of I − P", "eigenvalue", "")
	p.X.Min, p.X.Max, p.X.Scale = zero/2, 2, plot.LogScale{}
	p.X.Tick.Marker = plot.ConstantTicks(append(logTicks(3)(10*zero, 1), plot.Tick{Value: zero, Label: "0"}))
	p.Add(grid(true))
	for i, e := range l.Environments {
		joined, marks := line(vgdraw.LineStyle{Color: grey, Width: hairline}),
			scatter(vgdraw.GlyphStyle{Color: grey, Radius: 0.9, Shape: vgdraw.CircleGlyph{}})
		if e.Hard {
			marks.GlyphStyle = vgdraw.GlyphStyle{Color: ink, Radius: 1.7, Shape: vgdraw.CrossGlyph{}}
		}
		step := (l.block - 0.7) / float64(len(e.Spectrum))
		at := plotter.XY{Y: l.top() - float64(i)*l.block - 0.35 - step/2}
		for _, x := range e.Spectrum {
			if at.X = max(x, zero); x > zero {
				joined.XYs = append(joined.XYs, at)
			}
			marks.XYs = append(marks.XYs, at)
			at.Y -= step
		}
		p.Add(joined, marks)
	}
	return p
}

// legend names the methods and explains the marks.
func (l fig1) legend() (names legend) {
	for j, r := range l.methods {
		mark := scatter(fig1Looks[j].mark(2.1))
		if r.Beyond {
			names.add("beyond the paper: "+r.Method, &plotter.Polygon{Color: shade}, mark)
		} else {
			names.add(r.Method, mark)
		}
	}
	filled := look{grey, nil, vgdraw.CircleGlyph{}}
	names.add("one run", scatter(runMark(filled)))
	names.add("filled: mean ± 1 std. dev.", line(filled.line()), scatter(filled.mark(2.1)))
	names.add("open: "+cmp.Or(l.Open, "mean of the authors' logged runs"), scatter(openMark))
	return names
}
