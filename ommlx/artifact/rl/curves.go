package rl

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/say"
)

// Curves is the figure of the learning curves of figure 1's runs by the public code's protocol and of that code's own.
func Curves() report.Entry {
	return entry(report.Entry{Kind: report.Figure, Name: "fig_learning_curves", Short: "curves",
		About: "average cosine similarity of figure 1's runs after each number of steps, with the authors' logged runs",
		Look:  "Whether a line ends flat, and how far it is from the dashed one of the same colour."},
		curves{})
}

// curves is the content of [Curves].
type curves struct{}

// plan returns figure 1's rows by the public code's protocol.
func (curves) plan(p run.Profile) []row {
	return slices.DeleteFunc(fig1Exhibit{}.plan(p),
		func(r row) bool { return r.beyond || r.protocol != PublicProtocol })
}

func (curves) draw(l *run.Lab, rows []row, origin report.Origin) error {
	data, remarks := newCurvesData(rows)
	data.FigureHead = report.FigureHead{Figure: Curves().Name, Provenance: origin,
		Paper: "Not in the paper, which prints no learning curves; of the runs behind its figure 1.",
		Note: fig1Note(l.Profile, rows) + " Lines are means over the runs, bands ± one sample standard deviation " +
			"where there are two runs or more." + remarks}
	return report.WriteFigure(l, data.Figure, data, data.drawing(), data.Text())
}

// newCurvesData returns the data of the rows without the head, and remarks for the note.
func newCurvesData(rows []row) (d CurvesData, remarks string) {
	var lost []string
	known := false
	for _, rows := range byEnvironment(rows) {
		e := rows[0].experiment
		env := CurvesEnvironment{Name: e.Environment, Steps: e.Train.Steps}
		for _, r := range rows {
			c := newCurve(r)
			if c.Diverged > 0 {
				lost = append(lost, fmt.Sprintf("%s on %s %d of %d", c.Method, env.Name, c.Diverged, c.Runs+c.Diverged))
			}
			known = known || c.Theirs != nil
			env.Curves = append(env.Curves, c)
		}
		d.Environments = append(d.Environments, env)
	}
	if lost != nil {
		remarks = " Diverged runs, left out: " + strings.Join(lost, "; ") + "."
	}
	if known {
		remarks += " Dashed: means over the authors' logged runs."
	}
	return d, remarks
}

