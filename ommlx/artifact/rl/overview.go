package rl

import (
	"fmt"
	"strings"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/report/draw"
)

// Overview returns the rows of the overview for figure 1, its hard environments, and Table 2, as means over
// environments. The paper's number is the printed mean of Table 2. For figure 1 the paper prints no numbers, so it is
// the mean of the authors' logged runs, which OMM-joint does not have.
func Overview(fig1 Fig1Data, tab2 Tab2Data) []draw.DotGroup {
	at11, inHard, at50 := fig1.points(), fig1.points().hard(), tab2.points()
	environments, printed := len(fig1.Environments), len(tab2Environments())
	all := draw.DotGroup{Title: fmt.Sprintf("Figure 1, k = 11: mean over %d environments", environments)}
	hard := draw.DotGroup{Title: fmt.Sprintf("Figure 1: mean over the %d hard environments", len(hardInstances))}
	parts := draw.DotGroup{Title: fmt.Sprintf("Table 2, k = 50: mean over %d environments", printed)}
	for i := range paperMethods {
		for _, p := range protocols {
			part := common(at50.of(p, paperParts[i]))[0]
			all.Rows = append(all.Rows, at11.methods(p)[i].dots(p, environments, at11.noise())...)
			hard.Rows = append(hard.Rows, inHard.methods(p)[i].dots(p, len(hardInstances), inHard.noise())...)
			parts.Rows = append(parts.Rows, part.dots(p, printed, at50.noise())...)
		}
	}
	return []draw.DotGroup{all, hard, parts}
}

// dots returns the row of a dot plot for points that were all run in some of a number of environments; none without
// points. The bar is half of the 95% interval of our number, or of our number less the paper's, for these environments.
func (c points) dots(p Protocol, environments int, n noise) []draw.DotRow {
	if len(c) == 0 {
		return nil
	}
	a := c.minusPaper(n)
	row := draw.DotRow{Name: c[0].name, Kind: string(p), Ours: a.Ours, Paper: report.Number(a.Printed),
		Half: report.Number(a.Within)}
	row.Runs = strings.Replace(runsOf(c), " to ", "–", 1)
	if len(c) < environments {
		row.Runs += fmt.Sprintf(", %d of %d", len(c), environments)
	}
	return []draw.DotRow{row}
}
