package pde

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/artifact/draw"
	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/schrodinger"
	"operator-omm/ommlx/spectral"
)

// Pictures is the JSON of a figure of learned eigenfunctions: figures 2, 5 and 7 of the paper. Results have the
// functions that are drawn.
type Pictures struct{ Numbers }

// picturedModes is how many modes a picture shows at the most, as figures 5 and 7 of the paper do.
const picturedModes = 15

func newPictures(n Numbers) (draw.Drawing, error) {
	p := Pictures{n}
	p.Note += " The first run; functions above each other have one scale."
	p.Results = nil
	for _, r := range n.Results {
		if len(r.Picture) == 0 {
			return nil, fmt.Errorf("%s: the run with seed %d, whose functions the figure shows, is not there; train it",
				r.Config.Label(), picturedSeed)
		}
		_, spectrum, err := r.Config.lowest(r.Config.K)
		if err != nil {
			return nil, err
		}
		short := *r
		for _, space := range spectrum.Spaces { // of which a part cannot be aligned
			if space.End >= picturedModes {
				short.Picture = r.Picture[:min(space.End, len(r.Picture))]
				break
			}
		}
		p.Results = append(p.Results, &short)
	}
	return &p, nil
}

// aligned returns the functions of the picture, rotated within eigenspaces onto the truth, and the truth.
func aligned(r *Result) (learned, truth [][]float64, err error) {
	k := len(r.Picture)
	known, spectrum, err := r.Config.lowest(k)
	if err != nil {
		return nil, nil, err
	}
	q, err := schrodinger.Grid(2, pictureSide, known.region(r.Config.K))
	if err != nil {
		return nil, nil, err
	}
	exact, err := spectrum.OnPoints(q.Points)
	if err != nil {
		return nil, nil, err
	}
	functions := mat.NewDense(len(q.Weights), k, nil)
	for i, values := range r.Picture {
		functions.SetCol(i, values)
	}
	rotated, target, err := spectral.Align(exact, functions, q.Weights, spectrum.Spaces)
	if err != nil {
		return nil, nil, err
	}
	for i := range k {
		learned = append(learned, digits(mat.Col(nil, i, rotated)))
		truth = append(truth, digits(mat.Col(nil, i, target)))
	}
	return learned, truth, nil
}

// Figure draws the first modes: of one method as learned and aligned, of several aligned, and exact.
func (p *Pictures) Figure() (*draw.Figure, error) {
	modes := min(picturedModes, len(p.Results[0].Picture))
	rows := draw.Panels{Note: report.Stamp(p.Note)}
	var exact [][]float64
	for _, r := range p.Results {
		learned, truth, err := aligned(r)
		if err != nil {
			return nil, err
		}
		exact = truth
		name := MethodName(r.Config.Method)
		if len(p.Results) == 1 {
			rows.Rows = append(rows.Rows, draw.PanelRow{Label: name + ", as learned", Maps: r.Picture[:modes]})
		}
		rows.Rows = append(rows.Rows,
			draw.PanelRow{Label: name + ", aligned within eigenspaces", Maps: learned[:modes]})
	}
	rows.Rows = append(rows.Rows, draw.PanelRow{Label: "exact", Maps: exact[:modes]})
	for i := range modes {
		rows.Rows[0].Titles = append(rows.Rows[0].Titles, strconv.Itoa(i+1))
	}
	return rows.Figure()
}

// Numbers is the JSON of a figure of errors per mode: figures 4, 6 and 8 of the paper.
type Numbers struct {
	report.FigureHead
	Exact   []float64 `json:"exact_energies,omitempty"`
	Results []*Result `json:"results"` // without the pictures
}

// metric is one of the errors that figures 4, 6 and 8 show.
type metric struct {
	name  string // in a sentence
	title string // over a plot
	axis  string // what is counted along it
	of    func(Run) []float64
}

func metrics() []metric {
	return []metric{
		{"relative error of the energy", "relative error of the energy", "mode",
			func(r Run) []float64 { return r.Errors }},
		{"angle distance", "angle distance (radians)", "mode", func(r Run) []float64 { return r.Angles }},
		{"subspace distance", "subspace distance", "eigenspace", func(r Run) []float64 { return r.Subspaces }},
	}
}

func newNumbers(n Numbers) (draw.Drawing, error) {
	config := n.Results[0].Config
	_, lowest, err := config.lowest(config.K)
	if err != nil {
		return nil, err
	}
	n.Exact = lowest.Energies()
	n.Results = slices.Clone(n.Results)
	most := 0
	for i, r := range n.Results {
		n.Results[i], most = withoutPicture(r), max(most, len(r.Runs))
	}
	n.Note += lab.If(most > 1, " Bands are ± 1 standard deviation over the runs.")
	return &n, nil
}

// Figure draws mean and standard deviation over the runs that did not diverge; it is an error if all of a method's did.
func (n *Numbers) Figure() (*draw.Figure, error) {
	row, err := n.row(false)
	if err != nil {
		return nil, err
	}
	return row.Figure()
}

// Logarithmic is what Figure draws on logarithmic axes, which tell small errors apart: means, without bands. Relative
// errors have no unit, angles are in radians. It is an error if all of a method's runs diverged.
func (n *Numbers) Logarithmic() (draw.CurvesRow, error) { return n.row(true) }

// row has a plot for each metric, in which each method has a series; a single run has no band.
func (n *Numbers) row(logarithmic bool) (draw.CurvesRow, error) {
	row := draw.CurvesRow{Note: report.Stamp(n.Note)}
	for _, m := range metrics() {
		plot := draw.Curves{Title: m.title, XLabel: m.axis, LogY: logarithmic}
		for _, r := range n.Results {
			series, spreads := draw.Series{Name: MethodName(r.Config.Method)}, perMode(r, m.of)
			if spreads == nil {
				return row, fmt.Errorf("every run of %s diverged; there is nothing to draw", r.Config.Label())
			}
			for i, s := range spreads {
				if series.Add(float64(i+1), s.Mean); logarithmic {
					continue
				}
				top := s.Mean
				if !math.IsNaN(s.Std) {
					series.Band, top = append(series.Band, s.Std), s.Mean+s.Std
				}
				plot.YMax = max(plot.YMax, 1.05*top)
			}
			plot.Series = append(plot.Series, series)
		}
		row.Plots = append(row.Plots, plot)
	}
	return row, nil
}
