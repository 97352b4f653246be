package pde

import (
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/draw"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/internal/say"
)

// Overview returns the rows of the overview on figures 4, 6 and 8: the relative error of the energies, a mean over
// modes and over the runs that did not diverge. A spread is the sample standard deviation over these runs. The paper
// prints curves only. Rows without a result are left out.
func Overview(hydrogen, oscillator, well Numbers) draw.DotGroup {
	g := draw.DotGroup{Title: "Section 3.2: eigenspaces, mean over modes"}
	for i, n := range []Numbers{hydrogen, oscillator, well} {
		for _, r := range n.Results {
			s := report.Over(r, func(run Run) float64 { return stat.Mean(run.Subspaces, nil) })
			if s.Runs == 0 {
				continue
			}
			row := draw.DotRow{Name: []string{"Hydrogen, ", "Oscillator, ", "Well, "}[i] + MethodName(r.Config.Method),
				Kind: "as printed", Runs: say.Count(s.Runs, "run"), Ours: s.Mean}
			_, row.Half = s.Numbers()
			g.Rows = append(g.Rows, row)
		}
	}
	return g
}
