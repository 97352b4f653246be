package draw

import (
	"math"
	"math/rand/v2"
)

// fakeNames are the environments of the paper; the number is that of the states.
var fakeNames = []struct {
	name   string
	states int
	hard   bool
}{
	{"GridMaze-7", 11, false}, {"GridMaze-9", 13, false}, {"GridMaze-17", 87, false}, {"GridMaze-19", 161, false},
	{"GridMaze-26", 388, true}, {"GridMaze-32", 475, true}, {"GridRoom-1", 225, false}, {"GridRoom-4", 104, false},
	{"GridRoomSym-4", 104, false}, {"GridRoom-16", 271, false}, {"GridRoom-32", 544, true}, {"GridRoom-64", 1088, true},
}

// fakeFig1 makes up a figure 1 with the paper's environments and two panels: spectra like those of a path graph of that
// many states, hard instances with a spread of runs, references in the first panel, one row not run, one with some
// diverged runs and one with nothing else.
func fakeFig1() Fig1 {
	rng := rand.New(rand.NewPCG(1, 2))
	fig := Fig1{Note: "Quick profile: 1–4 runs and 10,000–80,000 steps per environment; not the paper's full protocol.",
		Panels: []string{"the public code's protocol", "the printed protocol"}}
	methods := []struct {
		name   string
		runs   int
		beyond bool
	}{{"OMM-seq", 4, false}, {"OMM-joint", 4, false}, {"ALLO", 10, false}, {"OMM-seq, all pairs (ours)", 4, true}}
	for i, n := range fakeNames {
		e := Fig1Environment{Name: n.name, Hard: n.hard, Generated: n.hard && i < 6}
		scale := 0.4 / math.Pow(float64(n.states), 1.2)
		for j := range 11 {
			e.Spectrum = append(e.Spectrum, scale*math.Pow(float64(j), 1.6))
		}
		for panel := range fig.Panels {
			var rows []Fig1Row
			for k, m := range methods {
				notRun := false
				r := Fig1Row{Method: m.name, Beyond: m.beyond}
				level, spread := 0.99-0.03*rng.Float64(), 0.004
				if n.hard {
					level, spread = 0.55+0.25*rng.Float64(), 0.06
				}
				switch {
				case i == 11 && k == 2:
					notRun = true
				case i == 10 && k == 2:
					r.Diverged = 3
				case i == 9 && k == 1:
					r.Diverged = m.runs
				}
				for range m.runs - r.Diverged {
					if !notRun {
						r.Runs = append(r.Runs, min(1, level+spread*rng.NormFloat64()))
					}
				}
				if reference := min(1, level+0.02*rng.NormFloat64()); panel == 0 && !m.beyond {
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
