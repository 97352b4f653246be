package draw

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func flat(y float64, band []float64) Curves {
	return Curves{XLabel: "step", YLabel: "similarity", YMax: 1,
		Series: []Series{{Name: "s", X: []float64{0, 50, 100}, Y: []float64{y, y, y}, Band: band}}}
}

func TestACurveIsDrawnAtItsHeightAndItsBandAroundIt(t *testing.T) {
	image := func(f Curves) (top, bottom int) {
		fig, err := f.Figure()
		img := drawn(t, fig, err)
		// The line between two markers, at three eighths of the page: the only blue ink.
		top, bottom = math.MaxInt, 0
		x := img.Bounds().Dx() * 3 / 8
		for y := range img.Bounds().Dy() {
			r, _, b, _ := img.At(x, y).RGBA()
			if y > 60 && b > r+0x1000 {
				top, bottom = min(top, y), max(bottom, y)
			}
		}
		require.LessOrEqual(t, top, bottom, "no curve found")
		return top, bottom
	}
	low, _ := image(flat(0.25, nil))
	middle, end := image(flat(0.5, nil))
	high, _ := image(flat(0.75, nil))
	assert.InDelta(t, low-middle, middle-high, 2, "equal steps in y are equal steps on the page")
	assert.Less(t, end-middle, 8, "a line is thin")
	top, bottom := image(flat(0.5, []float64{0.25, 0.25, 0.25}))
	assert.InDelta(t, low-high, bottom-top, 6, "a band of ±0.25 reaches from 0.25 to 0.75")
}

func TestSeriesAddsPoints(t *testing.T) {
	s := Series{Name: "s", X: []float64{1}, Y: []float64{2}}
	s.Add(3, 4)
	require.Equal(t, Series{Name: "s", X: []float64{1, 3}, Y: []float64{2, 4}}, s)
}

func TestCurvesRefuse(t *testing.T) {
	for want, spoil := range map[string]func(*Curves){
		"as many":   func(f *Curves) { f.Series[0].Y = f.Series[0].Y[:2] },
		"least one": func(f *Curves) { f.Series[0].X, f.Series[0].Y = nil, nil },
		"band":      func(f *Curves) { f.Series[0].Band = []float64{1} },
		"finite":    func(f *Curves) { f.Series[0].Y[1] = math.NaN() },
		"at most":   func(f *Curves) { f.Series = append(make([]Series, len(curveStyles)), f.Series...) },
	} {
		f := flat(0.5, nil)
		spoil(&f)
		_, err := f.Figure()
		assert.ErrorContains(t, err, want)
	}
}

func TestTicksAreRoundAndReadable(t *testing.T) {
	for _, end := range []float64{1, 80000, 300, 0.02} {
		var labelled int
		for _, tick := range ticks(0, end) {
			if tick.Label != "" {
				labelled++
			}
		}
		assert.True(t, labelled >= 3 && labelled <= 9, "%d labels up to %v", labelled, end)
	}
	var labels []string
	for _, tick := range ticks(0, 80000) {
		labels = append(labels, tick.Label)
	}
	assert.Contains(t, labels, "40,000")
	assert.Contains(t, labels, "80,000")
}

// A label says where its tick is, also where gonum places ticks at 25, 75, 125.
func TestTicksAreWhereTheirLabelsSay(t *testing.T) {
	for _, axis := range [][2]float64{{1, 240}, {1, 200}, {0, 80000}, {-1.3, 1.7}, {0.013, 0.94}, {-7, 1}} {
		labelled := 0
		for _, tick := range ticks(axis[0], axis[1]) {
			assert.True(t, tick.Value >= axis[0]-1e-9 && tick.Value <= axis[1]+1e-9)
			if tick.Label == "" {
				continue
			}
			labelled++
			value, err := strconv.ParseFloat(strings.ReplaceAll(tick.Label, ",", ""), 64)
			require.NoError(t, err)
			assert.InDelta(t, tick.Value, value, 1e-4*(axis[1]-axis[0]), "on the axis %v", axis)
		}
		assert.GreaterOrEqual(t, labelled, 3, "on the axis %v", axis)
	}
}

func TestWholeTicks(t *testing.T) {
	labels := func(low, high float64) (all []string) {
		for _, tick := range wholeTicks(low, high) {
			all = append(all, tick.Label)
		}
		return all
	}
	assert.Equal(t, []string{"1", "2", "3"}, labels(1, 3))
	assert.Equal(t, []string{"1", "3", "5", "7", "9", "11", "13", "15"}, labels(1, 15))
	assert.True(t, Curves{Series: []Series{{X: []float64{1, 2, 15}}}}.counts())
	assert.False(t, Curves{Series: []Series{{X: []float64{0, 80_000}}}}.counts())
	assert.False(t, Curves{Series: []Series{{X: []float64{0, 0.5}}}}.counts())
}
