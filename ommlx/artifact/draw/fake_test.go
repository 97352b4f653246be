package draw

import (
	"math"
	"math/rand/v2"
	"strings"
)

// fakeFig1 makes up a figure 1 with the paper's environments and two panels: hard instances with a spread of runs,
// references in the first panel, one row not run, one with some diverged runs and one with nothing else.
func fakeFig1() Fig1 {
	rng := rand.New(rand.NewPCG(1, 2))
	fig := Fig1{Note: "Quick profile: 1–4 runs and 10,000–80,000 steps per environment; not the paper's full protocol.",
		Panels: []string{"the public code's protocol", "the printed protocol"}}
	for i, name := range strings.Fields("GridMaze-7 GridMaze-9 GridMaze-17 GridMaze-19 GridMaze-26 GridMaze-32 " +
		"GridRoom-1 GridRoom-4 GridRoomSym-4 GridRoom-16 GridRoom-32 GridRoom-64") {
		maze := i == 4 || i == 5
		e := Fig1Environment{Name: name, Hard: maze || i >= 10, Generated: maze}
		for j := range 11 {
			e.Spectrum = append(e.Spectrum, 0.02*math.Pow(float64(j), 1.6)*math.Pow(0.6, float64(i)))
		}
		for panel := range fig.Panels {
			var rows []Fig1Row
			for k, method := range []string{"OMM-seq", "OMM-joint", "ALLO", "OMM-seq, all pairs (ours)"} {
				r := Fig1Row{Method: method, Beyond: k == 3}
				level, spread := 0.99-0.03*rng.Float64(), 0.004
				if e.Hard {
					level, spread = 0.55+0.25*rng.Float64(), 0.06
				}
				for range 4 {
					r.Runs = append(r.Runs, min(1, level+spread*rng.NormFloat64()))
				}
				switch {
				case i == 11 && k == 2:
					r.Runs = nil
				case i == 10 && k == 2:
					r.Runs, r.Diverged = r.Runs[:1], 3
				case i == 9 && k == 1:
					r.Runs, r.Diverged = nil, 4
				}
				if reference := min(1, level+0.02*rng.NormFloat64()); panel == 0 && !r.Beyond {
					r.Reference = &reference
				}
				rows = append(rows, r)
			}
			e.Rows = append(e.Rows, rows)
		}
		fig.Environments = append(fig.Environments, e)
	}
	return fig
}
