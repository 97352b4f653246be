package draw

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"omm-go/ommlx/internal/testkit"
)

func flat(y float64, band []float64) Curves {
	return Curves{XLabel: "step", YLabel: "similarity", YMax: 1,
		Series: []Series{{Name: "s", X: []float64{0, 50, 100}, Y: []float64{y, y, y}, Band: band}}}
}

func TestACurveIsDrawnAtItsHeightAndItsBandAroundIt(t *testing.T) {
	line := func(y float64) vg.Rectangle { return record(flat(y, nil)).of(blue, false)[0].Rectangle }
	low, middle, high := line(0.25), line(0.5), line(0.75)
	assert.Equal(t, middle.Min.Y, middle.Max.Y)
	assert.InDelta(t, float64(middle.Min.Y-low.Min.Y), float64(high.Min.Y-middle.Min.Y), 1e-9,
		"equal steps in y are equal steps on the page")
	band := record(flat(0.5, []float64{0.25, 0.25, 0.25})).of(transparent(blue, 0x38), true)[0]
	assert.InDelta(t, float64(low.Min.Y), float64(band.Min.Y), 1e-9, "a band of ±0.25 reaches from 0.25 to 0.75")
	assert.InDelta(t, float64(high.Min.Y), float64(band.Max.Y), 1e-9)
}

func TestWhatCountsHasWholeTicks(t *testing.T) {
	assert.True(t, Curves{Series: []Series{{X: []float64{1, 2, 15}}}}.counts())
	assert.False(t, Curves{Series: []Series{{X: []float64{0, 80_000}}}}.counts())
	assert.False(t, Curves{Series: []Series{{X: []float64{0, 0.5}}}}.counts())
}

// Each of a few modes has a marker, and a long curve about eight.
func TestEveryModeHasAMarker(t *testing.T) {
	markers := func(points int, step float64) int {
		s := Series{Name: "s"}
		for i := range points {
			s.Add(float64(i)*step, 0.5)
		}
		return len(record(Curves{YMax: 1, Series: []Series{s}}).of(blue, true)) - 1 // without that of the legend
	}
	assert.Equal(t, 28, markers(28, 1))
	assert.InDelta(t, 8, markers(28, 1000), 2)
}

// A label says where its tick is, also where gonum places ticks at 25, 75, 125, and there are three to nine of them,
// but for logarithmic axes of less than a decade.
func TestTicksAreWhereTheirLabelsSay(t *testing.T) {
	labelled := func(list []plot.Tick, low, high, tolerance float64) (labels []string) {
		for _, tick := range list {
			assert.True(t, tick.Value >= low-tolerance && tick.Value <= high+tolerance)
			if tick.Label == "" {
				continue
			}
			labels = append(labels, tick.Label)
			value := testkit.Must(strconv.ParseFloat(plainly(tick.Label), 64))
			assert.InDelta(t, tick.Value, value, max(tolerance, 1e-9*math.Abs(value)), "from %g to %g", low, high)
		}
		assert.LessOrEqual(t, len(labels), 9, "from %g to %g", low, high)
		return labels
	}
	for _, axis := range [][2]float64{{1, 240}, {1, 200}, {0, 80000}, {-1.3, 1.7}, {0.013, 0.94}, {-7, 1}, {0, 1},
		{0, 300}, {0, 0.02}} {
		labels := labelled(ticks(axis[0], axis[1]), axis[0], axis[1], 1e-4*(axis[1]-axis[0]))
		assert.GreaterOrEqual(t, len(labels), 3, "on the axis %v", axis)
	}
	assert.Subset(t, labelled(ticks(0, 80000), 0, 80000, 1e-9), []string{"40,000", "80,000"})
	for _, axis := range [][2]float64{{1, 1000}, {1e-16, 1}, {0.0013, 47}, {0.3, 0.9}, {2, 80_000}, {1e-5, 1e7}} {
		labels := labelled(logTicks(axis[0], axis[1]), axis[0]*0.999, axis[1]*1.001, 0)
		assert.NotEmpty(t, labels, "on the axis %v", axis)
	}
	assert.Equal(t, []string{"0.5"}, labelled(logTicks(0.3, 0.9), 0.3, 0.9, 0))
	assert.Equal(t, []string{"1", "2", "3"}, labelled(wholeTicks(1, 3), 1, 3, 0))
	assert.Equal(t, []string{"1", "3", "5", "7", "9"}, labelled(wholeTicks(1, 10), 1, 10, 0), "at most eight steps")
	assert.Equal(t, []string{"0", "40,000", "80,000"}, labelled(halves(80_000), 0, 80_000, 0))
	assert.Equal(t, []string{"0", "12.5", "25"}, labelled(halves(25), 0, 25, 0))
	assert.Equal(t, []string{"10⁻⁵", "2·10¹²", "1", "0.001", "20,000"},
		[]string{powerOfTen(1, -5), powerOfTen(2, 12), powerOfTen(1, 0), number(1e-3), number(2e4)})
}

