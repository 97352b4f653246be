package rl

import (
	"fmt"
	"slices"
	"strings"

	"operator-omm/ommlx/artifact/report"
)

// CurvesData is figures/fig_learning_curves.json: every number that it draws.
type CurvesData struct {
	Figure       string              `json:"figure"`
	Paper        string              `json:"paper"`
	Note         string              `json:"note"`
	Provenance   report.Origin       `json:"provenance"`
	Environments []CurvesEnvironment `json:"environments"`
}

// CurvesEnvironment is one panel.
type CurvesEnvironment struct {
	Name      string  `json:"name"`
	Generated bool    `json:"generated"` // our own maze in the place of the official one
	Steps     int     `json:"steps"`     // of a run as planned
	Curves    []Curve `json:"curves"`    // in figure 1's order
}

// Curve is a method in an environment: the mean over its runs that did not diverge.
type Curve struct {
	Method   string       `json:"method"`
	Runs     int          `json:"runs"` // that did not diverge
	Diverged int          `json:"diverged,omitempty"`
	Points   []CurvePoint `json:"points"`
	// Blank says why there are no points; "" where there are some.
	Blank string `json:"blank,omitempty"`
	// Theirs is the mean over the public code's own runs, see [Theirs]; nil where none are known.
	Theirs []CurvePoint `json:"theirs,omitempty"`
}

// Why a curve has no points.
const (
	notRunYet = "not run yet"
	leftOut   = "not in this profile"
	allLost   = "diverged"
	noHistory = "without a history"
)

// CurvePoint is one evaluation of all runs.
type CurvePoint struct {
	Step int      `json:"step"`
	Mean float64  `json:"mean"`          // average cosine similarity, in [0, 1]
	Std  *float64 `json:"std,omitempty"` // sample standard deviation; nil for a single run
}

// newCurvesData takes the results of rows, of all methods in each environment; nil where there is none.
func newCurvesData(bars []fig1Bar, results []*Result) (d CurvesData) {
	for i, b := range bars {
		name := b.experiment.Environment
		if last := len(d.Environments) - 1; last < 0 || d.Environments[last].Name != name {
			d.Environments = append(d.Environments, CurvesEnvironment{Name: name, Generated: b.experiment.Generated,
				Steps: b.experiment.Train.Steps})
		}
		env := &d.Environments[len(d.Environments)-1]
		c := newCurve(b, results[i])
		if t, ok := b.experiment.theirs(); ok {
			c.Theirs = t.points()
		}
		env.Curves = append(env.Curves, c)
	}
	return d
}

func (e CurvesEnvironment) curve(method string) Curve {
	return e.Curves[slices.IndexFunc(e.Curves, func(c Curve) bool { return c.Method == method })]
}

// diverged is the sentence that counts the runs that diverged; "" without any.
func (d CurvesData) diverged() string {
	var list []string
	for _, env := range d.Environments {
		for _, c := range env.Curves {
			if c.Diverged > 0 {
				list = append(list, fmt.Sprintf("%s on %s %d of %d", c.Method, env.Name, c.Diverged, c.Runs+c.Diverged))
			}
		}
	}
	if len(list) == 0 {
		return ""
	}
	return " Diverged runs, left out: " + strings.Join(list, "; ") + "."
}

// newCurve averages the history of a result over the runs that did not diverge. A point needs a number of each of them:
// a mean over fewer runs would jump where one ends.
func newCurve(b fig1Bar, r *Result) Curve {
	c := Curve{Method: b.label, Points: []CurvePoint{}}
	if !b.run {
		c.Blank = leftOut
		return c
	}
	if r == nil {
		c.Blank = notRunYet
		return c
	}
	c.Runs = len(r.finished())
	c.Diverged = len(r.Runs) - c.Runs
	for _, at := range r.History {
		var values []float64
		for i, run := range r.Runs {
			if run.Diverged == 0 && i < len(at.Value) {
				values = append(values, at.Value[i])
			}
		}
		mean, std := report.SpreadOf(values).Numbers()
		if mean == nil || len(values) < c.Runs {
			continue
		}
		c.Points = append(c.Points, CurvePoint{at.Step, *mean, std})
	}
	switch {
	case c.Runs == 0:
		c.Blank = allLost
	case len(c.Points) == 0:
		c.Blank = noHistory
	}
	return c
}
