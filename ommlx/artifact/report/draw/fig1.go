package draw

import (
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// Fig1 is figure 1 of the paper (section 3.1): a block of rows for each environment and in it a row for each method,
// with its average cosine similarity. The smallest eigenvalues of each environment's Laplacian I − P stand on the
// right, where they are given.
type Fig1 struct {
	Note         string            // printed under the figure: the profile and how it differs from the paper's protocol
	Open         string            // what the legend calls an open mark; "": a mean of the authors' logged runs
	Panels       []string          // titles of the panels of rows, one or two
	Environments []Fig1Environment // in drawing order, from the top
}

// Fig1Environment is one environment of figure 1.
type Fig1Environment struct {
	Name     string
	Hard     bool        // one of the paper's hard instances; marked with x
	Spectrum []float64   // the smallest eigenvalues of I − P, ascending; the first is 0
	Rows     [][]Fig1Row // for each panel the same methods in the same order; a panel may lack the last ones
}

// Fig1Row is the result of one method on one environment by one protocol.
type Fig1Row struct {
	Method    string
	Runs      []float64 // average cosine similarity of each run that finished, in [0, 1]
	Reference *float64  // mean of other people's runs by the same protocol, drawn open; nil: none known
	Diverged  int       // runs that diverged; they are not among Runs
	Beyond    bool      // goes beyond the paper: drawn on a ground of its own
}

// The y axis of figure 1 has the unit of a point, so that marks of a row stand beside each other as they should.
const (
	rowHeight  = 7.8
	blockApart = 5.0  // between the rows of two environments
	blockLeast = 20.0 // the least height of an environment's rows: room for its name and a remark
)

// fig1Layout knows where everything of figure 1 stands.
type fig1Layout struct {
	Fig1
	methods []Fig1Row   // the rows of the first environment in the panel with the most methods
	styles  []lineStyle // of the methods
	low     float64     // where the axes of similarity begin
	block   float64     // height of an environment
}

func newFig1Layout(f Fig1) fig1Layout {
	l := fig1Layout{Fig1: f, low: f.low(), methods: slices.MaxFunc(f.Environments[0].Rows,
		func(a, b []Fig1Row) int { return len(a) - len(b) })}
	paper, beyond := paperStyles, beyondStyles
	for _, r := range l.methods {
		from := &paper
		if r.Beyond {
			from = &beyond
		}
		l.styles, *from = append(l.styles, (*from)[0]), (*from)[1:]
	}
	l.block = blockApart + max(blockLeast, float64(len(l.styles))*rowHeight)
	return l
}

// Figure lays the figure out: 5.5 in wide, and for the paper's twelve environments and four methods about 7.5 in high.
func (f Fig1) Figure() (*Figure, error) {
	l := newFig1Layout(f)
	var plots []*plot.Plot
	for panel := range f.Panels {
		plots = append(plots, l.panel(panel))
	}
	if f.Environments[0].Spectrum != nil {
		plots = append(plots, l.spectra())
	}
	titles := 1
	for i, p := range plots {
		if p.Y.Min, p.Y.Max = 0, l.top(); i > 0 {
			p.HideY()
		}
		title := append(f.Panels[:len(f.Panels):len(f.Panels)], "spectrum of I – P")[i]
		lines := wrap(title, textStyle(labelSize, ink), pageWidth/vg.Length(len(plots))-24)
		titles = max(titles, len(lines))
		p.Title.Text = strings.Join(lines, "\n")
	}
	const axes = 32
	height := vg.Length(l.top()) + vg.Length(titles)*(labelSize+2) + axes
	return tiled(f.Note, l.keys(), len(plots), height, plots), nil
}

// top is the upper edge of the first environment, above the lower one of the last.
func (l fig1Layout) top() float64 { return float64(len(l.Environments)) * l.block }

// y is the middle of the row of method j on environment i.
func (l fig1Layout) y(i, j int) float64 {
	return l.top() - (float64(i)+0.5)*l.block + (float64(len(l.styles)-1)/2-float64(j))*rowHeight
}

// low is where the axes of similarity begin: the highest multiple of a fifth, at most 0.8, that no number is below.
func (f Fig1) low() float64 {
	numbers := []float64{0.8}
	for _, r := range f.rows() {
		numbers = append(numbers, r.Runs...)
		if len(r.Runs) > 1 {
			mean, std := stat.MeanStdDev(r.Runs, nil)
			numbers = append(numbers, mean-std)
		}
		if r.Reference != nil {
			numbers = append(numbers, *r.Reference)
		}
	}
	return max(0, math.Floor(slices.Min(numbers)*5)/5)
}

func (e Fig1Environment) label() string {
	remark := ""
	if e.Hard {
		remark = "× hard "
	}
	return strings.TrimSpace(e.Name + "\n" + remark)
}

func (f Fig1) rows() (all []Fig1Row) {
	for _, e := range f.Environments {
		all = append(all, slices.Concat(e.Rows...)...)
	}
	return all
}
