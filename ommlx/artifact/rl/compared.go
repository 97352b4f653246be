package rl

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
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

// by compares methods by a protocol. Evidence is small unless each row of the paper's figure was run as that says, and
// skipped without an environment.
func (d Fig1Data) by(p Protocol, e *claims.Evidence, labels ...string) compared {
	all := d.compare(p, paperMethods...)
	e.AtScale(len(all) == len(d.Environments))
	for _, v := range slices.Concat(all...) {
		e.AtScale(v.Result.Config.atPaperScale())
	}
	rows := d.compare(p, labels...)
	if len(rows) == 0 {
		e.Outcome, e.Reason = claims.Skipped, "no environment has a run of each method yet"
		return nil
	}
	e.Runs = rows.runs()
	return rows
}

// runs writes the least and the largest number of runs, and the paper's.
func (c compared) runs() string {
	var counts []int
	for _, v := range slices.Concat(c...) {
		counts = append(counts, len(v.Result.Runs))
	}
	each, _ := report.RunsEach(counts) // there are some
	return strings.TrimSuffix(each, " each") + ", the paper 4 and 10"
}

// hard are the rows of the environments that the paper calls hard.
func (c compared) hard() compared {
	return slices.DeleteFunc(slices.Clone(c), func(rows []Fig1Value) bool {
		return !slices.Contains(hardInstances, rows[0].Result.Config.Environment)
	})
}

// isComparable compares ALLO with both nestings by a protocol: in pairs over the environments, and in each environment
// over the runs. The four hard environments, where not all methods are at the ceiling, are noted apart.
func isComparable(p Protocol) func(Fig1Data, *claims.Evidence) error {
	return func(d Fig1Data, e *claims.Evidence) error {
		rows := d.by(p, e, paperMethods...)
		if len(rows) == 0 {
			return nil
		}
		hard := rows.hard()
		for i, label := range paperMethods[:2] {
			atMost(e, "ALLO's average over the environments less that of "+label, rows.leads(2, i), leeway)
			what := fmt.Sprintf("environments, of %d, in which ALLO's lead over %s is certainly above %g", len(rows),
				label, leeway)
			e.Printed(what, float64(rows.certain(2, i)), 0)
			if len(hard) > 1 {
				mean, half := interval(hard.leads(2, i))
				e.Note("the same in the %d hard environments: %.3f ± %.3f", len(hard), mean, half)
			}
		}
		var each []string
		for _, of := range rows {
			var means []string
			for _, v := range of {
				means = append(means, fmt.Sprintf("%.2f", report.OrNaN(v.Mean)))
			}
			each = append(each, of[0].Result.Config.Environment+" "+strings.Join(means, "/"))
		}
		e.Note("OMM-seq/OMM-joint/ALLO: %s", strings.Join(each, ", "))
		for method := range paperMethods {
			rows.beside(e, method)
		}
		return nil
	}
}

// certain counts the environments in which the 95% interval of the lead of a method over another, from their runs, lies
// above the leeway. A single run of each has no interval.
func (c compared) certain(method, other int) (count int) {
	for _, of := range c {
		spread := func(v Fig1Value) report.Spread { return report.FromNumbers(v.Mean, v.Std, len(v.Result.Finished())) }
		if d, half, _ := spread(of[method]).Minus(spread(of[other])); d-half > leeway {
			count++
		}
	}
	return count
}

// beside notes how far the rows of a method are from the authors' logged runs.
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
		e.Note("%s less the authors' logged runs: %+.3f over %d environments, %+.3f at most (%s)",
			c[0][method].Label, stat.Mean(apart, nil), len(apart), most, where)
	}
}

// nestingsAgree compares sequential with joint nesting over the environments by a protocol.
func nestingsAgree(p Protocol) func(Fig1Data, *claims.Evidence) error {
	return func(d Fig1Data, e *claims.Evidence) error {
		rows := d.by(p, e, labelSequential, labelJoint)
		if len(rows) == 0 {
			return nil
		}
		leads := rows.leads(1, 0)
		atMost(e, "joint nesting's average over the environments less that of sequential nesting", leads, leeway)
		e.Note("sequential %.3f, joint %.3f; sequential ahead in %d of %d environments", rows.average(0),
			rows.average(1), floats.Count(func(lead float64) bool { return lead <= 0 }, leads), len(leads))
		return nil
	}
}

// fig1Means averages the rows of each method by a protocol over the environments in which all have a run, or over the
// hard ones of these, and the authors' logged runs there. The paper prints no numbers.
func fig1Means(p Protocol, hard bool) func(Fig1Data) (paper, ours string, err error) {
	return func(d Fig1Data) (paper, ours string, err error) {
		rows := slices.DeleteFunc(d.compare(p, paperMethods...), func(rows []Fig1Value) bool {
			return slices.ContainsFunc(rows, func(v Fig1Value) bool { return v.Mean == nil })
		})
		if hard {
			rows = rows.hard()
		}
		if len(rows) == 0 {
			return "", "", fmt.Errorf("no environment has a run of each method, %s", p)
		}
		var means, theirs []string
		for i, label := range paperMethods {
			var their []float64
			for _, of := range rows {
				if of[i].Theirs != nil {
					their = append(their, *of[i].Theirs)
				}
			}
			means = append(means, fmt.Sprintf("%s %.3f", label, rows.average(i)))
			if len(their) > 0 {
				theirs = append(theirs, fmt.Sprintf("%s %.3f", label, stat.Mean(their, nil)))
			}
		}
		paper = "no numbers" + run.If(len(theirs) > 0, "; authors' logged runs: %s", strings.Join(theirs, ", "))
		return paper, fmt.Sprintf("%s; %d environments, %s", strings.Join(means, ", "), len(rows), rows.runs()), nil
	}
}
