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
func Overview(fig1 Fig1Data, tab2 Tab2Data) []draw.DotGroup {
	environments, printed := len(fig1.Environments), len(tab2Environments())
	all := draw.DotGroup{Title: fmt.Sprintf("Figure 1, k = 11: mean over %d environments", environments)}
	hard := draw.DotGroup{Title: fmt.Sprintf("Figure 1: mean over the %d hard environments", len(hardInstances))}
	parts := draw.DotGroup{Title: fmt.Sprintf("Table 2, k = 50: mean over %d environments", printed)}
	for i := range paperMethods {
		for _, p := range protocols {
			row, part := fig1.methods(p)[i], common(tab2.scores(p, paperParts[i]))[0]
			all.Rows = append(all.Rows, row.dots(p, environments)...)
			hard.Rows = append(hard.Rows, row.hard().dots(p, len(hardInstances))...)
			parts.Rows = append(parts.Rows, part.dots(p, printed)...)
		}
	}
	return []draw.DotGroup{all, hard, parts}
}

// dots returns the row of a dot plot for scores that were all run in some of a number of environments; none without
// scores. The bar is half of the 95% interval, over the environments, of our number less the paper's. Without a number
// of the paper it is the sample standard deviation of our number over runs.
func (c scores) dots(p Protocol, environments int) []draw.DotRow {
	if len(c) == 0 {
		return nil
	}
	a, variance := c.apart(), 0.0 // of the sum over environments, which have independent runs
	for _, one := range c {
		variance += one.Std * one.Std
	}
	row := draw.DotRow{Name: c[0].name, Kind: string(p), Ours: a.Ours, Paper: report.Number(a.Printed)}
	if row.Half = report.Number(math.Sqrt(variance) / float64(len(c))); row.Paper != nil {
		row.Half = report.Number(a.Within)
	}
	row.Runs = strings.Replace(runsOf(c), " to ", "–", 1) +
		run.If(len(c) < environments, ", %d of %d", len(c), environments)
	return []draw.DotRow{row}
}
