package draw

import (
	"image"
	"image/color"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/testkit"
)

// fakeScores are two maps of two rows and three columns: one cell was not run, one diverged.
func fakeScores() Scores {
	m := func(title string) ScoreMap {
		return ScoreMap{Title: title, Beside: ScoreCell{Score: 0.75}, Best: &ScorePlace{1, 1}, Cells: [][]ScoreCell{
			{{Score: 0.5}, {Score: 0.7}, {Empty: "not run"}},
			{{Score: 0.6}, {Score: 1}, {Empty: "diverged"}},
		}}
	}
	return Scores{Note: "A note.", XLabel: "rate", YLabel: "start", X: []string{"1", "2", "3"}, Y: []string{"a", "b"},
		Score: "score", Beside: "other", Best: "best", Marks: []ScoreMark{{"theirs", 0, 1}, {"first", 1, 0}},
		Maps: []ScoreMap{m("one"), m("two")}}
}

// unchanged are the pixels of fakeScores.
var unchanged = sync.OnceValue(func() image.Image { return testkit.Must(fakeScores().Figure()).pixels() })

// scoreBox is where a figure changes when a cell does.
func scoreBox(t *testing.T, change func(*Scores)) image.Rectangle {
	t.Helper()
	f := fakeScores()
	change(&f)
	return difference(t, unchanged(), drawn(t, f))
}

// A score stands in its own cell and in no other: rows go downwards, columns to the right, maps downwards, and the
// other method stands to the right of all of them.
func TestEveryScoreHasItsPlace(t *testing.T) {
	var at [2][2][3]image.Rectangle
	for m := range at {
		for row := range at[m] {
			for col := range at[m][row] {
				at[m][row][col] = scoreBox(t, func(f *Scores) { f.Maps[m].Cells[row][col] = ScoreCell{Score: 0.85} })
			}
		}
		beside := scoreBox(t, func(f *Scores) { f.Maps[m].Beside.Score = 0.85 })
		assert.Less(t, at[m][0][2].Max.X, beside.Min.X)
		for col := range 2 {
			assert.LessOrEqual(t, at[m][0][col].Max.X, at[m][0][col+1].Min.X+1, "neighbours share a line")
			assert.LessOrEqual(t, at[m][0][col].Max.Y, at[m][1][0].Min.Y+1)
		}
	}
	assert.Less(t, at[0][1][0].Max.Y, at[1][0][0].Min.Y)
}

// The colour of a cell is that of its share of the scale, which is one for all maps.
func TestScoresAreColouredOnOneScale(t *testing.T) {
	f := fakeScores()
	low, high := f.bounds()
	assert.Equal(t, [2]float64{0.5, 1}, [2]float64{low, high})
	for _, score := range []float64{0.6, 0.9} {
		change := func(f *Scores) { f.Maps[1].Cells[0][2] = ScoreCell{Score: score} }
		box := scoreBox(t, change)
		change(&f)
		img := drawn(t, f)
		assert.True(t, same(img.At(box.Min.X+8, box.Min.Y+8), scoreColour((score-0.5)/0.5)), "%g", score)
	}
	f.Maps[0].Beside.Score = 0.31
	low, high = f.bounds()
	assert.InDelta(t, 0.3, low, 1e-12)
	assert.InDelta(t, 1, high, 1e-12)
	assert.Less(t, lightness(scoreColour(0.9)), lightness(scoreColour(0.2)), "higher is darker, also in grey")
}

// A mark changes its pair in every map, and the best pair only its own map.
func TestScoresAreMarked(t *testing.T) {
	without := fakeScores()
	without.Marks[1] = ScoreMark{"first", 1, 2}
	img := drawn(t, without)
	for m := range 2 {
		box := scoreBox(t, func(f *Scores) { f.Maps[m].Cells[1][0].Score = 0.5 })
		box.Max.X += 3
		assert.Positive(t, pixels(unchanged(), box, ink)-pixels(img, box, ink), "map %d", m)
	}
	one := scoreBox(t, func(f *Scores) { f.Maps[0].Best = nil })
	two := scoreBox(t, func(f *Scores) { f.Maps[1].Best = nil })
	assert.True(t, one.Max.Y < two.Min.Y && !one.Empty(), "%v %v", one, two)
}

// pixels counts those of a colour.
func pixels(img image.Image, box image.Rectangle, c color.Color) (count int) {
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			if same(img.At(x, y), c) {
				count++
			}
		}
	}
	return count
}

// Maps without a single score can be drawn, in all formats.
func TestBlankScoresAreDrawn(t *testing.T) {
	f := fakeScores()
	f.Maps = f.Maps[:1]
	f.Maps[0] = ScoreMap{Title: "none", Cells: [][]ScoreCell{make([]ScoreCell, 3), make([]ScoreCell, 3)}}
	for _, row := range f.Maps[0].Cells {
		for i := range row {
			row[i].Empty = "not run"
		}
	}
	f.Maps[0].Beside.Empty = "not run"
	low, high := f.bounds()
	assert.Equal(t, [2]float64{0, 1}, [2]float64{low, high})
	require.NoError(t, Save(testkit.Must(f.Figure()), t.TempDir()+"/blank"))
	assert.Contains(t, asSVG(f), "not run")
	assert.NotContains(t, asSVG(f), "NaN")
}

// A maze of ours does not pass for the official one.
func TestScoresSayWhichMazeIsOurs(t *testing.T) {
	f := fakeScores()
	for _, ours := range []bool{false, true} {
		f.Maps[1].Generated = ours
		assert.Equal(t, ours, strings.Contains(asSVG(f), "two*"))
		assert.Equal(t, ours, strings.Contains(asSVG(f), oursNote))
	}
}
