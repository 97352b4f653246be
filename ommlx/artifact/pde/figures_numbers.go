package pde

import (
	"fmt"
	"math"
	"slices"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/report/draw"
)

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
	axis  string // along the horizontal axis
	of    func(Run) []float64
}

var metrics = []metric{
	{"relative error of the energy", "relative error of the energy", "mode",
		func(r Run) []float64 { return r.Errors }},
	{"angle distance", "angle distance (radians)", "mode", func(r Run) []float64 { return r.Angles }},
	{"subspace distance", "subspace distance", "eigenspace", func(r Run) []float64 { return r.Subspaces }},
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
		short := *r
		short.Picture = nil
		n.Results[i], most = &short, max(most, len(r.Runs))
	}
	if most > 1 {
		n.Note += " Bands are ± 1 standard deviation over the runs."
	}
	return &n, nil
}

// Figure draws mean and standard deviation over the runs that did not diverge. It returns an error if all runs of a
// method diverged.
func (n *Numbers) Figure() (*draw.Figure, error) {
	row, err := n.row(false)
	if err != nil {
		return nil, err
	}
	return row.Figure()
}

// Logarithmic returns the means of Figure on logarithmic axes, without bands. Relative errors have no unit, angles are
// in radians. It returns an error if all runs of a method diverged.
func (n *Numbers) Logarithmic() (draw.CurvesRow, error) { return n.row(true) }

// row has a plot for each metric, in which each method has a series; a single run has no band.
func (n *Numbers) row(logarithmic bool) (draw.CurvesRow, error) {
	row := draw.CurvesRow{Note: report.Stamp(n.Note)}
	for _, m := range metrics {
		plot := draw.Curves{Title: m.title, XLabel: m.axis, LogY: logarithmic}
		for _, r := range n.Results {
			series, spreads := draw.Series{Name: MethodName(r.Config.Method)}, perMode(r, m.of)
			if spreads == nil {
				return row, fmt.Errorf("%s: all runs diverged", r.Config.Label())
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
