package rl

import (
	"fmt"
	"math"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/report/draw"
)

// Figure draws the table: a panel for each protocol, titled by how far it is from the print, and for each environment a
// row for each part, with ours and the printed mean.
func (d Tab2Data) Figure() (*draw.Figure, error) {
	f := draw.Fig1{Note: report.Stamp(d.Note), Open: "printed in the paper"}
	for panel, protocol := range protocols {
		if len(d.Part("a", protocol)) < len(tab2Environments()) { // the quick table has the first one
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

// conclusion says how far the means over the environments are from the print: at most, or of the part that is farthest.
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
