package draw

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func twoAxes() Dots {
	return Dots{Note: "note", Kinds: []string{"a", "b"}, Open: "theirs", Axes: []DotAxis{
		{Label: "linear", Groups: []DotGroup{
			{Title: "first", Rows: []DotRow{
				{Name: "one", Kind: "a", Runs: "1 run", Ours: 0.25, Half: new(0.25), Paper: new(0.25)},
				{Name: "one", Kind: "a", Runs: "2 runs", Ours: 0.5, Paper: new(0.75)}}},
			{Title: "second", Rows: []DotRow{{Name: "one", Kind: "b", Runs: "3 runs", Ours: 1}}}}},
		{Label: "another", Groups: []DotGroup{{Title: "third", Rows: []DotRow{
			{Name: "two", Kind: "a", Runs: "1 run", Ours: 0.01, Half: new(0.02)},
			{Name: "three", Kind: "a", Runs: "1 run", Ours: 0.505},
			{Name: "four", Kind: "a", Runs: "1 run", Ours: 1}}}}}}}
}

func TestDotsStandWhereTheirNumbersAre(t *testing.T) {
	r := record(twoAxes())
	ours, open := r.of(blue, true)[1:], r.of(ink, false) // without the legend
	var rings []recorded
	for _, p := range open {
		if p.Size().X > 5 && math.Abs(float64(p.Size().X-p.Size().Y)) < 0.1 {
			rings = append(rings, p)
		}
	}
	require.Len(t, ours, 5)
	require.Len(t, rings, 3, "one of them in the legend")
	rings = rings[1:]
	x := func(p recorded) float64 { return float64(middle(p.Rectangle).X) }
	y := func(p recorded) float64 { return float64(middle(p.Rectangle).Y) }
	assert.InDelta(t, x(ours[0]), x(rings[0]), 1e-6, "equal numbers stand in one place")
	assert.InDelta(t, x(ours[1])-x(ours[0]), x(rings[1])-x(ours[1]), 1e-6, "equal steps")
	assert.InDelta(t, y(ours[1]), y(rings[1]), 1e-6)
	assert.InDelta(t, y(ours[0])-dotRow, y(ours[1]), 1e-6)
	assert.InDelta(t, x(ours[3])-x(ours[2]), x(ours[4])-x(ours[3]), 1e-6, "equal steps on the second axis")
	bar := r.of(blue, false)[0]
	assert.InDelta(t, x(ours[0]), x(bar), 1e-6)
	assert.InDelta(t, x(ours[1])-x(ours[0]), float64(bar.Size().X)/2, 1e-6, "±0.25")
}

func TestDotsAreLegible(t *testing.T) {
	f := twoAxes()
	assertLegible(t, f, margin-2, gridInk)
	for words, count := range map[string]int{"one": 2, "a, 1 run": 4, "b, 3 runs": 1, "ours, a": 1, "theirs": 1,
		"first": 1, "third": 1} {
		assert.Equal(t, count, occurrences(words, record(f).words()), words)
	}
}

func occurrences(of string, words []string) (n int) {
	for _, w := range words {
		if w == of {
			n++
		}
	}
	return n
}

func TestDotsRefuse(t *testing.T) {
	_, err := Dots{Axes: []DotAxis{{Label: "x"}}}.Figure()
	assert.ErrorContains(t, err, `dots: axis "x" has no rows`)
	for name, spoil := range map[string]func(*DotRow){
		"kind":   func(r *DotRow) { r.Kind = "c" },
		"finite": func(r *DotRow) { r.Ours = math.NaN() },
		"bar":    func(r *DotRow) { r.Half = new(math.Inf(1)) },
		"paper":  func(r *DotRow) { r.Paper = new(math.NaN()) },
	} {
		f := twoAxes()
		spoil(&f.Axes[1].Groups[0].Rows[0])
		_, err := f.Figure()
		assert.ErrorContains(t, err, `dots: row "two"`, name)
	}
}