// plainly writes a label as Go does: 10⁻⁵ as 1e-5.
func plainly(label string) string {
	label = regexp.MustCompile(`(^|·)10([⁻¹²³⁴⁵⁶⁷⁸⁹])`).ReplaceAllString(label, "e$2")
	if strings.HasPrefix(label, "e") {
		label = "1" + label
	}
	return strings.NewReplacer(",", "", "⁻", "-", "⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6",
		"⁷", "7", "⁸", "8", "⁹", "9").Replace(label)
}

func powerLaw() Curves {
	return Curves{XLabel: "N", YLabel: "t", LogX: true, LogY: true,
		Series: []Series{{Name: "s", X: []float64{1, 10, 1000}, Y: []float64{2, 20, 2000}}}}
}

// On logarithmic axes the factor 10 is the same length everywhere: three points of a power law lie on one line.
func TestLogarithmicAxes(t *testing.T) {
	law := powerLaw()
	p := law.plot()
	assert.InDelta(t, 1.0/3, p.X.Norm(10), 1e-9)
	assert.InDelta(t, 1.0/3, p.Y.Norm(20), 1e-9)
	drawn(law)
}

func TestNameOfALogarithmicAxisTakesNoSpaceAboveThePlot(t *testing.T) {
	top := func(name string) (top float64) { // of the y axis
		rising := Series{Name: "s", X: []float64{0, 1}, Y: []float64{1e-8, 1}}
		r := record(Curves{YLabel: name, LogY: true, YMin: 1e-8, YMax: 1, Series: []Series{rising}})
		for _, line := range r.of(ink, false) {
			top = max(top, float64(line.Max.Y))
		}
		return top
	}
	assert.InDelta(t, top("y"), top("the name of an axis that is long"), 1)
}

// smallGrid has six panels with the same curve for each of two methods, at y and nearby.
func smallGrid(y float64) CurvesGrid {
	f := CurvesGrid{XLabel: "steps", Note: "test", Methods: []string{"a", "b"}}
	for _, name := range []string{"1", "2", "3", "4", "5", "6"} {
		p := CurvesPanel{Name: name, XMax: 100}
		for i, method := range f.Methods {
			shift := 0.02 * float64(i)
			p.Series = append(p.Series, Series{Name: method, X: []float64{0, 50, 100}, Y: []float64{y, y + shift, y}})
		}
		f.Panels = append(f.Panels, p)
	}
	return f
}

// Three panels stand in a row, from left to right, and the fourth below the first.
func TestThePanelsOfAGridStandInRows(t *testing.T) {
	at := record(smallGrid(0.5)).of(blue, false)[1:] // the line of the first method in each; the legend's comes first
	require.Len(t, at, 6)
	for n := 1; n < gridColumns; n++ {
		assert.Greater(t, at[n].Min.X, at[n-1].Max.X)
		assert.InDelta(t, float64(at[0].Min.Y), float64(at[n].Min.Y), 1e-9)
		assert.InDelta(t, float64(at[n].Min.X), float64(at[n+3].Min.X), 1e-9)
		assert.Less(t, at[n+3].Max.Y, at[0].Min.Y-50)
	}
}

// Other people's curves are drawn, also where ours is missing, and a panel without a curve says why.
func TestWhatAPanelShowsBesideOurCurves(t *testing.T) {
	others := []Series{{Name: "a", X: []float64{0, 100}, Y: []float64{0.9, 0.9}}}
	f := smallGrid(0.5)
	f.Panels[0].Others = others
	f.Panels[1].Series, f.Panels[1].Others, f.Panels[1].Remarks = nil, others, []string{"not run yet"}
	f.Panels[2].Series, f.Panels[2].Remarks = nil, []string{"never", "run"}
	r := record(f)
	assert.Subset(t, r.words(), []string{"dashed: the authors' logged runs", "not run yet", "never"})
	dashed := slices.DeleteFunc(r.of(blue, false), func(p recorded) bool { return !p.dashed })
	assert.Len(t, dashed, 2)
}

func TestARemarkLeavesTheCurvesFree(t *testing.T) {
	top := func(y float64) vg.Length {
		f := smallGrid(y)
		f.Panels[0].Remarks = []string{"b diverged"}
		return record(f).at("b diverged").Max.Y
	}
	assert.Less(t, top(0.9), top(0.1)-30)
}
