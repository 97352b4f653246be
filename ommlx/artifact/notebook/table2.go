package notebook

import (
	"fmt"

	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/rl"
)

// Parts returns the rows of a [Table] for parts of Table 2 by a protocol: the name, the number of environments, the
// printed mean over them, ours, their difference with its 95% interval, and ours by the strict cosine and after a Ritz
// step. A part without runs has no row.
func Parts(d rl.Tab2Data, p rl.Protocol, parts ...string) (rows [][]string) {
	for _, part := range parts {
		a := d.Difference(part, p)
		if a.Environments == 0 {
			continue
		}
		var strict, ritz []float64
		for _, c := range d.Cells {
			if c.Part == part && c.Protocol == p && c.Mean != nil {
				strict, ritz = append(strict, *c.Mean), append(ritz, *c.Ritz)
			}
		}
		rows = append(rows, []string{fmt.Sprintf("(%s), %s", part, p), fmt.Sprint(a.Environments),
			fmt.Sprintf("%.3f", a.Printed), fmt.Sprintf("%.3f", a.Ours),
			fmt.Sprintf("%+.3f ± %.3f", a.Difference, a.Within), fmt.Sprintf("%.3f", stat.Mean(strict, nil)),
			fmt.Sprintf("%.3f", stat.Mean(ritz, nil))})
	}
	return rows
}
