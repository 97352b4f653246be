package pde

import (
	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/internal/say"
)

// Overview returns the rows of the overview on figures 4, 6 and 8: the subspace distance, a mean over eigenspaces and
// over the runs that did not diverge, with the sample standard deviation over these runs. The paper prints only curves.
// Rows without a result are left out.
func Overview(hydrogen, oscillator, well Numbers) draw.DotGroup {
	g := draw.DotGroup{Title: "Section 3.2: mean over eigenspaces"}
	for i, n := range []Numbers{hydrogen, oscillator, well} {
		for _, r := range n.Results {
			s := distanceOf(r)
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
