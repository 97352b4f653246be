package rl

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/lab"
	"omm-go/ommlx/artifact/ledger"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/claims"
)

// paperMethods are the rows of the paper's figure.
var paperMethods = []string{labelSequential, labelJoint, labelALLO}

// compared are the rows of several methods by a protocol in each environment in which all of them have a run.
type compared [][]Fig1Value // [environment][method]

func (d Fig1Data) compare(p Protocol, labels ...string) (all compared) {
	for _, env := range d.Environments {
		var rows []Fig1Value
		for _, label := range labels {
			if v := env.Row(p, label); v.Result != nil {
				rows = append(rows, v)
			}
		}
		if len(rows) == len(labels) {
			all = append(all, rows)
		}
	}
	return all
}

// means are those of a method in each environment; NaN where all of its runs diverged.
func (c compared) means(method int) (means []float64) {
	for _, rows := range c {
		means = append(means, report.OrNaN(rows[method].Mean))
	}
	return means
}

func (c compared) average(method int) float64 { return stat.Mean(c.means(method), nil) }

// leads are, environment by environment, the mean of a method less that of another.
func (c compared) leads(method, other int) (leads []float64) {
	leads = c.means(method)
	floats.Sub(leads, c.means(other))
	for i, lead := range leads {
		if math.IsNaN(lead) {
			leads[i] = 1 // one of them always diverged, which is not comparable
		}
	}
	return leads
}

// publicly compares methods by the public code's protocol. Evidence is small unless each row of the paper's figure was
// run as that says, and skipped without an environment.
func (d Fig1Data) publicly(e *claims.Evidence, labels ...string) compared {
	all := d.compare(PublicProtocol, paperMethods...)
	ledger.Small(e, len(all) == len(d.Environments))
	for _, v := range slices.Concat(all...) {
		ledger.Small(e, v.Result.Config.atPaperScale())
	}
	rows := d.compare(PublicProtocol, labels...)
	if len(rows) == 0 {
		e.Outcome, e.Reason = claims.Skipped, "no environment has a run of each method yet"
	}
	return rows
}

// isComparable compares ALLO with both nestings by the public code's protocol, paired over the environments. What the
// text's protocol gives is noted.
func isComparable(d Fig1Data, e *claims.Evidence) error {
	public := d.publicly(e, paperMethods...)
	if len(public) == 0 {
		return nil
	}
	for i, label := range paperMethods[:2] {
		atMost(e, "ALLO's average over the environments less that of "+label, public.leads(2, i), leeway)
	}
	var each []string
	var shown []Experiment
	for _, rows := range public {
		var means []string
		for _, v := range rows {
			means, shown = append(means, fmt.Sprintf("%.2f", report.OrNaN(v.Mean))), append(shown, v.Result.Config)
		}
		each = append(each, rows[0].Result.Config.Environment+" "+strings.Join(means, "/"))
	}
	e.Note("%s, OMM-seq/OMM-joint/ALLO by the public code's protocol: %s", extent(shown), strings.Join(each, ", "))
	for method := range paperMethods {
		public.beside(e, method)
	}
	if text := d.compare(PrintedProtocol, paperMethods...); len(text) > 0 {
		e.Note("by the text's protocol, with its own data for each run: OMM-seq %.3f, OMM-joint %.3f, ALLO %.3f over "+
			"%d environments", text.average(0), text.average(1), text.average(2), len(text))
	}
	return nil
}

// beside notes how far the rows of a method are from the public code's own runs.
func (c compared) beside(e *claims.Evidence, method int) {
	var apart []float64
	most, where := 0.0, ""
	for _, rows := range c {
		v := rows[method]
		if v.Theirs == nil || v.Mean == nil {
			continue
		}
		difference := *v.Mean - *v.Theirs
		if apart = append(apart, difference); math.Abs(difference) >= math.Abs(most) {
			most, where = difference, v.Result.Config.Environment
		}
	}
	if len(apart) > 0 {
		e.Note("%s less the public code's own runs: %+.3f over %d environments, %+.3f at most (%s)",
			c[0][method].Label, stat.Mean(apart, nil), len(apart), most, where)
	}
}

// nestingsAgree compares sequential with joint nesting over the environments by the public code's protocol.
func nestingsAgree(d Fig1Data, e *claims.Evidence) error {
	public := d.publicly(e, labelSequential, labelJoint)
	if len(public) == 0 {
		return nil
	}
	leads := public.leads(1, 0)
	atMost(e, "joint nesting's average over the environments less that of sequential nesting", leads, leeway)
	e.Note("sequential %.3f, joint %.3f; sequential ahead in %d of %d environments", public.average(0),
		public.average(1), floats.Count(func(lead float64) bool { return lead <= 0 }, leads), len(leads))
	return nil
}

// fig1Means averages the rows of each method by the public code's protocol over the environments in which all have a
// run, and the public code's own runs there. The paper prints no numbers.
func fig1Means(d Fig1Data) (paper, ours string, err error) {
	rows := slices.DeleteFunc(d.compare(PublicProtocol, paperMethods...), func(rows []Fig1Value) bool {
		return slices.ContainsFunc(rows, func(v Fig1Value) bool { return v.Mean == nil })
	})
	var means, theirs []string
	var counts []int
	for i, label := range paperMethods {
		var their []float64
		for _, of := range rows {
			if counts = append(counts, len(of[i].Result.Runs)); of[i].Theirs != nil {
				their = append(their, *of[i].Theirs)
			}
		}
		means = append(means, fmt.Sprintf("%s %.3f", label, rows.average(i)))
		if len(their) > 0 {
			theirs = append(theirs, fmt.Sprintf("%s %.3f", label, stat.Mean(their, nil)))
		}
	}
	runs, err := report.RunsEach(counts)
	if err != nil {
		return "", "", fmt.Errorf("no environment has a run of each method by the public code's protocol: %w", err)
	}
	paper = "bars alone" + lab.If(len(theirs) > 0, "; its code's runs %s", strings.Join(theirs, ", "))
	return paper, fmt.Sprintf("%s; %d of %d environments, %s", strings.Join(means, ", "), len(rows),
		len(d.Environments), runs), nil
}
