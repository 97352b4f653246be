package rl

import (
	"fmt"
	"math"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/report/draw"
)

// Figure draws the table: a panel for each protocol, with its distance from the paper in the title. Each environment
// has a row per part, with our mean and the printed one.
func (d Tab2Data) Figure() (*draw.Figure, error) {
	f := draw.Fig1{Note: report.Stamp(d.Note), Open: "printed in the paper"}
	for panel, protocol := range protocols {
		if len(d.Part("a", protocol)) < len(tab2Environments()) { // the quick table has only the first
			break
		}
		f.Panels = append(f.Panels, fmt.Sprintf("%s: %s", protocol, d.conclusion(protocol)))
		for i, name := range tab2Environments() {
			if panel == 0 {
				f.Environments = append(f.Environments, draw.Fig1Environment{Name: name})
			}
			var rows []draw.Fig1Row
			for _, part := range paperParts {
				c := d.Judged(part, protocol)[i]
				rows = append(rows, draw.Fig1Row{Method: c.Name, Runs: averages(c.Result, Run.judged),
					Reference: &c.PaperMean, Diverged: diverged(c.Result)})
			}
			f.Environments[i].Rows = append(f.Environments[i].Rows, rows)
		}
	}
	return f.Figure()
}

// conclusion describes the distance of the means over the environments from the printed ones: a bound, or the largest.
func (d Tab2Data) conclusion(protocol Protocol) string {
	off, far := 0.0, paperParts[0]
	for _, part := range paperParts {
		if difference := d.Apart(part, protocol).Difference; math.Abs(difference) > math.Abs(off) {
			off, far = difference, part
		}
	}
	if math.Abs(off) < leeway {
		return fmt.Sprintf("means within %.2f of the print", math.Ceil(100*math.Abs(off))/100)
	}
	side := "below"
	if off > 0 {
		side = "above"
	}
	return fmt.Sprintf("(%s) is %.2f %s the print", far, math.Abs(off), side)
}
