package draw

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg"
)

// smallFig1 has three environments, two panels and four methods, each with one run of the given value.
func smallFig1(value float64) Fig1 {
	fig := Fig1{Note: "test", Panels: []string{"theirs", "printed"}}
	for _, name := range []string{"a", "b", "c"} {
		e := Fig1Environment{Name: name, Spectrum: []float64{0, 0.01, 0.1, 1}}
		for range fig.Panels {
			var rows []Fig1Row
			for _, method := range []string{"x", "y", "z", "all"} {
				rows = append(rows,
					Fig1Row{Method: method, Beyond: method == "all", Runs: []float64{value}, Steps: 10})
			}
			e.Rows = append(e.Rows, rows)
		}
		fig.Environments = append(fig.Environments, e)
	}
	fig.Environments[0].Rows[0][0].Runs[0] = 0 // the axes begin at 0
	return fig
}

// draftFig1 lays a figure out and lists what it draws.
func draftFig1(t *testing.T, f Fig1) (fig1Layout, recording) {
	t.Helper()
	fig, err := f.Figure()
	require.NoError(t, err)
	return newFig1Layout(f), record(fig)
}

// row is the box of a row.
func (l fig1Layout) row(panel, i, j int) vg.Rectangle {
	c, y := l.columns[panel], l.y(i, j)
	return rectangle(c.from, y-rowHeight/2, c.to, y+rowHeight/2)
}

// onePanel leaves only the first panel.
func onePanel(f Fig1) Fig1 {
	f.Panels = f.Panels[:1]
	for i := range f.Environments {
		f.Environments[i].Rows = f.Environments[i].Rows[:1]
	}
	return f
}

// shorter lacks the last method in its first panel.
func shorter() Fig1 {
	f := fakeFig1()
	for i, e := range f.Environments {
		f.Environments[i].Rows[0] = e.Rows[0][:len(e.Rows[0])-1]
	}
	return f
}

// extreme has rows at both ends of the axis, with intervals that reach beyond, words and long names.
func extreme() Fig1 {
	f := fakeFig1()
	one := 1.0
	for panel := range f.Panels {
		f.Environments[0].Rows[panel][0] = Fig1Row{Method: "OMM-seq", Runs: []float64{0, 0, 1}, Diverged: 1}
		f.Environments[1].Rows[panel][1] = Fig1Row{Method: "OMM-joint", Runs: []float64{1, 1, 0.7}, Reference: &one}
		f.Environments[2].Rows[panel][2] = Fig1Row{Method: "ALLO", Reference: new(float64), NotRun: true}
		f.Environments[3].Rows[panel][2] = Fig1Row{Method: "ALLO", Runs: []float64{0.45, 0.55}, Diverged: 2}
	}
	f.Environments[8].Hard, f.Environments[8].Generated = true, true
	f.Panels[0] = "a title that is far too long for the width of its panel"
	return f
}

func TestFigure1IsLegible(t *testing.T) {
	few := smallFig1(0.3)
	for i := range few.Environments {
		for panel, rows := range few.Environments[i].Rows {
			few.Environments[i].Rows[panel] = rows[:1]
		}
		few.Environments[i].Hard = true
	}
	for _, f := range []Fig1{fakeFig1(), onePanel(fakeFig1()), extreme(), onePanel(extreme()), few, shorter()} {
		fig, err := f.Figure()
		require.NoError(t, err)
		assertLegible(t, fig, figureMargin-0.5, white, gridInk, ruleInk, beyondGround)
		for _, c := range newFig1Layout(f).columns {
			assert.GreaterOrEqual(t, float64(c.to-c.from)*DPI/72, 300.0, "pixels of a panel")
		}
	}
}

// A coloured mark stands in a panel of rows, or in the legend above them.
func TestMarksStayInTheirPanels(t *testing.T) {
	for _, f := range []Fig1{fakeFig1(), extreme(), onePanel(extreme())} {
		l, r := draftFig1(t, f)
		for _, p := range r.paths {
			if !same(p.color, blue) && !same(p.color, skyBlue) && !same(p.color, vermillion) {
				continue
			}
			inside := p.Min.Y > l.top()+l.titleHeight()
			for _, c := range l.columns[:len(f.Panels)] {
				inside = inside || within(p.Rectangle, rectangle(c.from, l.bottom, c.to, l.top()))
			}
			assert.True(t, inside, "%+v", p)
		}
	}
}

