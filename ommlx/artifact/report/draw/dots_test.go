package draw

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rings returns the open marks of a figure from the top, without the legend's.
func (r recording) rings() []recorded {
	all := slices.DeleteFunc(r.of(ink, false), func(p recorded) bool {
		return p.Size().X < 6.3 || p.Size().X > 6.5 || p.Size().Y < 6.3 || p.Size().Y > 6.5
	})
	return all[1:]
}

func TestDotsAreAtTheirNumbers(t *testing.T) {
	r := record(sampleDots())
	ours, rings := r.of(blue, true)[1:], r.rings()
	slices.Reverse(ours[:2]) // drawn upwards
	slices.Reverse(rings)
	require.Len(t, ours, 3)
	require.Len(t, rings, 2)
	x1, y1 := centre(ours[0].Rectangle)
	x2, y2 := centre(ours[1].Rectangle)
	ring1, _ := centre(rings[0].Rectangle)
	ring2, height := centre(rings[1].Rectangle)
	assert.InDelta(t, x1, ring1, 1e-6, "equal numbers are at one place")
	assert.InDelta(t, x2-x1, ring2-x2, 1e-6, "0.25, 0.5 and 0.75")
	assert.InDelta(t, y2, height, 1e-6)
	assert.InDelta(t, y1-float64(dotRow), y2, 3)
	bar := r.of(blue, false)[0]
	assert.InDelta(t, 2*(x2-x1), float64(bar.Size().X), 1e-6, "±0.25")
	assert.Subset(t, r.words(), []string{"ours, a", "ours, b", "theirs", "group 1", "one: a, 1 run", "a, 2 runs"})
}

// The bar of 0.01 ± 2 ends at 0 and at 1, the number of the other row.
func TestBarsOfDotsAreCut(t *testing.T) {
	f := sampleDots()
	f.Axes = f.Axes[1:]
	r := record(f)
	first, _ := centre(r.of(blue, true)[1].Rectangle)
	one, _ := centre(r.of(markings[1].color, true)[1].Rectangle)
	bar := r.of(blue, false)[0]
	assert.InDelta(t, one, float64(bar.Max.X), 1e-6)
	assert.InDelta(t, (one-first)*0.01/0.99, first-float64(bar.Min.X), 1e-6)
}

func TestFigure1PlacesResults(t *testing.T) {
	f := sampleFig1()
	r := record(f)
	var means []recorded
	for _, p := range r.of(blue, true)[1:] {
		if p.Size().X > 3.5 {
			means = append(means, p)
		}
	}
	require.Len(t, means, 4, "two environments, two panels")
	x1, y1 := centre(means[0].Rectangle)
	x2, y2 := centre(means[1].Rectangle)
	x3, y3 := centre(means[2].Rectangle)
	assert.True(t, y2 < y1 && x3 > x1, "environments go downwards, panels to the right")
	assert.InDelta(t, x1, x2, 1e-6)
	assert.InDelta(t, y1, y3, 1e-6)
	ring, y := centre(r.rings()[0].Rectangle)
	assert.InDelta(t, y1, y, 1e-6)
	decade := ring - x1 // from 1 − 0.9 to 1 − 0
	at := func(cosine float64) float64 { return x1 + decade*(math.Log10(1-cosine)+1) }
	std := 0.1 * math.Sqrt2 // of 0.5 and 0.7, whose mean is 0.6
	bars := r.of(markings[1].color, false)
	assert.InDelta(t, at(0.6+std), float64(bars[0].Min.X), 1e-6)
	assert.InDelta(t, at(0.6-std), float64(bars[0].Max.X), 1e-6)
	_, y = centre(bars[0].Rectangle)
	assert.InDelta(t, y1-float64(fig1Row), y, 2, "one row lower")
	width := func(of recorded) float64 { return float64(of.Size().X) }
	bars = slices.DeleteFunc(bars, func(p recorded) bool { return float64(p.Max.X) < x3-2*decade || width(p) < 5 })
	require.Len(t, bars, 1, "in the second panel: the bar of 1 and 0.9 would pass the end of the axis")
	black := slices.DeleteFunc(r.of(ink, true), func(p recorded) bool { return width(p) > 2 })
	require.Len(t, black, 2, "its runs are black instead")
	low, _ := centre(black[0].Rectangle)
	high, _ := centre(black[1].Rectangle)
	assert.InDelta(t, decade*math.Log10(0.1/leastGap), high-low, 0.1)
	assert.Subset(t, r.words(), []string{"Room", "Maze", "easy", "hard", "diverged or not run", "theirs", "printed",
		"x, 1 run", "y, 2 runs", "open: mean of the authors' logged runs"})
}

// Each eigenvalue has a mark; zeros are at the left end, and equal factors have equal distances.
func TestSpectraAreDrawn(t *testing.T) {
	r := record(sampleFig1())
	var dots []recorded
	for _, p := range r.of(grey, true) {
		if _, y := centre(p.Rectangle); p.Size().X < 2 && y < float64(r.at("Room").Max.Y)+9 &&
			y > float64(r.at("Room").Min.Y)-9 {
			dots = append(dots, p)
		}
	}
	require.Len(t, dots, 4, "the first environment")
	var x [4]float64
	for i, p := range dots {
		x[i], _ = centre(p.Rectangle)
	}
	assert.Less(t, x[0], x[1])
	assert.InDelta(t, x[2]-x[1], x[3]-x[2], 1e-6, "0.01, 0.1 and 1")
}
