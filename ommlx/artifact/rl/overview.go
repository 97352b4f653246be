package rl

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/run"
)

// Overview returns the rows of the overview for figure 1, its hard environments, and Table 2, as means over
// environments. The paper's number is the printed mean of Table 2. For figure 1 the paper prints no numbers, so it is
// the mean of the authors' logged runs by their code.
//
// A spread is half of the 95% interval, over the environments, of our number less the paper's. Without a number of the
// paper it is the sample standard deviation of our number over runs.
func Overview(fig1 Fig1Data, tab2 Tab2Data) []draw.DotGroup {
	hard := fig1
	hard.Environments = slices.DeleteFunc(slices.Clone(fig1.Environments),
		func(e Fig1Environment) bool { return !e.Hard })
	parts := draw.DotGroup{Title: fmt.Sprintf("Table 2, k = 50: mean over %d environments", len(tab2Environments()))}
	for _, part := range paperParts {
		for _, p := range protocols {
			if a := tab2.Apart(part, p); a.Environments > 0 {
				row := overviewRow(tab2.Judged(part, p)[0].Name, string(p), a.runs, len(tab2Environments()))
				row.Ours, row.Paper, row.Half = a.Ours, &a.Printed, report.Number(a.Within)
				parts.Rows = append(parts.Rows, row)
			}
		}
	}
	return []draw.DotGroup{
		fig1.overview(fmt.Sprintf("Figure 1, k = 11: mean over %d environments", len(fig1.Environments))),
		hard.overview(fmt.Sprintf("Figure 1: mean over the %d hard environments", len(hard.Environments))),
		parts,
	}
}

// overview returns the rows of each method by both protocols over the environments in which all methods have a run.
func (d Fig1Data) overview(title string) draw.DotGroup {
	g := draw.DotGroup{Title: title}
	for i, label := range paperMethods {
		for _, p := range protocols {
			if rows := d.scored(p); len(rows) > 0 {
				g.Rows = append(g.Rows, rows.overview(i, label, string(p), len(d.Environments)))
			}
		}
	}
	return g
}

func (c compared) overview(method int, label, protocol string, environments int) draw.DotRow {
	var runs []int
	var theirs, apart []float64
	variance := 0.0 // of the sum over environments, which have independent runs
	for _, rows := range c {
		v := rows[method]
		runs = append(runs, len(v.Result.Runs))
		variance += math.Pow(report.OrNaN(v.Std), 2)
		if v.Theirs != nil {
			theirs, apart = append(theirs, *v.Theirs), append(apart, *v.Mean-*v.Theirs)
		}
	}
	row := overviewRow(label, protocol, runs, environments)
	row.Ours, row.Half = c.average(method), report.Number(math.Sqrt(variance)/float64(len(c)))
	if len(theirs) == len(c) {
		_, within := interval(apart)
		row.Paper, row.Half = new(stat.Mean(theirs, nil)), report.Number(within)
	}
	return row
}

// overviewRow returns a row with its labels. runs has an entry for each environment that was run, out of the given
// total.
func overviewRow(name, protocol string, runs []int, of int) draw.DotRow {
	each, _ := report.RunsEach(runs) // a row has at least one environment
	return draw.DotRow{Name: name, Kind: protocol, Runs: strings.NewReplacer(" to ", "–", " each", "").Replace(each) +
		run.If(len(runs) < of, ", %d of %d", len(runs), of)}
}