func TestEveryMeanStandsInItsRowAtItsValue(t *testing.T) {
	f, n := smallFig1(0), 0
	value := func() float64 { return 0.04 * float64(n) }
	for _, e := range f.Environments {
		for _, rows := range e.Rows {
			for j := range rows {
				rows[j].Runs[0] = value()
				n++
			}
		}
	}
	l, r := draftFig1(t, f)
	n = 0
	for i := range 3 {
		for panel := range 2 {
			for j, s := range l.styles {
				marks := r.marks(l.row(panel, i, j))
				require.Len(t, marks, 1)
				assert.True(t, marks[0].filled && same(marks[0].color, s.color))
				assert.InDelta(t, float64(l.x(panel, value())), float64(middle(marks[0].Rectangle).X), 1e-6)
				n++
			}
			assert.Greater(t, l.y(i, 0), l.y(i, 1), "rows go downwards")
		}
	}
	assert.InDelta(t, float64(l.x(1, 0)+l.x(1, 1))/2, float64(l.x(1, 0.5)), 1e-9)
	assert.Greater(t, l.x(1, 0), l.x(0, 1))
}

// Several runs have an interval of ±1 σ and a dot each. What goes beyond the paper stands on a ground of its own and
// has a dashed interval.
func TestIntervalsAndRuns(t *testing.T) {
	f, std := smallFig1(0.5), 0.1*math.Sqrt2
	for j := range 4 {
		f.Environments[1].Rows[0][j].Runs = []float64{0.4, 0.6}
	}
	l, r := draftFig1(t, f)
	for j, s := range l.styles {
		box := l.row(0, 1, j)
		marks := r.marks(box)
		require.Len(t, marks, 6, "a line with two caps, two runs and the mean")
		assert.InDelta(t, float64(l.x(0, 0.5-std)), float64(marks[0].Min.X), 1e-9)
		assert.InDelta(t, float64(l.x(0, 0.5+std)), float64(marks[0].Max.X), 1e-9)
		assert.Equal(t, j == 3, marks[0].dashed)
		for k, run := range []float64{0.4, 0.6} {
			assert.InDelta(t, float64(l.x(0, run)), float64(middle(marks[3+k].Rectangle).X), 1e-9)
			assert.True(t, same(marks[3+k].color, faint(s.color)))
		}
		ground := slices.ContainsFunc(r.paths, func(p recordedPath) bool {
			return p.filled && p.Rectangle == box && same(p.color, beyondGround)
		})
		assert.Equal(t, j == 3, ground)
	}
	assert.Contains(t, l.methodKeys()[3].label, "beyond the paper")
}

// A reference is an outline with white inside, and the mean on top of it is smaller: both are seen where they coincide.
func TestReferencesAreOpen(t *testing.T) {
	f := smallFig1(0.5)
	for j, value := range []float64{0.8, 0.5, 0.3, 0.5} {
		f.Environments[1].Rows[0][j].Reference = &value
	}
	l, r := draftFig1(t, f)
	for j, s := range l.styles {
		marks := r.marks(l.row(0, 1, j))
		require.Len(t, marks, 3)
		inside, outline, mean := marks[0], marks[1], marks[2]
		assert.True(t, inside.filled && same(inside.color, white) && inside.Rectangle == outline.Rectangle)
		assert.True(t, !outline.filled && same(outline.color, s.color) && mean.filled && same(mean.color, s.color))
		at := float64(l.x(0, *f.Environments[1].Rows[0][j].Reference))
		assert.InDelta(t, at, float64(middle(outline.Rectangle).X), 1e-6)
		assert.Greater(t, outline.Size().X, mean.Size().X+1.5)
	}
	const open = "open: mean of the public code's own runs"
	assert.Contains(t, r.words(), open)
	_, r = draftFig1(t, smallFig1(0.5))
	assert.NotContains(t, r.words(), open)
}

// What a row says stands in it; what has no room there stands below the figure.
func TestRowsSayWhatDidNotRun(t *testing.T) {
	f := smallFig1(0.9)
	f.Environments[1].Rows[1][1] = Fig1Row{Method: "y", NotRun: true}
	f.Environments[2].Rows[0][0].Diverged = 3
	f.Environments[2].Rows[0][1] = Fig1Row{Method: "y", Diverged: 2}
	f.Environments[2].Rows[0][2].Runs, f.Environments[2].Rows[0][2].Diverged = []float64{0, 1}, 1
	l, r := draftFig1(t, f)
	for words, box := range map[string]vg.Rectangle{
		"not run": l.row(1, 1, 1), "diverged 3 of 4": l.row(0, 2, 0), "diverged 2 of 2": l.row(0, 2, 1),
	} {
		at := slices.Index(r.words(), words)
		require.GreaterOrEqual(t, at, 0, words)
		assert.True(t, within(r.texts[at].Rectangle, box), words)
	}
	assert.Equal(t, []string{"z on c, theirs, diverged 1 of 3"}, l.missing())
	assert.Contains(t, strings.Join(l.notes, " "), l.missing()[0])
}

func TestAxesBeginAtTheLastFifthBelowAllNumbers(t *testing.T) {
	for lowest, want := range map[float64]float64{0: 0, 0.19: 0, 0.45: 0.4, 0.81: 0.8, 0.99: 0.8, 1: 0.8} {
		f := smallFig1(1)
		f.Environments[0].Rows[0][0].Runs[0] = 1
		f.Environments[2].Rows[1][3].Reference = &lowest
		assert.InDelta(t, want, f.low(), 1e-9, "%v", lowest)
		assert.Equal(t, want > 0, strings.Contains(strings.Join(newFig1Layout(f).notes, " "), "begin at"))
	}
}

