package rl

import (
	"fmt"
	"math"
	"strings"

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
	environments, printed := len(fig1.Environments), len(tab2Environments())
	all := draw.DotGroup{Title: fmt.Sprintf("Figure 1, k = 11: mean over %d environments", environments)}
	hard := draw.DotGroup{Title: fmt.Sprintf("Figure 1: mean over the %d hard environments", len(hardInstances))}
	parts := draw.DotGroup{Title: fmt.Sprintf("Table 2, k = 50: mean over %d environments", printed)}
	for i, label := range paperMethods {
		for _, p := range protocols {
			rows := fig1.methods(p)[i]
			all.Rows = append(all.Rows, rows.dots(label, p, environments)...)
			hard.Rows = append(hard.Rows, rows.hard().dots(label, p, len(hardInstances))...)
		}
	}
	for _, part := range paperParts {
		for _, p := range protocols {
			if rows := common(tab2.scores(part, p))[0]; len(rows) > 0 {
				parts.Rows = append(parts.Rows, rows.dots(tab2.part(part, p)[0].Name, p, printed)...)
			}
		}
	}
	return []draw.DotGroup{all, hard, parts}
}

// dots returns the row of the overview for scores that were all run in some of a number of environments; none without
// scores.
func (c scores) dots(name string, p Protocol, environments int) []draw.DotRow {
	if len(c) == 0 {
		return nil
	}
	a, variance := c.apart(), 0.0 // of the sum over environments, which have independent runs
	for _, one := range c {
		variance += one.Std * one.Std
	}
	row := draw.DotRow{Name: name, Kind: string(p), Ours: a.Ours, Paper: report.Number(a.Printed)}
	if row.Half = report.Number(math.Sqrt(variance) / float64(len(c))); row.Paper != nil {
		row.Half = report.Number(a.Within)
	}
	row.Runs = strings.Replace(runsOf(c), " to ", "–", 1) +
		run.If(len(c) < environments, ", %d of %d", len(c), environments)
	return []draw.DotRow{row}
}
