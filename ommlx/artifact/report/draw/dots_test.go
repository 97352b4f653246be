package draw

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/plotter"
)

// rings returns the centres of the open marks of a figure, without the legend's.
func (r recording) rings() (all plotter.XYs) {
	for _, p := range r.of(ink, false) {
		if math.Abs(float64(p.Size().X)-6.4) < 0.1 && math.Abs(float64(p.Size().Y)-6.4) < 0.1 {
			all = append(all, centre(p.Rectangle))
		}
	}
	return all[1:]
}

func TestDotsAreAtTheirNumbers(t *testing.T) {
	r := record(sampleDots())
	ours, rings := r.centres(blue, true)[1:], r.rings() // drawn upwards
	require.Len(t, ours, 3)
	require.Len(t, rings, 2)
	first, second := ours[1], ours[0]
	assert.InDelta(t, first.X, rings[1].X, 1e-6, "equal numbers are at one place")
	assert.InDelta(t, second.X-first.X, rings[0].X-second.X, 1e-6, "0.25, 0.5 and 0.75")
	assert.InDelta(t, second.Y, rings[0].Y, 1e-6)
	assert.InDelta(t, first.Y-float64(dotRow), second.Y, 3)
	bar := r.of(blue, false)[0]
	assert.InDelta(t, 2*(second.X-first.X), float64(bar.Size().X), 1e-6, "±0.25")
	assert.Subset(t, r.words(), []string{"ours, a", "ours, b", "theirs", "group 1", "one: a, 1 run", "a, 2 runs"})
}

// The bar of 0.01 ± 2 ends at 0 and at 1, the number of the other row.
func TestBarsOfDotsAreCut(t *testing.T) {
	f := sampleDots()
	f.Axes = f.Axes[1:]
	r := record(f)
	first, one := r.centres(blue, true)[1].X, r.centres(markings[1].color, true)[1].X
	bar := r.of(blue, false)[0]
	assert.InDelta(t, one, float64(bar.Max.X), 1e-6)
	assert.InDelta(t, (one-first)*0.01/0.99, first-float64(bar.Min.X), 1e-6)
}

func TestFigure1PlacesResults(t *testing.T) {
	f := sampleFig1()
	r := record(f)
	var means plotter.XYs
	for _, p := range r.of(blue, true)[1:] {
		if p.Size().X > 3.5 {
			means = append(means, centre(p.Rectangle))
		}
	}
	require.Len(t, means, 4, "two environments, two panels")
	first, below, right := means[0], means[1], means[2]
	assert.True(t, below.Y < first.Y && right.X > first.X, "environments go downwards, panels to the right")
	assert.InDelta(t, first.X, below.X, 1e-6)
	assert.InDelta(t, first.Y, right.Y, 1e-6)
	ring := r.rings()[0]
	assert.InDelta(t, first.Y, ring.Y, 1e-6)
	decade := ring.X - first.X // from 1 − 0.9 to 1 − 0
	at := func(cosine float64) float64 { return first.X + decade*(math.Log10(1-cosine)+1) }
	std := 0.1 * math.Sqrt2 // of 0.5 and 0.7, whose mean is 0.6
	bars := r.of(markings[1].color, false)
	assert.InDelta(t, at(0.6+std), float64(bars[0].Min.X), 1e-6)
	assert.InDelta(t, at(0.6-std), float64(bars[0].Max.X), 1e-6)
	assert.InDelta(t, first.Y-float64(fig1Row), centre(bars[0].Rectangle).Y, 2, "one row lower")
	width := func(of recorded) float64 { return float64(of.Size().X) }
	bars = slices.DeleteFunc(bars, func(p recorded) bool { return float64(p.Max.X) < right.X-2*decade || width(p) < 5 })
	require.Len(t, bars, 1, "in the second panel: the bar of 1 and 0.9 would pass the end of the axis")
	black := slices.DeleteFunc(r.of(ink, true), func(p recorded) bool { return width(p) > 2 })
	require.Len(t, black, 2, "its runs are black instead")
	wide := centre(black[1].Rectangle).X - centre(black[0].Rectangle).X
	assert.InDelta(t, decade*math.Log10(0.1/leastGap), wide, 0.1)
	assert.Subset(t, r.words(), []string{"Room", "Maze", "easy", "hard", "diverged or not run", "theirs", "printed",
		"x, 1 run", "y, 2 runs", "open: mean of the authors' logged runs"})
	f.Environments[1].Group = "easy"
	titles := slices.DeleteFunc(record(f).words(), func(w string) bool { return w != "easy" })
	assert.Len(t, titles, 1, "one title above a group")
}

// Each eigenvalue has a mark; zeros are at the left end, and equal factors have equal distances.
func TestSpectraAreDrawn(t *testing.T) {
	r := record(sampleFig1())
	var x []float64 // in the first environment
	for _, p := range r.of(grey, true) {
		if at := centre(p.Rectangle); p.Size().X < 2 && math.Abs(at.Y-centre(r.at("Room")).Y) < 13 {
			x = append(x, at.X)
		}
	}
	require.Len(t, x, 4)
	assert.Less(t, x[0], x[1])
	assert.InDelta(t, x[2]-x[1], x[3]-x[2], 1e-6, "0.01, 0.1 and 1")
}
