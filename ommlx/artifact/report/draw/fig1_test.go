package draw

import (
	"cmp"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg"
)

// fakeFig1 makes up a figure 1 with the paper's environments and two panels: hard instances with a spread of runs,
// references in the first panel, one row not run, one with some diverged runs and one with nothing else.
func fakeFig1() Fig1 {
	fig := Fig1{Note: "Quick profile: 1–4 runs and 10,000–80,000 steps per environment; not the paper's full protocol.",
		Panels: []string{"the public code's protocol", "the printed protocol"}}
	for i, name := range strings.Fields("GridMaze-7 GridMaze-9 GridMaze-17 GridMaze-19 GridMaze-26 GridMaze-32 " +
		"GridRoom-1 GridRoom-4 GridRoomSym-4 GridRoom-16 GridRoom-32 GridRoom-64") {
		maze := i == 4 || i == 5
		e := Fig1Environment{Name: name, Hard: maze || i >= 10, Rows: make([][]Fig1Row, 2)}
		for j := range 11 {
			e.Spectrum = append(e.Spectrum, 0.02*math.Pow(float64(j), 1.6)*math.Pow(0.6, float64(i)))
		}
		for k, method := range []string{"OMM-seq", "OMM-joint", "ALLO", "OMM-seq, all pairs (ours)"} {
			level, spread := 0.99-0.007*float64((i+k)%5), 0.004
			if e.Hard {
				level, spread = 0.8-0.06*float64((i+k)%5), 0.06
			}
			r := Fig1Row{Method: method, Beyond: k == 3, Runs: []float64{level - spread, level, level + spread, level}}
			switch {
			case i == 11 && k == 2:
				r.Runs = nil
			case i == 10 && k == 2:
				r.Runs, r.Diverged = r.Runs[:1], 3
			case i == 9 && k == 1:
				r.Runs, r.Diverged = nil, 4
			}
			for panel := range e.Rows {
				if reference := level - 0.02; panel == 0 && !r.Beyond {
					r.Reference = &reference
				}
				e.Rows[panel] = append(e.Rows[panel], r)
				r.Reference = nil
			}
		}
		fig.Environments = append(fig.Environments, e)
	}
	return fig
}

// smallFig1 has three environments, two panels and four methods, each with one run of the given value.
func smallFig1(value float64) Fig1 {
	fig := Fig1{Note: "test", Panels: []string{"theirs", "printed"}}
	for _, name := range []string{"a", "b", "c"} {
		e := Fig1Environment{Name: name, Spectrum: []float64{0, 0.01, 0.1, 1}}
		for range fig.Panels {
			var rows []Fig1Row
			for _, method := range []string{"x", "y", "z", "all"} {
				rows = append(rows,
					Fig1Row{Method: method, Beyond: method == "all", Runs: []float64{value}})
			}
			e.Rows = append(e.Rows, rows)
		}
		fig.Environments = append(fig.Environments, e)
	}
	fig.Environments[0].Rows[0][0].Runs[0] = 0 // the axes begin at 0
	return fig
}

// marksOf are the centres of the marks of a colour and a shape without those of the legend, from the top and in a row
// from the left.
func (r recording) marksOf(c color.Color, filled bool, sizes ...vg.Length) (all []vg.Point) {
	legend := r.at("x").Min.Y
	for _, p := range r.of(c, filled) {
		if size := p.Size().X; size > sizes[0] && size < sizes[1] && p.Max.Y < legend-1 {
			all = append(all, middle(p.Rectangle))
		}
	}
	slices.SortFunc(all, func(a, b vg.Point) int {
		if math.Abs(float64(a.Y-b.Y)) > 0.1 {
			return cmp.Compare(b.Y, a.Y)
		}
		return cmp.Compare(a.X, b.X)
	})
	return all
}

func TestFigure1IsLegible(t *testing.T) {
	one := 1.0
	extreme := fakeFig1()
	for panel := range extreme.Panels {
		extreme.Environments[0].Rows[panel][0] = Fig1Row{Method: "OMM-seq", Runs: []float64{0, 0, 1}, Diverged: 1}
		extreme.Environments[1].Rows[panel][1] = Fig1Row{Method: "OMM-joint", Reference: &one,
			Runs: []float64{1, 1, 0.7}}
		extreme.Environments[2].Rows[panel][2] = Fig1Row{Method: "ALLO", Reference: new(float64)}
	}
	extreme.Environments[8].Hard = true
	extreme.Panels[0] = "a title that is far too long for the width of its panel"
	single, shorter := fakeFig1(), fakeFig1()
	single.Panels = single.Panels[:1]
	for i, e := range shorter.Environments {
		single.Environments[i].Rows = single.Environments[i].Rows[:1]
		shorter.Environments[i].Rows[0] = e.Rows[0][:len(e.Rows[0])-1]
	}
	for _, f := range []Fig1{fakeFig1(), extreme, single, shorter} {
		assertLegible(t, f, 2, white, gridInk, ruleInk, beyondGround)
	}
}

