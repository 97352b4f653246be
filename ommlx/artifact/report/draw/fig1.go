package draw

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Fig1 is figure 1 of the paper (section 3.1), also used for Table 2: for each environment a row for each method with
// 1 less its average cosine similarity, on logarithmic axes. The smallest eigenvalues of each environment's Laplacian
// I − P, if given, are on the right.
type Fig1 struct {
	Note         string            // printed under the figure: the profile and how it differs from the paper's protocol
	Open         string            // legend of open marks; "": mean of the authors' logged runs
	Panels       []string          // titles of the panels of rows
	Environments []Fig1Environment // in drawing order, from the top, group by group
}

// Fig1Environment is one environment of figure 1.
type Fig1Environment struct {
	Name     string
	Group    string      // title above the first environment of a group; may be empty
	Spectrum []float64   // the smallest eigenvalues of I − P, ascending; the first is 0
	Rows     [][]Fig1Row // for each panel, with the same methods in all environments
}

// Fig1Row is the result of one method on one environment by one protocol.
type Fig1Row struct {
	Method    string
	Runs      []float64 // average cosine similarity of each run that finished, in [0, 1]
	Reference *float64  // other authors' mean by the same protocol, drawn open; nil if unknown
	Diverged  int       // runs that diverged; not in Runs
}

const (
	fig1Row   = vg.Length(6.3) // height of a row, the unit of the y axis, in points
	fig1Gap   = 0.7            // between environments, in rows
	fig1Title = 1.3            // height of the title of a group, in rows
	runRise   = 0.27           // offset of runs above and below the middle of a row, alternating
	zero      = 1e-6           // eigenvalues of I − P below it are 0 up to rounding; all others are above 1e-5
	leastGap  = 5e-5           // left end of the axis of 1 − cosine; smaller values are drawn there
)

// fig1Looks are the looks of the paper's methods, and of three that go beyond it.
var fig1Looks = append(slices.Clone(methodLooks),
	look{vermillion, nil, vgdraw.CircleGlyph{}}, look{green, nil, vgdraw.BoxGlyph{}},
	look{purple, nil, vgdraw.PyramidGlyph{}})

type fig1 struct {
	Fig1
	looks   kinds
	methods float64            // rows per environment
	middles []float64          // y of the middle of each environment
	top     float64            // upper end of the y axis
	names   plot.ConstantTicks // of environments and groups
	open    bool               // there is an open mark
}

// Figure lays out the figure, 5.5 in wide. With the paper's twelve environments and three methods in each panel it is
// about as high as wide.
func (f Fig1) Figure() (*Figure, error) {
	l := fig1{Fig1: f, looks: kinds{}}
	var names legend
	for _, rows := range f.Environments[0].Rows {
		l.methods = max(l.methods, float64(len(rows)))
		for _, r := range rows {
			if look, isNew := l.looks.look(r.Method, fig1Looks); isNew {
				names.add(r.Method+l.runs(r.Method), scatter(look.mark(2.1)))
			}
		}
	}
	l.place()
	filled := look{grey, nil, vgdraw.CircleGlyph{}}
	names.add("one run", scatter(runMark(filled)))
	names.add("mean ± 1 std. dev.", line(filled.line()), scatter(filled.mark(2.1)))
	var plots []*plot.Plot
	for i := range f.Panels {
		plots = append(plots, l.panel(i))
	}
	if l.open {
		names.add("open: "+cmp.Or(f.Open, "mean of the authors' logged runs"), scatter(openMark))
	}
	if f.Environments[0].Spectrum != nil {
		plots = append(plots, l.spectra())
	}
	for i, p := range plots {
		if p.Y.Min, p.Y.Max = 0, l.top; i > 0 {
			p.HideY()
		}
		for _, y := range l.middles { // a line below each environment
			y -= (l.methods + fig1Gap) / 2
			p.Add(line(vgdraw.LineStyle{Color: ruleInk, Width: hairline},
				plotter.XY{X: p.X.Min, Y: y}, plotter.XY{X: p.X.Max, Y: y}))
		}
	}
	const axes = 54
	return framed(f.Note, names, vg.Length(l.top)*fig1Row+axes,
		func(c vgdraw.Canvas) { tile(c, len(plots), plots, false) }), nil
}

// place sets the places of the environments, upwards, with a title above the first of each group.
func (l *fig1) place() {
	l.middles = make([]float64, len(l.Environments))
	for i, e := range slices.Backward(l.Environments) {
		l.middles[i] = l.top + (l.methods+fig1Gap)/2
		l.names = append(l.names, plot.Tick{Value: l.middles[i], Label: e.Name})
		l.top += l.methods + fig1Gap
		if e.Group != "" && (i == 0 || l.Environments[i-1].Group != e.Group) {
			l.names = append(l.names, plot.Tick{Value: l.top + fig1Title/2, Label: e.Group})
			l.top += fig1Title
		}
	}
}

