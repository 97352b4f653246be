package pde

import (
	"image"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
)

// Another run is shown if the first one has wrong modes, and these are named and drawn as well.
func TestFigure7ShowsAGoodRun(t *testing.T) {
	own, kept := Figure8().Experiments(run.Paper), Figure7().Experiments(run.Paper)
	require.Len(t, kept, len(own)+1)
	shown := own[0].With([]int64{2}).(Experiment)
	shown.Picture = true
	require.Equal(t, shown, kept[len(own)])
	require.Equal(t, Figure8().Experiments(run.Quick), Figure7().Experiments(run.Quick))

	first := resultWithErrors(Well(run.Smoke), 0.5, 0.5)
	_, err := newPictures(Numbers{Results: []*Result{first}})
	require.ErrorContains(t, err, "no functions of seed 1")
	_, lowest := testkit.Must2(first.Config.lowest(3))
	first.Picture = columns(testkit.Must(lowest.OnPoints(testkit.Must(Midpoint(pictureSide, 5)).Points)), 3)
	first.Runs[0].Angles, first.Runs[1].Angles = []float64{0, 0.5, 0}, []float64{0, 0, 0}
	good, other := *first, *first
	good.Config.Picture, good.Config.Seeds, good.Runs = true, []int64{2}, first.Runs[1:]
	other.Config.Method = "lora_seq"
	note := func(results ...*Result) string {
		return testkit.Must(newPictures(Numbers{Results: results})).Data.(Pictures).Note
	}
	require.Contains(t, note(first), "seed 1. Its modes more than 0.3 rad from the exact ones: 2. Such modes appear")
	both := note(first, &other, &good)
	require.Contains(t, both, "OMM-seq: the run shown has seed 2. Its modes more than 0.3 rad from the exact ones: "+
		"none. Such modes appear in 1 of 2 runs, among them 2 of seed 1 in the last row.")
	require.Contains(t, both, "LoRA-seq: the run shown has seed 1", "of two methods one may have a run shown")
}

// Panels are cropped to the points, around the centre, that are not white.
func TestColouredPart(t *testing.T) {
	m := make([]float64, pictureSide*pictureSide)
	centre := pictureSide/2 - 1
	m[centre*pictureSide+centre] = -1
	assert.Equal(t, 2, coloured(m))
	m[(centre-2)*pictureSide+centre] = 0.07 // white: less than 1/13 of the largest |value|
	assert.Equal(t, 2, coloured(m))
	m[(centre-2)*pictureSide+centre] = 0.08
	assert.Equal(t, 6, coloured(m))
	panels := draw.Panels{Rows: []draw.PanelRow{{Maps: [][]float64{slices.Clone(m)}}}}
	require.NoError(t, crop(&panels, []*Result{resultWithErrors(Well(run.Smoke), 0.5)}))
	part := make([]float64, 6*6)
	part[2], part[2*6+2] = 0.08, -1
	assert.Equal(t, part, panels.Rows[0].Maps[0])
	assert.Equal(t, " Maps are on [−0.78, 0.78]².", panels.Note, "5/32 of the box")
	m[pictureSide*pictureSide-1] = 1
	assert.Equal(t, pictureSide, coloured(m))
	assert.Zero(t, coloured(nil))
}

func TestWrongAndCells(t *testing.T) {
	r := resultWithErrors(Well(run.Smoke), 0.4, 0.4)
	r.Runs[1].Errors, r.Runs[1].Angles = []float64{0.7, 0, 0}, []float64{0.2, 0.9, 0}
	energies, functions := Wrong(r, 0.5, 0.5)
	assert.Equal(t, []int{1}, energies)
	assert.Equal(t, []int{2}, functions)
	r.Runs[1].Diverged = 3

	data := VariantsData{Rows: []VariantRow{newVariantRow("first", *r), newVariantRow("second", *r)}}
	row := testkit.Must(data.Row("second"))
	assert.Equal(t, []string{"0.40", "0.40", "1 of 2"}, row.Cells(2))
	_, err := data.Row("third")
	assert.ErrorContains(t, err, `"third"`)
}

