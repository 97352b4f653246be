package rl

import (
	"fmt"
	"math"
	"slices"

	"operator-omm/ommlx/artifact/draw"
	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
)

// Curves is figure 1 over the steps of training by the protocol of the public code, with the means of that code's own
// histories. Its results are those of figure 1.
func Curves() report.Entry {
	return report.Entry{Kind: report.Figure, Name: "fig_learning_curves", Short: "curves",
		About: "average cosine similarity of figure 1's runs after each number of steps, beside the public code's own",
		Plan: func(p lab.Profile) ([]lab.Job, error) {
			bars, err := curvesPlan(p)
			if err != nil {
				return nil, err
			}
			return lab.NewJobs[*Result](experimentsOf(bars))
		}, Report: curvesReport, Partial: true, Data: mazes}
}

// curvesPlan returns the rows of figure 1 by the public code's protocol, environment after environment.
func curvesPlan(p lab.Profile) ([]fig1Bar, error) {
	bars, err := fig1Plan(p)
	return slices.DeleteFunc(bars, func(b fig1Bar) bool { return b.beyond || b.protocol != PublicProtocol }), err
}

func curvesReport(l *lab.Lab) error {
	bars, err := curvesPlan(l.Profile)
	if err != nil {
		return err
	}
	results, origin, err := report.Gather[*Result](l, experimentsOf(bars))
	if err != nil {
		return err
	}
	data := newCurvesData(bars, perBar(bars, results))
	data.Figure, data.Provenance = Curves().Name, origin
	data.Paper = "Not in the paper, which prints no learning curves; of the runs behind its figure 1."
	data.Note = fig1Note(l.Profile, results) + " Lines are means over the runs, bands ± one sample standard " +
		"deviation where there are two runs or more." + data.diverged()
	if data.known() {
		data.Note += " Dashed: means over the public code's own runs."
	}
	if err := report.WriteFigure(l, data.Figure, data, data.drawing()); err != nil {
		return err
	}
	return report.WriteText(l, data.Figure, data.Text())
}

// known tells whether a curve has one of the public code beside it.
func (d CurvesData) known() bool {
	return slices.ContainsFunc(d.Environments, func(e CurvesEnvironment) bool {
		return slices.ContainsFunc(e.Curves, func(c Curve) bool { return c.Theirs != nil })
	})
}

// Text has for each curve where it ends, where that of the public code ends, and how far apart the two are at most
// after step 4,000.
func (d CurvesData) Text() report.Text {
	t := report.Text{Title: d.Paper, Note: d.Note,
		Header: []string{"environment", "method", "runs", "ours at the end", "theirs",
			"largest difference, after step"}}
	for _, e := range d.Environments {
		for _, c := range e.Curves {
			row := []string{e.Name, c.Method, fmt.Sprint(c.Runs), c.Blank, "", ""}
			if n := len(c.Points); n > 0 {
				row[3] = fmt.Sprintf("%.3f", c.Points[n-1].Mean)
			}
			if n := len(c.Theirs); n > 0 {
				row[4] = fmt.Sprintf("%.3f", c.Theirs[n-1].Mean)
			}
			if apart, step := c.Apart(); step > 0 {
				row[5] = fmt.Sprintf("%+.3f, %s", apart, thousands(step))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// Apart returns the largest difference of our mean and theirs, ours less theirs, and the step after which it is; 0 and
// 0 without a step in common.
func (c Curve) Apart() (difference float64, step int) {
	theirs := map[int]float64{}
	for _, p := range c.Theirs {
		theirs[p.Step] = p.Mean
	}
	for _, p := range c.Points {
		mean, both := theirs[p.Step]
		if d := p.Mean - mean; both && p.Step >= theirInterval && (step == 0 || math.Abs(d) > math.Abs(difference)) {
			difference, step = d, p.Step
		}
	}
	return difference, step
}

// drawing is the picture.
func (d CurvesData) drawing() draw.CurvesGrid {
	f := draw.CurvesGrid{XLabel: "optimiser steps", Note: d.Note}
	for _, c := range d.Environments[0].Curves {
		f.Methods = append(f.Methods, c.Method)
	}
	for _, env := range d.Environments {
		f.Panels = append(f.Panels, env.panel())
	}
	return f
}

func (e CurvesEnvironment) panel() draw.CurvesPanel {
	p := draw.CurvesPanel{Name: e.Name, Generated: e.Generated, XMax: float64(e.Steps)}
	var blanks []string
	for _, c := range e.Curves {
		if blanks = append(blanks, c.Blank); c.Blank != "" {
			p.Remarks = append(p.Remarks, c.Method+" "+c.Blank)
		} else {
			p.Series = append(p.Series, series(c.Method, c.Points))
		}
		if c.Theirs != nil {
			p.Others = append(p.Others, series(c.Method, c.Theirs))
		}
	}
	if same := slices.Compact(blanks); len(same) == 1 && same[0] != "" {
		p.Remarks = same
	}
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
