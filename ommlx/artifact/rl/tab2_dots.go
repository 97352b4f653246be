package rl

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"operator-omm/ommlx/artifact/draw"
	"operator-omm/ommlx/artifact/report"
)

// Figure draws the table: a panel for each protocol, titled by how far it is from the print, and for each environment a
// row for each part, in which ours stands beside the printed mean.
func (d Tab2Data) Figure() (*draw.Figure, error) {
	f := draw.Fig1{Note: report.Stamp(d.Note), Open: "printed in the paper"}
	parts := []string{"a", "b", "c"}
	for _, protocol := range []Protocol{PublicProtocol, PrintedProtocol} {
		if d.Part("a", protocol) == nil { // the quick table has one
			continue
		}
		f.Panels = append(f.Panels, fmt.Sprintf("%s: %s", protocol, d.conclusion(protocol, parts)))
		for _, part := range parts {
			for i, c := range d.Part(part, protocol) {
				if i == len(f.Environments) {
					f.Environments = append(f.Environments, draw.Fig1Environment{Name: c.Environment})
				}
				row := draw.Fig1Row{Method: c.Name, Reference: &c.PaperMean}
				if c.Result != nil {
					row.Runs, row.Diverged = averages(c.Result), len(c.Result.Runs)-len(c.Result.Finished())
				}
				e := &f.Environments[i]
				if len(e.Rows) < len(f.Panels) {
					e.Rows = append(e.Rows, nil)
				}
				e.Rows[len(f.Panels)-1] = append(e.Rows[len(f.Panels)-1], row)
			}
		}
	}
	return f.Figure()
}

// conclusion says how far the means over the environments are from the print: at most, or of the part that is farthest.
func (d Tab2Data) conclusion(protocol Protocol, parts []string) string {
	off := func(part string) float64 { return math.Abs(d.Apart(part, protocol).Difference) }
	far := slices.MaxFunc(parts, func(a, b string) int { return cmp.Compare(off(a), off(b)) })
	switch difference := d.Apart(far, protocol).Difference; {
	case math.Abs(difference) < leeway:
		return fmt.Sprintf("means within %.2f of the print", math.Ceil(100*math.Abs(difference))/100)
	case difference > 0:
		return fmt.Sprintf("(%s) is %.2f above the print", far, difference)
	default:
		return fmt.Sprintf("(%s) is %.2f below the print", far, -difference)
	}
}