func TestFiguresAndMeansLeaveOutDivergedRuns(t *testing.T) {
	r := &Result{Config: Experiment{Method: "sanger", K: 2}, Runs: []Run{
		{Errors: []float64{0.1, 0.3}, Angles: []float64{1, 2}, Subspaces: []float64{0.5}},
		{Diverged: 7},
		{Errors: []float64{0.3, 0.5}, Angles: []float64{3, 2}, Subspaces: []float64{1}},
	}}
	n := Numbers{Results: []*Result{r}}
	n.Note = "Quick. Each mark is one run."
	row := testkit.Must(n.row())
	require.Len(t, row.Plots, 3)
	assert.Equal(t, "Quick.", row.Note)
	for i, want := range [][]float64{{0.3, 0.5}, {3, 2}, {1}} {
		require.Len(t, row.Plots[i].Series, 2)
		assert.Equal(t, want, row.Plots[i].Series[1].Y)
	}
	_ = testkit.Must(row.Figure())
	variant := newVariantRow("two of three", *r)
	assert.InDelta(t, 0.3, *variant.Error, 1e-12)
	assert.InDelta(t, math.Sqrt(0.02), *variant.ErrorStd, 1e-12)
	assert.InDelta(t, 0.75, *variant.Subspace, 1e-12)

	gone := &Result{Config: r.Config, Runs: []Run{{Diverged: 1}}}
	assert.Contains(t, VariantsData{Rows: []VariantRow{newVariantRow("none", *gone)}}.Text().Rows[0],
		"all runs diverged")
	n.Results = append(n.Results, gone)
	_, err := n.row()
	require.ErrorContains(t, err, "diverged")
}

func TestRelativeErrors(t *testing.T) {
	got := testkit.Must(RelativeErrors([]float64{1.1, -0.3}, []float64{1, -0.25, 7}))
	assert.InDeltaSlice(t, []float64{0.1, 0.2}, got, 1e-15)

	for word, c := range map[string][2][]float64{"2 estimates": {{1, 2}, {1}}, "eigenvalue 0": {{1}, {0}},
		"estimate 0": {{math.NaN()}, {1}}} {
		_, err := RelativeErrors(c[0], c[1])
		assert.ErrorContains(t, err, word)
	}
}

// A run whose last modes are wrong has a row that begins with a block, where a row has its label.
func TestRowOfLostModes(t *testing.T) {
	learned := make([][]float64, 12)
	for i := range learned {
		learned[i] = []float64{float64(i)}
	}
	r := Run{Seed: 1, Angles: []float64{0, 0, 0, 0, 0, 0, 0, 0, 0, 0.5, 0.5, 0, 1, 1}}
	row := lost(r, learned)
	assert.Equal(t, "seed 1: 2 modes lost", row.Label)
	assert.Nil(t, row.Maps[7])
	assert.Equal(t, learned[8:], row.Maps[8:])
	assert.Equal(t, []string{"", "lost", "lost", ""}, row.Titles[8:])
	assert.Empty(t, lost(Run{Angles: []float64{0, 0}}, learned))
}

// The profile has a mark where the function has its value, over the exact line.
func TestProfileOfTheGroundState(t *testing.T) {
	e := Hydrogen(run.Paper, "sanger")
	psi := make([]float64, pictureSide*pictureSide)
	centre := pictureSide / 2
	psi[centre*pictureSide+centre] = 0.02 // of norm 2: 0.01 at |x| = 3.25
	r := &Result{Config: e, Runs: []Run{{Norms: []float64{2}}}, Picture: [][]float64{psi}}
	line, marked := testkit.Must(profile(nil, e)), testkit.Must(profile(r, e))
	var middle, pixels image.Point
	side := line.Bounds().Dx()
	for x := range side {
		for y := range side {
			if line.At(x, y) != marked.At(x, y) {
				middle, pixels = middle.Add(image.Pt(x, y)), pixels.Add(image.Pt(1, 1))
			}
		}
	}
	require.Positive(t, pixels.X)
	assert.InDelta(t, 3.25/profileEnd*float64(side), middle.X/pixels.X, 6)
	assert.InDelta(t, 2./5*float64(side), middle.Y/pixels.Y, 6)
}