// The mean of each row stands at its value, methods and environments go downwards, and panels to the right.
func TestEveryMeanStandsInItsRowAtItsValue(t *testing.T) {
	f, n := smallFig1(0), 0
	for _, e := range f.Environments {
		for j := range e.Rows[0] {
			for panel := range e.Rows {
				e.Rows[panel][j].Runs[0] = 0.04 * float64(n)
				n++
			}
		}
	}
	r := record(f)
	var all [][]vg.Point
	for _, s := range newFig1Layout(f).styles {
		all = append(all, r.marksOf(s.color, true, 2, 6))
	}
	for j, points := range all {
		require.Len(t, points, 6, "three environments, two panels")
		for i := range 3 {
			left, right := points[2*i], points[2*i+1]
			value := 0.04 * float64(8*i+2*j)
			// 0 and 0.32 are drawn by the first method.
			unit := float64(all[0][2].X-all[0][0].X) / 0.32
			assert.InDelta(t, float64(all[0][0].X)+unit*value, float64(left.X), 0.05)
			assert.InDelta(t, float64(all[0][1].X)+unit*value, float64(right.X), 0.05)
			if j > 0 {
				assert.InDelta(t, rowHeight, float64(all[j-1][2*i].Y-left.Y), 1)
			}
		}
	}
}

// Several runs have an interval of ±1 σ and a dot each. What goes beyond the paper has a dashed interval on a ground.
func TestIntervalsAndRuns(t *testing.T) {
	f, std := smallFig1(0.5), 0.1*math.Sqrt2
	for j := range 4 {
		f.Environments[1].Rows[0][j].Runs = []float64{0.4, 0.6}
	}
	r := record(f)
	for j, s := range newFig1Layout(f).styles {
		dots := r.marksOf(transparent(s.color, 0x78), true, 1, 2)
		require.Len(t, dots, 2)
		unit := math.Abs(float64(dots[1].X-dots[0].X)) / 0.2
		line := slices.IndexFunc(r.paths, func(p recorded) bool {
			return !p.filled && same(s.color, p.color) && p.Size().X > 15 && p.Size().X < 60
		})
		require.GreaterOrEqual(t, line, 0)
		assert.InDelta(t, 2*std*unit, float64(r.paths[line].Size().X), 0.1)
		assert.Equal(t, j == 3, r.paths[line].dashed)
	}
	assert.Contains(t, r.words(), "beyond the paper: all")
	assert.Contains(t, r.words(), "one run")
}

// A reference is an outline, and the mean on top of it is smaller: both are seen where they coincide.
func TestReferencesAreOpen(t *testing.T) {
	f, half := smallFig1(0.5), 0.5
	f.Environments[1].Rows[0][1].Reference = &half
	r := record(f)
	open, means := r.marksOf(skyBlue, false, 4, 9), r.marksOf(skyBlue, true, 2, 5)
	require.Len(t, open, 1)
	assert.InDelta(t, float64(means[2].X), float64(open[0].X), 1e-6)
	assert.InDelta(t, float64(means[2].Y), float64(open[0].Y), 1e-6)
	const words = "open: mean of the authors' logged runs"
	assert.Contains(t, r.words(), words)
	assert.NotContains(t, record(smallFig1(0.5)).words(), words)
}

func TestAxesBeginAtTheLastFifthBelowAllNumbers(t *testing.T) {
	for lowest, want := range map[float64]float64{0: 0, 0.19: 0, 0.45: 0.4, 0.81: 0.8, 0.99: 0.8, 1: 0.8} {
		f := smallFig1(1)
		f.Environments[0].Rows[0][0].Runs[0] = 1
		f.Environments[2].Rows[1][3].Reference = &lowest
		assert.InDelta(t, want, f.low(), 1e-9, "%v", lowest)
	}
}

// A row without runs has the reason in it.
func TestFigure1TellsWhatAReaderMustKnow(t *testing.T) {
	f := smallFig1(1)
	f.Environments[1].Rows[1][1] = Fig1Row{Method: "y"}
	f.Environments[2].Rows[0][1] = Fig1Row{Method: "y", Diverged: 2}
	words := record(f).words()
	assert.Contains(t, words, "not run")
	assert.Contains(t, words, "diverged")
}

// Each eigenvalue has its mark beside the rows of its environment: a dot, or two strokes where the instance is hard.
func TestHardAndDisconnectedSpectraAreDrawn(t *testing.T) {
	f := smallFig1(1)
	f.Environments[1].Hard = true
	f.Environments[2].Spectrum[1] = -1e-17 // a second zero up to rounding: two parts
	r := record(f)
	dots, strokes := r.marksOf(grey, true, 1, 2), r.marksOf(ink, false, 2, 2.5)
	require.Len(t, dots, 8)
	require.Len(t, strokes, 8)
	assert.Greater(t, dots[1].X, dots[0].X+5)
	assert.Equal(t, dots[4].X, dots[5].X, "both stand at 0")
	assert.InDelta(t, float64(dots[2].X-dots[1].X), float64(dots[3].X-dots[2].X), 1e-6, "0.01, 0.1 and 1")
	assert.Contains(t, r.words(), "× hard")
}
