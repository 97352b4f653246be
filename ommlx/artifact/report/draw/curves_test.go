package draw

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/plot"

	"omm-go/ommlx/internal/testkit"
)

func TestCurveAndBandHeights(t *testing.T) {
	at := func(y float64) recording { return record(Curves{YMax: 1, Series: []Series{sampleSeries("a", y)}}) }
	height := func(y float64) float64 { return at(y).centres(blue, false)[1].Y } // after the legend's sample
	low, middle, high := height(0.25), height(0.5), height(0.75)
	assert.Greater(t, middle, low)
	assert.InDelta(t, middle-low, high-middle, 1e-9)
	band := at(0.5).of(tint(blue, 0.22), true)[0]
	assert.InDelta(t, low, float64(band.Min.Y), 1e-9, "the band of ±0.25 reaches from 0.25 to 0.75")
	assert.InDelta(t, high, float64(band.Max.Y), 1e-9)
}

// On a logarithmic axis equal factors have equal lengths.
func TestLogarithmicAxes(t *testing.T) {
	marks := record(Curves{LogX: true, LogY: true, Series: []Series{{Marks: true, X: []float64{1, 10, 1000},
		Y: []float64{2, 20, 2000}}}}).centres(blue, true)
	assert.InDelta(t, (marks[2].X-marks[0].X)/3, marks[1].X-marks[0].X, 1e-6)
	assert.InDelta(t, (marks[2].Y-marks[0].Y)/3, marks[1].Y-marks[0].Y, 1e-6)
}

// A long label of a logarithmic axis takes no room above the plot.
func TestLongLabelOfALogarithmicAxis(t *testing.T) {
	top := func(label string) float64 {
		return float64(record(Curves{Title: "title", YLabel: label, LogY: true,
			Series: []Series{{Name: "a", X: []float64{1, 2}, Y: []float64{1e-8, 10}}}}).at("title").Max.Y)
	}
	assert.InDelta(t, top("y"), top("error of the span, as a sine"), 1e-9)
}

// A label is the value at its tick; a linear axis has at least three labels, a logarithmic one between one and nine.
func TestTickLabelsMatchTheirPositions(t *testing.T) {
	value := func(label string) float64 {
		parts := pieces(strings.NewReplacer(",", "").Replace(label), small.Font)
		number := parts[0].text
		if len(parts) == 2 { // a power of ten
			number = cmp.Or(strings.TrimSuffix(strings.TrimSuffix(number, "10"), "·"), "1") + "e" + parts[1].text
		}
		return testkit.Must(strconv.ParseFloat(strings.ReplaceAll(number, "−", "-"), 64))
	}
	check := func(ticks []plot.Tick, least int, low, high float64, place func(float64) float64) {
		n := 0
		for _, tick := range ticks {
			assert.True(t, tick.Value >= low-1e-6*(high-low) && tick.Value <= high+1e-6*(high-low))
			if tick.Label != "" {
				n++
				assert.InDelta(t, tick.Value, place(value(tick.Label)), 1e-6*(high-low))
			}
		}
		assert.True(t, n >= least && n <= 9, "%d labels from %g to %g", n, low, high)
	}
	for _, axis := range [][2]float64{{0, 1}, {-3.2, 7.9}, {0, 80_000}, {0.62, 0.91}, {1, 16}, {-2e-4, 3e-4}} {
		check(ticks(axis[0], axis[1]), 3, axis[0], axis[1], func(x float64) float64 { return x })
	}
	for _, axis := range [][2]float64{{1, 1e3}, {1e-16, 1}, {1e-3, 50}, {0.3, 0.9}, {2, 8e4}, {1e-5, 1e7}} {
		low, high := math.Log10(axis[0]), math.Log10(axis[1])
		check(logTicks(low, high), 1, low, high, math.Log10)
	}
	assert.Equal(t, []string{"−20,000", "−12.5", "10⁻⁵", "−2.5·10¹²"},
		[]string{number(-2e4), number(-12.5), number(1e-5), number(-2.5e12)})
}

