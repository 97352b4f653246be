package pde

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"operator-omm/ommlx/artifact/draw"
	"operator-omm/ommlx/artifact/report"
)

// Numbers is the JSON of a figure of errors per mode: figures 4, 6 and 8 of the paper.
type Numbers struct {
	Name       string        `json:"figure"`
	Paper      string        `json:"paper"`
	Note       string        `json:"note"`
	Provenance report.Origin `json:"provenance"`
	Exact      []float64     `json:"exact_energies,omitempty"`
	Results    []*Result     `json:"results"` // without the pictures
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

func newNumbers(n Numbers) (*Numbers, error) {
	config := n.Results[0].Config
	known, err := config.system()
	if err != nil {
		return nil, err
	}
	lowest, err := known.Lowest(config.K)
	if err != nil {
		return nil, err
	}
	n.Exact = lowest.Energies()
	n.Note += " Bands are ± 1 standard deviation over the runs."
	n.Results = slices.Clone(n.Results)
	for i, r := range n.Results {
		n.Results[i] = withoutPicture(r)
	}
	return &n, nil
}

// Figure draws mean and standard deviation over the runs that did not diverge; it is an error if all of a method's did.
func (n *Numbers) Figure() (*draw.Figure, error) {
	row, err := n.row(n.Note, false)
	if err != nil {
		return nil, err
	}
	for i := range row.Plots {
		plot := &row.Plots[i]
		for _, series := range plot.Series {
			for i, y := range series.Y {
				if series.Band != nil {
					y += series.Band[i]
				}
				plot.YMax = max(plot.YMax, 1.05*y)
			}
		}
	}
	return row.Figure()
}

// Logarithmic is what Figure draws on logarithmic axes, which tell small errors apart: means, without bands. Relative
// errors have no unit, angles are in radians. It is an error if all of a method's runs diverged.
func (n *Numbers) Logarithmic() (draw.CurvesRow, error) {
	note, _, _ := strings.Cut(n.Note, " Bands are")
	row, err := n.row(note+" Means over the runs.", true)
	for _, plot := range row.Plots {
		for i := range plot.Series {
			plot.Series[i].Band = nil
		}
	}
	return row, err
}

// row has a plot for each metric, in which each method has a series.
func (n *Numbers) row(note string, logarithmic bool) (draw.CurvesRow, error) {
	row := draw.CurvesRow{Note: note}
	for _, m := range metrics() {
		plot := draw.Curves{Title: m.title, XLabel: m.axis, LogY: logarithmic}
		for _, result := range n.Results {
			series, err := seriesOf(result, m.of)
			if err != nil {
				return draw.CurvesRow{}, err
			}
			plot.Series = append(plot.Series, series)
		}
		row.Plots = append(row.Plots, plot)
	}
	return row, nil
}

// seriesOf is the series of one result; a single run has no band.
func seriesOf(r *Result, of func(Run) []float64) (draw.Series, error) {
	series := draw.Series{Name: MethodName(r.Config.Method)}
	spreads := perMode(r, of)
	if spreads == nil {
		return series, fmt.Errorf("every run of %s diverged; there is nothing to draw", r.Config.Label())
	}
	for i, s := range spreads {
		if math.IsNaN(s.Mean) || math.IsInf(s.Mean, 0) {
			return series, fmt.Errorf("mode %d of %s has a value that is not finite", i+1, r.Config.Label())
		}
		series.Add(float64(i+1), s.Mean)
		if !math.IsNaN(s.Std) {
			series.Band = append(series.Band, s.Std)
		}
	}
	return series, nil
}
