package rl

import (
	"slices"

	"operator-omm/ommlx/artifact/draw"
	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
)

// CurvesData is figures/fig_learning_curves.json: every number that its two pictures draw, and what follows from them.
type CurvesData struct {
	Figure       string              `json:"figure"`
	Paper        string              `json:"paper"`
	Note         string              `json:"note"`         // of the picture over steps
	SecondsNote  string              `json:"seconds_note"` // of that over seconds
	Provenance   report.Origin       `json:"provenance"`
	Timed        lab.Provenance      `json:"timed"` // of the seconds per step
	Records      []DuelRecord        `json:"records"`
	Environments []CurvesEnvironment `json:"environments"`
}

// CurvesEnvironment is one panel.
type CurvesEnvironment struct {
	Name      string  `json:"name"`
	Generated bool    `json:"generated"` // our own maze in the place of the official one
	Steps     int     `json:"steps"`     // of a run as planned
	Curves    []Curve `json:"curves"`    // in figure 1's order
	Duels     []Duel  `json:"duels"`     // of each two methods that were evaluated after the same steps
}

// Curve is a method in an environment: the mean over its runs that did not diverge.
type Curve struct {
	Method   string       `json:"method"`
	Runs     int          `json:"runs"` // that did not diverge
	Diverged int          `json:"diverged,omitempty"`
	Points   []CurvePoint `json:"points"`
	// Blank says why there are no points; "" where there are some.
	Blank string `json:"blank,omitempty"`
	// SecondsPerStep is the wall time of a step, see [StepTimes]; nil where it was not measured.
	SecondsPerStep *float64 `json:"seconds_per_step,omitempty"`
}

// Why a curve has no points.
const (
	notRunYet  = "not run yet"
	leftOut    = "not in this profile"
	allLost    = "diverged"
	noHistory  = "without a history"
	noDuration = "without a time" // has points, but no place on an axis of seconds: its step was not timed
)

// CurvePoint is one evaluation of all runs.
type CurvePoint struct {
	Step int      `json:"step"`          // times the seconds per step, its place in the picture over seconds
	Mean float64  `json:"mean"`          // average cosine similarity, in [0, 1]
	Std  *float64 `json:"std,omitempty"` // sample standard deviation; nil for a single run
}

// newCurvesData compares the results of bars, of all methods in each environment; nil where there is none.
func newCurvesData(bars []fig1Bar, results []*Result, times StepTimes) (d CurvesData) {
	d.Timed = times.Provenance
	for i, b := range bars {
		name := b.experiment.Environment
		if last := len(d.Environments) - 1; last < 0 || d.Environments[last].Name != name {
			d.Environments = append(d.Environments, CurvesEnvironment{Name: name, Generated: b.experiment.Generated,
				Steps: b.experiment.Train.Steps, Duels: []Duel{}})
		}
		env := &d.Environments[len(d.Environments)-1]
		c := newCurve(b, results[i])
		if seconds, ok := times.of(b.label, b.experiment); ok {
			c.SecondsPerStep = &seconds
		}
		env.Curves = append(env.Curves, c)
	}
	for _, names := range duels() {
		record := DuelRecord{First: names[0], Second: names[1]}
		for i := range d.Environments {
			env := &d.Environments[i]
			if duel, ok := newDuel(env.curve(names[0]), env.curve(names[1]), env.Steps); ok {
				env.Duels = append(env.Duels, duel)
				record.add(duel)
			}
		}
		d.Records = append(d.Records, record)
	}
	return d
}

func (e CurvesEnvironment) curve(method string) Curve {
	return e.Curves[slices.IndexFunc(e.Curves, func(c Curve) bool { return c.Method == method })]
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

// drawing is the picture over steps, or over seconds.
func (d CurvesData) drawing(seconds bool) draw.CurvesGrid {
	f := draw.CurvesGrid{XLabel: "optimiser steps", Note: d.Note}
	if seconds {
		f.XLabel, f.Note = "seconds of training", d.SecondsNote
	}
	for _, c := range d.Environments[0].Curves {
		f.Methods = append(f.Methods, c.Method)
	}
	for _, env := range d.Environments {
		f.Panels = append(f.Panels, env.panel(seconds))
	}
	return f
}

func (e CurvesEnvironment) panel(seconds bool) draw.CurvesPanel {
	p := draw.CurvesPanel{Name: e.Name, Generated: e.Generated}
	var blanks []string
	for _, c := range e.Curves {
		blank := c.Blank
		if seconds && blank == "" && c.SecondsPerStep == nil {
			blank = noDuration
		}
		if blanks = append(blanks, blank); blank != "" {
			p.Remarks = append(p.Remarks, c.Method+" "+blank)
			continue
		}
		s, unit := draw.Series{Name: c.Method}, 1.0
		if seconds {
			unit = *c.SecondsPerStep
		}
		for _, at := range c.Points {
			s.Add(unit*float64(at.Step), at.Mean)
			if at.Std != nil {
				s.Band = append(s.Band, *at.Std)
			}
		}
		p.Series, p.XMax = append(p.Series, s), max(p.XMax, unit*float64(e.Steps))
	}
	if same := slices.Compact(blanks); len(same) == 1 && same[0] != "" {
		p.Remarks = same
	}
	return p
}
