package pde

import (
	"fmt"
	"math"

	"operator-omm/ommlx/artifact/draw"
	"operator-omm/ommlx/artifact/report"
)

// Numbers is the JSON of a figure of errors per mode: figures 4, 6 and 8 of the paper.
type Numbers struct {
	Name       string        `json:"figure"`
	Paper      string        `json:"paper"`
	Note       string        `json:"note"`
	Provenance report.Origin `json:"provenance"`
	Exact      []float64     `json:"exact_energies"`
	Results    []*Result     `json:"results"`
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

func newNumbers(name string, s shown) (*Numbers, error) {
	config := s.results[0].Config
	known, err := config.system()
	if err != nil {
		return nil, err
	}
	lowest, err := known.Lowest(config.K)
	if err != nil {
		return nil, err
	}
	return &Numbers{Name: name, Paper: s.paper, Note: s.note + " Bands are ± 1 standard deviation over the runs.",
		Provenance: s.origin, Exact: lowest.Energies(), Results: s.results}, nil
}

// Figure draws mean and standard deviation over the runs that did not diverge; it is an error if all of a method's did.
func (n *Numbers) Figure() (*draw.Figure, error) {
	row := draw.CurvesRow{Note: n.Note}
	for _, m := range metrics() {
		plot := draw.Curves{Title: m.title, XLabel: m.axis}
		for _, result := range n.Results {
			series, err := perMode(result, m.of)
			if err != nil {
				return nil, err
			}
			plot.Series = append(plot.Series, series)
			for i, y := range series.Y {
				if series.Band != nil {
					y += series.Band[i]
				}
				plot.YMax = max(plot.YMax, 1.05*y)
			}
		}
		row.Plots = append(row.Plots, plot)
	}
	return row.Figure()
}

// perMode is the series of one result; a single run has no band.
func perMode(r *Result, of func(Run) []float64) (draw.Series, error) {
	series := draw.Series{Name: MethodName(r.Config.Method)}
	runs := r.finished()
	if len(runs) == 0 {
		return series, fmt.Errorf("every run of %s diverged; there is nothing to draw", r.Config.Label())
	}
	for i := range of(runs[0]) {
		values := make([]float64, len(runs))
		for r, run := range runs {
			values[r] = of(run)[i]
		}
		s := report.SpreadOf(values)
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