// CurvesData is figures/fig_learning_curves.json: every number in the figure.
type CurvesData struct {
	report.FigureHead
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

// newCurve averages the history of a row's result over the runs that did not diverge. It omits points that lack one of
// these runs, because the mean would jump where a run ends.
func newCurve(of row) Curve {
	c := Curve{Method: of.label, Points: []CurvePoint{}, Runs: len(of.result.Finished()), Diverged: diverged(of.result)}
	if t := of.experiment.publicRuns(); t != nil {
		c.Theirs = t.points()
	}
	switch {
	case !of.run:
		c.Blank = "not in this profile"
		return c
	case of.result == nil:
		c.Blank = "not run yet"
		return c
	}
	for _, at := range of.result.History {
		var values []float64
		for i, run := range of.result.Runs {
			if run.Diverged == 0 && i < len(at.Value) {
				values = append(values, at.Value[i])
			}
		}
		if mean, std := report.SpreadOf(values).Numbers(); mean != nil && len(values) == c.Runs {
			c.Points = append(c.Points, CurvePoint{at.Step, *mean, std})
		}
	}
	switch {
	case c.Runs == 0:
		c.Blank = "diverged"
	case len(c.Points) == 0:
		c.Blank = "without a history"
	}
	return c
}

// Text lists the last value of each curve and of the public code's curve, and their largest difference from step 4,000
// on.
func (d CurvesData) Text() report.Text {
	t := report.Text{Title: d.Paper, Note: d.Note,
		Header: []string{"environment", "method", "runs", "ours at the end", "theirs",
			"largest difference, after step"}}
	end := func(points []CurvePoint) string {
		if len(points) == 0 {
			return ""
		}
		return fmt.Sprintf("%.3f", points[len(points)-1].Mean)
	}
	for _, e := range d.Environments {
		for _, c := range e.Curves {
			difference := ""
			if apart, step := c.apart(); step > 0 {
				difference = fmt.Sprintf("%+.3f, %s", apart, say.Thousands(step))
			}
			t.Rows = append(t.Rows, []string{e.Name, c.Method, fmt.Sprint(c.Runs),
				c.Blank + end(c.Points), end(c.Theirs), difference})
		}
	}
	return t
}

// apart returns the largest difference between our mean and theirs, from their second point on, and its step. Both are
// 0 without a common step.
func (c Curve) apart() (difference float64, step int) {
	theirs := map[int]float64{}
	for _, p := range c.Theirs {
		theirs[p.Step] = p.Mean
	}
	for _, p := range c.Points {
		mean, both := theirs[p.Step]
		if d := p.Mean - mean; both && p.Step >= publicInterval && (step == 0 || math.Abs(d) > math.Abs(difference)) {
			difference, step = d, p.Step
		}
	}
	return difference, step
}

// drawing returns a panel for each environment, with our curves solid and the authors' dashed.
func (d CurvesData) drawing() draw.CurvesRow {
	f := draw.CurvesRow{Columns: 3, Dashed: "dashed: the authors' logged runs", Note: report.Stamp(d.Note)}
	for _, env := range d.Environments {
		f.Plots = append(f.Plots, env.panel())
	}
	for i := range f.Plots {
		if i%f.Columns == 0 {
			f.Plots[i].YLabel = "cosine similarity"
		}
		if i >= len(f.Plots)-f.Columns {
			f.Plots[i].XLabel = "optimiser steps"
		}
	}
	return f
}

// panel draws an environment. Its title lists the methods without a curve.
func (e CurvesEnvironment) panel() draw.Curves {
	p := draw.Curves{Title: e.Name, YMax: 1}
	var theirs []draw.Series
	var missing []string
	for _, c := range e.Curves {
		if c.Blank == "" {
			p.Series = append(p.Series, series(c.Method, c.Points))
		} else {
			missing = append(missing, c.Method+" "+c.Blank)
		}
		if c.Theirs != nil {
			s := series(c.Method, c.Theirs)
			s.Dashed = true
			theirs = append(theirs, s)
		}
	}
	p.Series = append(p.Series, theirs...)
	if len(p.Series) == 0 {
		missing = []string{"no curve: " + e.Curves[0].Blank}
	}
	p.Title = strings.Join(append([]string{e.Name}, missing...), "\n")
	return p
}

func series(name string, points []CurvePoint) draw.Series {
	s := draw.Series{Name: name}
	for _, at := range points {
		s.Add(float64(at.Step), at.Mean)
		if at.Std != nil {
			s.Band = append(s.Band, *at.Std)
		}
	}
	return s
}

// PublicRuns are the public code's runs of a method in an environment, by [May]: 242 of the public training histories
// (repository samueltzhou/laplacian_dual_dynamics_omm, commit 3bf3a50, files
// results/visuals/ENVIRONMENT/RUN/training_history.json). All use one seed and the same data; they differ only by
// rounding.
type PublicRuns struct {
	Method      string    `json:"method"`
	Environment string    `json:"environment"`
	Shift       float64   `json:"shift"`
	Runs        []float64 `json:"runs"`  // final average cosine similarity of each
	Curve       []float64 `json:"curve"` // mean over the runs after step 1 and every 4,000 steps
}

//go:embed public_runs.json
var publicRunsJSON []byte

var readPublicRuns = sync.OnceValue(func() (all []PublicRuns) {
	if err := json.Unmarshal(publicRunsJSON, &all); err != nil {
		panic(fmt.Errorf("public_runs.json: %w", err))
	}
	return all
})

// publicRuns returns the public code's runs by the protocol of e, or nil if it has none or e is smaller.
func (e Experiment) publicRuns() *PublicRuns {
	if e.K != spectrumModes || e.Walks != WalksPublic || !e.atPaperScale() {
		return nil
	}
	for _, t := range readPublicRuns() {
		if t.Method == e.Method && t.Environment == e.Environment && t.Shift == e.Shift {
			return &t
		}
	}
	return nil
}

func (t PublicRuns) mean() float64 { return stat.Mean(t.Runs, nil) }

// publicInterval is the number of steps between the points of [PublicRuns.Curve]. The first point is after one step.
const publicInterval = 4_000

func (t PublicRuns) points() []CurvePoint {
	points := make([]CurvePoint, len(t.Curve))
	for i, mean := range t.Curve {
		points[i] = CurvePoint{Step: max(1, i*publicInterval), Mean: mean}
	}
	return points
}
