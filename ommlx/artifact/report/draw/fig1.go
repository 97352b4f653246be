package draw

import (
	"cmp"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"

	"omm-go/ommlx/internal/say"
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
	Group    string      // title above the first environment of a group
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
	leastGap  = 5e-5           // least left end of the axis of 1 − cosine; smaller values are drawn there
)

// Figure lays out the figure, 5.5 in wide. With the paper's twelve environments and three methods in each panel it is
// about as high as wide.
func (f Fig1) Figure() (*Figure, error) {
	middles, names, top := f.places()
	low := f.low()
	panel := Curves{XLabel: "1 − cosine\n(cosine below)", LogX: true, xMin: low, xMax: 1.3, YMax: top, rows: names,
		xTicks: decades(low)}
	for _, middle := range middles {
		panel.rules = append(panel.rules, middle-f.height()/2)
	}
	out := CurvesRow{layout: page{height: vg.Length(top)*fig1Row + 54, even: true},
		Note: f.Note + " Bars: mean ± 1 sample standard deviation. Small dots: single runs."}
	black := false
	for i, title := range f.Panels {
		p := panel
		p.Title = title
		theirs := Series{Name: "open: " + cmp.Or(f.Open, "mean of the authors' logged runs"), Marks: true,
			style: &openMark}
		lost := Series{Name: "diverged or not run", Marks: true,
			style: &vgdraw.GlyphStyle{Color: grey, Radius: markSize, Shape: vgdraw.CrossGlyph{}}}
		for j, first := range f.Environments[0].Rows[i] {
			ours := Series{Name: f.counted(first.Method), Marks: true}
			runs, wide := Series{Marks: true, style: dot(tint(grey, 0.6))}, Series{Marks: true, style: dot(ink)}
			for e, middle := range middles {
				rows := f.Environments[e].Rows[i]
				rows[j].addTo(&ours, &runs, &wide, &theirs, &lost, low, middle+float64(len(rows)-1)/2-float64(j))
			}
			black = black || wide.X != nil
			p.Series = append(p.Series, ours, runs, wide)
		}
		p.Series = slices.DeleteFunc(append(p.Series, theirs, lost), func(s Series) bool { return s.X == nil })
		out.Plots, panel.rows = append(out.Plots, p), plot.ConstantTicks{}
	}
	if black {
		out.Note += " Where the bar would pass the left end there is none, and the dots are black."
	}
	if f.Environments[0].Spectrum != nil {
		panel.Title, panel.XLabel, panel.xMin, panel.xMax = "spectrum of I − P", "eigenvalue", zero/2, 2
		panel.xTicks = plot.ConstantTicks{{Value: -6, Label: "0"}, {Value: -4, Label: "10⁻⁴"}, {Value: -3},
			{Value: -2, Label: "10⁻²"}, {Value: -1}, {Value: 0, Label: "10⁰"}}
		panel.Series = []Series{f.spectra(middles)}
		out.Plots = append(out.Plots, panel)
	}
	return out.Figure()
}

func dot(c color.Color) *vgdraw.GlyphStyle {
	return &vgdraw.GlyphStyle{Color: c, Radius: 0.9, Shape: vgdraw.CircleGlyph{}}
}

// height returns the height of an environment, in rows.
func (f Fig1) height() float64 {
	rows := xslices.Map(f.Environments[0].Rows, func(rows []Fig1Row) int { return len(rows) })
	return float64(slices.Max(rows)) + fig1Gap
}

// counted returns a method with its smallest and largest number of runs over environments and panels.
func (f Fig1) counted(method string) string {
	var counts []int
	for _, e := range f.Environments {
		for _, r := range slices.Concat(e.Rows...) {
			if r.Method == method {
				counts = append(counts, len(r.Runs)+r.Diverged)
			}
		}
	}
	return method + ", " + say.Runs(counts)
}

// places returns the middles of the environments, upwards, their names with a title above the first of each group, and
// the upper end of the axis.
func (f Fig1) places() (middles []float64, names plot.ConstantTicks, top float64) {
	middles = make([]float64, len(f.Environments))
	for i, e := range slices.Backward(f.Environments) {
		middles[i] = top + f.height()/2
		names = append(names, plot.Tick{Value: middles[i], Label: e.Name})
		top += f.height()
		if i == 0 || f.Environments[i-1].Group != e.Group {
			names = append(names, plot.Tick{Value: top + fig1Title/2, Label: e.Group})
			top += fig1Title
		}
	}
	return middles, names, top
}

// low returns the left end of the axis of 1 − cosine: a little less than the smallest number, but at least leastGap.
func (f Fig1) low() float64 {
	least := 1.0
	for _, e := range f.Environments {
		for _, r := range slices.Concat(e.Rows...) {
			for _, cosine := range r.Runs {
				least = min(least, 1-cosine)
			}
			if r.Reference != nil {
				least = min(least, 1-*r.Reference)
			}
		}
	}
	return max(leastGap, 0.8*least)
}

// decades returns ticks at the powers of ten from low to 1, with the cosine below. It labels every second of many.
func decades(low float64) (all plot.ConstantTicks) {
	least := math.Ceil(math.Log10(low))
	for power := int(least); power <= 0; power++ {
		t := plot.Tick{Value: float64(power)}
		if power == 0 {
			t.Label = times("1", 0) + "\n0"
		} else if least > -4 || power%2 == 0 {
			t.Label = times("1", power) + "\n." + strings.Repeat("9", -power)
		}
		all = append(all, t)
	}
	return all
}

// addTo adds the row at height y. A row without a finished run is lost, in the middle of the axis. A row whose bar
// would pass the left end has none, and its runs are in wide.
func (r Fig1Row) addTo(ours, runs, wide, theirs, lost *Series, low, y float64) {
	gap := func(cosine float64) float64 { return min(max(1-cosine, low), 1) }
	if r.Reference != nil {
		theirs.Add(gap(*r.Reference), y)
	}
	if len(r.Runs) == 0 {
		lost.Add(math.Sqrt(low), y)
		return
	}
	mean, std := stat.MeanStdDev(r.Runs, nil)
	switch {
	case len(r.Runs) == 1:
		runs, std = &Series{}, 0 // without a dot
	case 1-mean-std < low:
		runs, std = wide, 0
	}
	for k, run := range r.Runs {
		runs.Add(gap(run), y+float64(1-2*(k%2))*runRise)
	}
	ours.Add(gap(mean), y)
	ours.ends = append(ours.ends, [2]float64{gap(mean + std), gap(mean - std)})
}

// spectra are the eigenvalues of each environment, one below the other, so that equal ones do not overlap. Zeros (one
// for each connected part of the environment) are at the left end.
func (f Fig1) spectra(middles []float64) Series {
	all := Series{Marks: true, style: dot(grey)}
	for i, e := range f.Environments {
		high := f.height() - fig1Gap
		step := high / float64(len(e.Spectrum))
		for j, x := range e.Spectrum {
			all.Add(max(x, zero), middles[i]+(high-step)/2-float64(j)*step)
		}
	}
	return all
}
