package rl

import (
	"slices"

	"github.com/gomlx/gomlx/support/xslices"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/say"
)

// Curves is the figure of the learning curves of figure 1's runs by the authors' settings, and of the authors' runs.
func Curves() report.Exhibit {
	return exhibit(report.Exhibit{Kind: report.Figure, Name: "fig_learning_curves", ShortName: "curves",
		Description: "average cosine similarity of figure 1's runs after each number of steps, with the authors' " +
			"logged runs",
		Caption: "Whether a line ends flat, and how far it is from the dashed one of the same colour."},
		fig1Runs, planCurves, drawCurves)
}

// planCurves returns figure 1's rows by the authors' settings.
func planCurves(p run.Profile) []row {
	return slices.DeleteFunc(planFig1(p), func(r row) bool { return r.protocol != PublicProtocol })
}

func drawCurves(rows []row, head report.Head) (report.Content, error) {
	data := CurvesData{Head: head}
	data.Paper = "Not in the paper, which prints no learning curves. The curves are of the runs of figure 1."
	data.Note = report.Prose(data.Note, dataText, fig1Text,
		"Lines are means over runs, bands ± one sample standard deviation.")
	for _, rows := range byEnvironment(rows) {
		e := rows[0].experiment
		env := CurvesEnvironment{Name: e.Environment, Steps: e.Train.Steps}
		for _, r := range rows {
			env.Curves = append(env.Curves, newCurve(r))
		}
		data.Environments = append(data.Environments, env)
	}
	return report.Content{Data: data, Drawing: data.drawing()}, nil
}

// CurvesData is figures/fig_learning_curves.json: every number in the figure.
type CurvesData struct {
	report.Head
	Environments []CurvesEnvironment `json:"environments"`
}

// CurvesEnvironment is one panel.
type CurvesEnvironment struct {
	Name   string  `json:"name"`
	Steps  int     `json:"steps"`  // of a run as planned
	Curves []Curve `json:"curves"` // in figure 1's order
}

// Curve is the mean over the runs of a method in an environment that did not diverge.
type Curve struct {
	Method   string       `json:"method"`
	Runs     int          `json:"runs"` // runs that did not diverge
	Diverged int          `json:"diverged,omitempty"`
	Points   []CurvePoint `json:"points"`
	Blank    string       `json:"blank,omitempty"`  // why there are no points
	Theirs   []CurvePoint `json:"theirs,omitempty"` // the authors' logged runs if known; see [PublicRuns]
}

// CurvePoint is one evaluation of all runs.
type CurvePoint struct {
	Step int      `json:"step"`
	Mean float64  `json:"mean"`          // average cosine similarity, in [0, 1]
	Std  *float64 `json:"std,omitempty"` // sample standard deviation; nil for a single run
}

// newCurve averages the history of a row's result over the runs that did not diverge. It omits points where one of them
// has no number, because the mean would jump where a run ends.
func newCurve(of row) Curve {
	c := Curve{Method: of.label, Points: []CurvePoint{}, Runs: len(of.result.Finished()), Diverged: diverged(of.result)}
	if t := of.experiment.publicRuns(); t != nil {
		for i, mean := range t.Curve {
			c.Theirs = append(c.Theirs, CurvePoint{Step: max(1, i*4_000), Mean: mean})
		}
	}
	if of.result == nil {
		c.Blank = "not run yet"
		return c
	}
	if c.Runs == 0 {
		c.Blank = "diverged"
	}
	for _, at := range of.result.History {
		var values []float64
		for i, run := range of.result.Runs {
			if run.Diverged == 0 {
				values = append(values, at.Value[i])
			}
		}
		if mean, std := report.SpreadOf(values).Numbers(); mean != nil {
			c.Points = append(c.Points, CurvePoint{at.Step, *mean, std})
		}
	}
	return c
}

// drawing returns a panel for each environment, with the authors' curves dashed. A title lists the methods without a
// curve.
func (d CurvesData) drawing() draw.CurvesRow {
	f := draw.CurvesRow{Columns: 3, Dashed: "dashed: the authors' logged runs", Note: report.Stamp(d.Note)}
	for i, env := range d.Environments {
		p := draw.Curves{Title: env.Name, YMax: 1}
		var theirs []draw.Series
		for j, c := range env.Curves {
			counts := xslices.Map(d.Environments, func(e CurvesEnvironment) int {
				return e.Curves[j].Runs + e.Curves[j].Diverged
			})
			name := c.Method + ", " + say.Runs(counts) + " each"
			if c.Blank != "" {
				p.Title += "\n" + c.Method + " " + c.Blank
			} else {
				p.Series = append(p.Series, series(name, c.Points))
			}
			if c.Theirs != nil {
				theirs = append(theirs, series(name, c.Theirs))
				theirs[len(theirs)-1].Dashed = true
			}
		}
		p.Series = append(p.Series, theirs...)
		if i%f.Columns == 0 {
			p.YLabel = "cosine similarity"
		}
		if i >= len(d.Environments)-f.Columns {
			p.XLabel = "thousand steps"
		}
		f.Plots = append(f.Plots, p)
	}
	return f
}

func series(name string, points []CurvePoint) draw.Series {
	s := draw.Series{Name: name}
	for _, at := range points {
		s.Add(float64(at.Step)/1000, at.Mean)
		if at.Std != nil {
			s.Band = append(s.Band, *at.Std)
		}
	}
	return s
}
