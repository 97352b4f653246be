package rl

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"operator-omm/ommlx/artifact/report"
)

// Fig1Data is figures/fig1_laplacian_rl.json: every number that figure 1 draws.
type Fig1Data struct {
	report.FigureHead
	Environments []Fig1Environment `json:"environments"`
}

// Fig1Environment is one environment of figure 1.
type Fig1Environment struct {
	Name       string    `json:"name"`
	States     int       `json:"states"`
	Generated  bool      `json:"generated"`  // our own maze in the place of the official one
	Components int       `json:"components"` // connected parts; more than 1 makes eigenvalue 0 degenerate
	Spectrum   []float64 `json:"spectrum"`   // the smallest eigenvalues of I − P, ascending
	Gap        float64   `json:"gap"`        // the smallest between them, degenerate ones apart
	Hard       bool      `json:"hard"`
	// Negative counts the modes among the top 11 whose eigenvalue in the decomposed operator is negative. OMM drives
	// them to zero instead of learning them, so their score says nothing.
	Negative int         `json:"negative"`
	Bars     []Fig1Value `json:"bars"`
}

// Fig1Value is one bar: mean and sample standard deviation over the runs that did not diverge.
type Fig1Value struct {
	Label    string   `json:"label"`
	Protocol Protocol `json:"protocol"`
	Beyond   bool     `json:"beyond_the_paper,omitempty"`
	// Theirs is the mean of the public code's own runs, see [Theirs]; nil where none are known.
	Theirs    *float64 `json:"theirs,omitempty"`
	TheirRuns int      `json:"their_runs,omitempty"`
	NotRun    bool     `json:"not_run,omitempty"`
	Scored
	Diverged int     `json:"diverged,omitempty"`
	Result   *Result `json:"result,omitempty"`
}

// name tells a row from those of the other protocol.
func (v Fig1Value) name() string {
	if v.Beyond {
		return v.Label
	}
	return v.Label + ", " + string(v.Protocol)
}

// protocols lists those of the rows, in their order.
func (d Fig1Data) protocols() (list []Protocol) {
	for _, v := range d.Environments[0].Bars {
		if !slices.Contains(list, v.Protocol) {
			list = append(list, v.Protocol)
		}
	}
	return list
}

// Text is the rows of a protocol, an environment each: ours with the number of runs, and beside it the mean of the
// public code's own runs, where there are any.
func (d Fig1Data) Text(p Protocol) report.Text {
	t := report.Text{Title: d.Paper, Note: d.Note, Header: []string{"Environment"}}
	for _, e := range d.Environments {
		row := []string{placed(e.Name, e.Generated)}
		if e.Hard {
			row[0] += " (hard)"
		}
		for _, v := range e.Bars {
			if v.Protocol != p {
				continue
			}
			cell := "not run"
			if v.Result != nil {
				cell = fmt.Sprintf("%s (%d)", v.spread(v.Result).Text(3), len(v.Result.Runs))
			}
			header := v.Label + " (runs)"
			if row = append(row, cell); p == PublicProtocol && !v.Beyond {
				row = append(row, optional(3, v.Theirs))
				header += "|theirs"
			}
			if len(t.Rows) == 0 {
				t.Header = append(t.Header, strings.Split(header, "|")...)
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// Scores has a row for each bar with every score of its runs. The last column judges the learned functions by the
// eigenfunctions of the data in place of the true ones: what it lacks to 1 was not learned.
func (d Fig1Data) Scores() report.Text {
	t := report.Text{
		Title: "The rows of figure 1: average cosine similarity of the top 11",
		Header: slices.Concat([]string{"Environment", "Method", "Runs", "Average", "Their runs"}, otherHeader(),
			[]string{"learned, by the eigenfunctions of the data"}),
		Note: d.Note + " ± is one sample standard deviation over the runs.",
	}
	for _, e := range d.Environments {
		for _, v := range e.Bars {
			name := placed(e.Name, e.Generated)
			row := []string{name, v.name(), "0", "not run", optional(4, v.Theirs), "", "", "", ""}
			if r := v.Result; r != nil {
				ofData := meanOf(r, func(run Run) *Scores { return run.OfData })
				row = slices.Concat([]string{name, v.name(), tally(r), v.spread(r).Text(4), optional(4, v.Theirs)},
					v.cells(), []string{optional(4, ofData)})
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// newFig1Value is the bar of a row with its result; nil for none.
func newFig1Value(r row, result *Result) Fig1Value {
	v := Fig1Value{Label: r.label, Protocol: r.protocol, Beyond: r.beyond, NotRun: result == nil}
	if t, ok := r.experiment.theirs(); ok {
		mean := t.mean()
		v.Theirs, v.TheirRuns = &mean, len(t.Runs)
	}
	if result != nil {
		v.Result, v.Scored = result, score(result)
		v.Diverged = len(result.Runs) - len(result.Finished())
	}
	return v
}

// Row returns that of a method by a protocol; it is an error-free zero value, without a result, where there is none.
func (e Fig1Environment) Row(p Protocol, label string) Fig1Value {
	for _, v := range e.Bars {
		if v.Protocol == p && v.Label == label {
			return v
		}
	}
	return Fig1Value{Label: label, Protocol: p, NotRun: true}
}

// environmentsWith returns the figure of those environments in which each of the methods has a run by a protocol.
func (d Fig1Data) environmentsWith(p Protocol, labels ...string) Fig1Data {
	d.Environments = slices.DeleteFunc(slices.Clone(d.Environments), func(e Fig1Environment) bool {
		return slices.ContainsFunc(labels, func(label string) bool { return e.Row(p, label).NotRun })
	})
	return d
}

// means are those of a method's runs in each environment; NaN where all diverged or none was done.
func (d Fig1Data) means(p Protocol, label string) (means []float64) {
	for _, env := range d.Environments {
		means = append(means, report.OrNaN(env.Row(p, label).Mean))
	}
	return means
}

// average returns the mean of a method over the environments; NaN where one is missing.
func (d Fig1Data) average(p Protocol, label string) float64 { return stat.Mean(d.means(p, label), nil) }