func TestNotesTellWhatAReaderMustKnow(t *testing.T) {
	notes := strings.Join(newFig1Layout(fakeFig1()).notes, " ")
	assert.Contains(t, notes, "not the paper's full protocol")
	assert.Contains(t, notes, "(stand-in): our maze")
	assert.Contains(t, notes, "Diverged runs are left out")
	assert.Contains(t, notes, "OMM-seq 4×10,000–80,000")
	f := smallFig1(1)
	plain := strings.Join(newFig1Layout(f).notes, " ")
	assert.NotContains(t, plain, "maze")
	assert.NotContains(t, plain, "iverged")
	assert.NotContains(t, plain, "printed", "the panels have the same runs")
	f.Environments[0].Rows[1][0].Steps = 20
	assert.Contains(t, strings.Join(newFig1Layout(f).notes, " "), "printed: x 1×10–20")
}

// Each eigenvalue has its mark beside the rows of its environment: a dot, or two strokes where the instance is hard.
func TestHardAndDisconnectedSpectraAreDrawn(t *testing.T) {
	f := smallFig1(1)
	f.Environments[1].Hard = true
	f.Environments[2].Spectrum[1] = -1e-17 // a second zero up to rounding: two parts
	l, r := draftFig1(t, f)
	column := l.columns[2]
	for i, want := range []int{4, 8, 4} {
		top := l.top() - vg.Length(i)*l.block
		marks := slices.DeleteFunc(r.marks(rectangle(column.from, top-l.block, column.to, top)),
			func(p recordedPath) bool { return p.Max.X-p.Min.X > 3 }) // the line between them
		require.Len(t, marks, want)
		second := middle(marks[want/4].Rectangle).X
		assert.Equal(t, i == 2, second == middle(marks[0].Rectangle).X, "environment %d", i)
	}
	hard := r.texts[slices.Index(r.words(), "× hard")]
	assert.True(t, hard.Min.Y > l.y(1, 3) && hard.Max.Y < l.y(1, 0))
}

func TestFig1Refuses(t *testing.T) {
	row := func(f *Fig1) *Fig1Row { return &f.Environments[2].Rows[1][0] }
	beyond := 1.5
	for want, spoil := range map[string]func(*Fig1){
		"note":            func(f *Fig1) { f.Note = " " },
		"0 panels":        func(f *Fig1) { f.Panels = nil },
		"with a title":    func(f *Fig1) { f.Panels[1] = "" },
		"there are 1 tit": func(f *Fig1) { f.Panels = f.Panels[:1] },
		"environments":    func(f *Fig1) { f.Environments = nil },
		"used twice":      func(f *Fig1) { f.Environments[1].Name = "a" },
		"no rows":         func(f *Fig1) { f.Environments[0].Rows[0] = nil },
		"differ":          func(f *Fig1) { f.Environments[1].Rows[1] = f.Environments[1].Rows[1][:2] },
		"run 1":           func(f *Fig1) { row(f).Runs[0] = math.NaN() },
		"of 1.2, outside": func(f *Fig1) { row(f).Runs[0] = 1.2 },
		"the reference":   func(f *Fig1) { row(f).Reference = &beyond },
		"NotRun":          func(f *Fig1) { row(f).Runs = nil },
		"negative":        func(f *Fig1) { row(f).Diverged = -1 },
		"same number":     func(f *Fig1) { f.Environments[2].Spectrum = []float64{0, 1} },
		"not 0":           func(f *Fig1) { f.Environments[2].Spectrum[0] = 0.1 },
		"ascending":       func(f *Fig1) { f.Environments[2].Spectrum[3] = 0.05 },
		"not a finite":    func(f *Fig1) { f.Environments[2].Spectrum[3] = math.Inf(1) },
		"can be nega":     func(f *Fig1) { f.Environments[2].Spectrum[1] = -0.5 },
		"no moves":        func(f *Fig1) { f.Environments[2].Spectrum = make([]float64, 4) },
		"appears twice": func(f *Fig1) {
			for _, e := range f.Environments {
				e.Rows[0][1].Method, e.Rows[1][1].Method = "x", "x"
			}
		},
		"at most": func(f *Fig1) {
			f.Environments = f.Environments[:1]
			for panel, rows := range f.Environments[0].Rows {
				more := []Fig1Row{{Method: "m", Runs: []float64{1}}, {Method: "n", Runs: []float64{1}}}
				f.Environments[0].Rows[panel] = append(rows, more...)
			}
		},
	} {
		fig := smallFig1(0.5)
		spoil(&fig)
		_, err := fig.Figure()
		assert.ErrorContains(t, err, want)
	}
}