// runs formats the numbers of runs of a method in the panels that have it, from left to right: ", 1–3 and 4 runs".
func (l fig1) runs(method string) string {
	var all []string
	for i := range l.Panels {
		least, most := math.MaxInt, -1
		for _, e := range l.Environments {
			for _, r := range e.Rows[i] {
				if n := len(r.Runs) + r.Diverged; r.Method == method {
					least, most = min(least, n), max(most, n)
				}
			}
		}
		if most > least {
			all = append(all, fmt.Sprintf("%d–%d", least, most))
		} else if most == least {
			all = append(all, fmt.Sprint(most))
		}
	}
	if len(all) == 1 && all[0] == "1" {
		return ", 1 run"
	}
	return ", " + strings.Join(all, " and ") + " runs"
}

// panel draws the rows of a protocol: references, intervals of ±1 sample standard deviation, runs and means.
func (l *fig1) panel(panel int) *plot.Plot {
	p := newPlot(l.Panels[panel], "1 − cosine\n(cosine below)", "")
	p.Y.LineStyle.Width, p.Y.Tick.Length, p.Y.Padding = 0, 0, 4
	p.X.Label.TextStyle.Font.Size = smallSize
	p.Y.Tick.Marker = l.names
	p.X.Min, p.X.Max, p.X.Scale = leastGap, 1.3, plot.LogScale{}
	p.X.Tick.Marker = plot.ConstantTicks{{Value: 1e-4}, {Value: 1e-3, Label: ".001\n.999"},
		{Value: 0.01, Label: ".01\n.99"}, {Value: 0.1, Label: ".1\n.9"}, {Value: 1, Label: "1\n0"}}
	p.Add(grid(true))
	for i, e := range l.Environments {
		for j, r := range e.Rows[panel] {
			l.open = l.open || r.Reference != nil
			r.addTo(p, l.middles[i]+(l.methods-1)/2-float64(j), l.looks[r.Method])
		}
	}
	return p
}

// gap returns 1 less a cosine on the axis of a panel.
func gap(cosine float64) float64 { return min(max(1-cosine, leastGap), 1) }

func (r Fig1Row) addTo(p *plot.Plot, y float64, l look) {
	if len(r.Runs) > 1 {
		runs := scatter(runMark(l))
		for k, run := range r.Runs {
			runs.XYs = append(runs.XYs, plotter.XY{X: gap(run), Y: y + float64(1-2*(k%2))*runRise})
		}
		p.Add(runs)
	}
	if r.Reference != nil {
		p.Add(scatter(openMark, plotter.XY{X: gap(*r.Reference), Y: y}))
	}
	switch mean, std := stat.MeanStdDev(r.Runs, nil); {
	case len(r.Runs) > 0:
		if len(r.Runs) == 1 {
			std = 0
		}
		addResult(p, y, l, gap(mean), gap(mean+std), gap(mean-std))
	case r.Diverged > 0:
		p.Add(words(aligned(smallSize, grey, text.XCenter, middle), 0.01, y, "diverged"))
	default:
		p.Add(words(aligned(smallSize, grey, text.XCenter, middle), 0.01, y, "not run"))
	}
}

func runMark(l look) vgdraw.GlyphStyle {
	return vgdraw.GlyphStyle{Color: tint(l.color, 0.5), Radius: 0.9, Shape: vgdraw.CircleGlyph{}}
}

// spectra plots the eigenvalues of each environment on a logarithmic axis, one below the other, so that equal ones do
// not overlap. Zeros (one for each connected part of the environment) are at the left end, without a line.
func (l fig1) spectra() *plot.Plot {
	p := newPlot("spectrum of I − P", "eigenvalue", "")
	p.X.Label.TextStyle.Font.Size = smallSize
	p.X.Min, p.X.Max, p.X.Scale = zero/2, 2, plot.LogScale{}
	p.X.Tick.Marker = plot.ConstantTicks(append(logTicks(3)(10*zero, 1), plot.Tick{Value: zero, Label: "0"}))
	p.Add(grid(true))
	for i, e := range l.Environments {
		joined, marks := line(vgdraw.LineStyle{Color: grey, Width: hairline}),
			scatter(vgdraw.GlyphStyle{Color: grey, Radius: 0.9, Shape: vgdraw.CircleGlyph{}})
		step := l.methods / float64(len(e.Spectrum))
		at := plotter.XY{Y: l.middles[i] + (l.methods-step)/2}
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
