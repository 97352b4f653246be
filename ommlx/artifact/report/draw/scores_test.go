package draw

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg"

	"omm-go/ommlx/internal/testkit"
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
	r := record(f)
	at := func(c ScoreCell) vg.Rectangle { return r.at(fmt.Sprintf("%.3f", c.Score)) }
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
	for _, score := range []float64{0.61, 0.9} {
		f.Maps[1].Cells[0][2] = ScoreCell{Score: score}
		r := record(f)
		at := r.at(fmt.Sprintf("%.3f", score))
		cells := slices.DeleteFunc(r.paths, func(p recorded) bool { return !p.filled || !within(at, p.Rectangle) })
		require.Len(t, cells, 1)
		assert.True(t, same(cells[0].color, scoreColour((score-0.5)/0.5)), "%g", score)
	}
	f.Maps[0].Beside.Score = 0.31
	low, high = f.bounds()
	assert.InDelta(t, 0.3, low, 1e-12)
	assert.InDelta(t, 1, high, 1e-12)
	assert.Less(t, lightness(scoreColour(0.9)), lightness(scoreColour(0.2)), "higher is darker, also in grey")
}

// A mark stands beside its pair in every map, and a frame around the best pair of each.
func TestScoresAreMarked(t *testing.T) {
	f := fakeScores()
	f.Maps[0].Best = &ScorePlace{0, 1}
	r := record(f)
	marks := slices.DeleteFunc(r.of(white, true), func(p recorded) bool { return p.Size().X < 3 || p.Size().X > 8 })
	require.Len(t, marks, 6, "of the legend, of the first map and of the second")
	theirs, first := r.at("0.700"), r.at("0.600")
	assert.InDelta(t, float64(middle(theirs).Y), float64(middle(marks[2].Rectangle).Y), 1)
	assert.InDelta(t, float64(middle(first).Y), float64(middle(marks[3].Rectangle).Y), 1)
	assert.InDelta(t, float64(theirs.Min.X), float64(marks[2].Max.X), 10, "on the left")
	assert.InDelta(t, float64(first.Max.X), float64(marks[3].Min.X), 10, "on the right")
	for i := range 2 {
		assert.InDelta(t, float64(marks[2+i].Min.X), float64(marks[4+i].Min.X), 1e-9)
		assert.Less(t, marks[4+i].Max.Y, marks[2+i].Min.Y)
	}
	frames := r.of(vermillion, false)
	require.Len(t, frames, 3)
	assert.True(t, within(theirs, frames[1].Rectangle))
	f.Maps[0].Best = nil
	assert.Equal(t, frames[2:], record(f).of(vermillion, false)[1:])
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
	_, err := Files(testkit.Must(f.Figure()))
	require.NoError(t, err)
	assert.Contains(t, asSVG(f), "not run")
	assert.NotContains(t, asSVG(f), "NaN")
}
