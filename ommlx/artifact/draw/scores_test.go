package draw

import (
	"fmt"
	"image"
	"image/color"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg"

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

// A score stands in its own cell: rows go downwards, columns to the right, maps downwards, and the other method stands
// to the right of all of them.
func TestEveryScoreHasItsPlace(t *testing.T) {
	f := fakeScores()
	next := 0.5
	for m := range f.Maps {
		for _, row := range f.Maps[m].Cells {
			for col := range row {
				next += 0.01
				row[col] = ScoreCell{Score: next}
			}
		}
		next += 0.01
		f.Maps[m].Beside.Score = next
	}
	r := record(testkit.Must(f.Figure()))
	at := func(c ScoreCell) vg.Rectangle {
		return r.texts[slices.Index(r.words(), fmt.Sprintf("%.3f", c.Score))].Rectangle
	}
	for _, m := range f.Maps {
		for col := range 3 {
			assert.Less(t, at(m.Cells[1][col]).Max.Y, at(m.Cells[0][col]).Min.Y)
		}
		assert.Less(t, at(m.Cells[0][0]).Max.X, at(m.Cells[0][1]).Min.X)
		assert.Less(t, at(m.Cells[0][1]).Max.X, at(m.Cells[0][2]).Min.X)
		assert.Less(t, at(m.Cells[0][2]).Max.X, at(m.Beside).Min.X)
	}
	assert.Less(t, at(f.Maps[1].Cells[0][0]).Max.Y, at(f.Maps[0].Cells[1][0]).Min.Y)
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