// Exponents are smaller and higher than their base and end where the label should.
func TestExponentsAreRaised(t *testing.T) {
	r := record(Curves{LogY: true, Series: []Series{{X: []float64{1, 2}, Y: []float64{1e-4, 1}}}})
	base, exponent := r.at("10"), r.at("−4")
	assert.InDelta(t, float64(base.Max.X), float64(exponent.Min.X), 1e-6)
	assert.Greater(t, exponent.Min.Y, base.Min.Y)
	assert.Less(t, exponent.Size().Y, base.Size().Y)
	assert.InDelta(t, float64(r.at("−1").Max.X), float64(exponent.Max.X), 1e-6, "aligned at the right")
}

// Texts have minus signs before numbers, but hyphens within words.
func TestNegativeNumbersHaveMinusSigns(t *testing.T) {
	words := record(Curves{Title: "λ = (2, -1)", XLabel: "-0.5",
		Series: []Series{{Name: "OMM-1", X: []float64{-2, 2}, Y: []float64{1, 2}}}}).words()
	assert.Subset(t, words, []string{"λ = (2, −1)", "−0.5", "OMM-1", "−2"})
}

func TestAxesContainTheData(t *testing.T) {
	f := Curves{Series: []Series{sampleSeries("a", 0.5), {Name: "b", X: []float64{-7, 300}, Y: []float64{2, 9}}}}
	p := f.plot(kinds{"a": markings[0], "b": markings[1]})
	assert.Equal(t, [4]float64{-7, 300, 0.25, 9}, [4]float64{p.X.Min, p.X.Max, p.Y.Min, p.Y.Max}, "with the band")
	f.YMin, f.YMax = -1, 20
	p = f.plot(kinds{"a": markings[0], "b": markings[1]})
	assert.Equal(t, [2]float64{-1, 20}, [2]float64{p.Y.Min, p.Y.Max})
}

func TestNumberOfMarkers(t *testing.T) {
	markers := func(points int) int {
		s := Series{Name: "s"}
		for i := range points {
			s.Add(float64(i), 0.5)
		}
		return len(record(Curves{YMax: 1, Series: []Series{s}}).of(blue, true)) - 1 // without the legend
	}
	assert.Equal(t, 28, markers(28))
	f := Curves{Series: []Series{{Name: "s", X: []float64{0, 100, 200}, Y: []float64{1, 2, 3}}}}
	assert.Len(t, record(f).of(blue, true), 4, "a few points far apart, and the legend")
	assert.Equal(t, -1, markers(1000), "marks are data: many points have none, not even in the legend")
}

// A reference is under the series before it, wider and paler.
func TestReferencesAreUnderOtherSeries(t *testing.T) {
	for _, marks := range []bool{false, true} {
		series := sampleSeries("learned", 0.5)
		exact := series
		exact.Name, exact.Reference = "exact", true
		series.Band, exact.Band, series.Marks, exact.Marks = nil, nil, marks, marks
		r := record(Curves{Series: []Series{exact, series}})
		pale, full := -1, -1 // the last paths in their colours
		for i, p := range r.paths {
			if same(p.color, tint(blue, 0.35)) {
				pale = i
			} else if same(p.color, markings[1].color) {
				full = i
			}
		}
		assert.True(t, pale >= 4 && pale < full, "%v", marks)
	}
}

// Plots are in rows from left to right, and titles are centred above the data.
func TestPlotsAreInRows(t *testing.T) {
	r := record(sampleRow())
	first, second, third := r.at("first"), r.at("second"), r.at("third")
	assert.InDelta(t, float64(first.Min.Y), float64(second.Min.Y), 1e-6)
	assert.Greater(t, second.Min.X, first.Max.X)
	assert.Less(t, third.Max.Y, first.Min.Y)
	line := r.centres(blue, false)[2] // after the legend's sample and the dashed curve
	assert.InDelta(t, line.X, centre(first).X, 1)
}
