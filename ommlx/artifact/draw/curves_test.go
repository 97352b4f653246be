package draw

import (
	"image"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot"

	"operator-omm/ommlx/internal/testkit"
)

func flat(y float64, band []float64) Curves {
	return Curves{XLabel: "step", YLabel: "similarity", YMax: 1,
		Series: []Series{{Name: "s", X: []float64{0, 50, 100}, Y: []float64{y, y, y}, Band: band}}}
}

func TestACurveIsDrawnAtItsHeightAndItsBandAroundIt(t *testing.T) {
	image := func(f Curves) (top, bottom int) {
		img := drawn(t, f)
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

func TestWhatCountsHasWholeTicks(t *testing.T) {
	assert.True(t, Curves{Series: []Series{{X: []float64{1, 2, 15}}}}.counts())
	assert.False(t, Curves{Series: []Series{{X: []float64{0, 80_000}}}}.counts())
	assert.False(t, Curves{Series: []Series{{X: []float64{0, 0.5}}}}.counts())
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
	drawn(t, law)
}

func TestNameOfALogarithmicAxisTakesNoSpaceAboveThePlot(t *testing.T) {
	top := func(name string) (first int) { // the first row of pixels with the dark line of the y axis
		rising := Series{Name: "s", X: []float64{0, 1}, Y: []float64{1e-8, 1}}
		c := Curves{YLabel: name, LogY: true, YMin: 1e-8, YMax: 1, Series: []Series{rising}}
		img := drawn(t, c)
		length := 0
		for x := range img.Bounds().Dx() {
			run := 0
			for y := range img.Bounds().Dy() {
				if lightness(img.At(x, y)) < 50 {
					run++
				} else {
					run = 0
				}
				if run > length {
					length, first = run, y-run+1
				}
			}
		}
		return first
	}
	assert.InDelta(t, top("y"), top("the name of an axis that is long"), 3)
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

// gridChange is where a grid of curves at y changes with its panels.
func gridChange(t *testing.T, y float64, change func(panels []CurvesPanel)) image.Rectangle {
	t.Helper()
	changed := smallGrid(y)
	change(changed.Panels)
	return difference(t, drawn(t, smallGrid(y)), drawn(t, changed))
}

// Three panels stand in a row, from left to right, and the fourth below the first.
func TestThePanelsOfAGridStandInRows(t *testing.T) {
	var at []image.Point
	for n := range 6 {
		at = append(at, gridChange(t, 0.5, func(panels []CurvesPanel) { panels[n].Series[0].Y[1] = 0.8 }).Min)
	}
	for n := 1; n < gridColumns; n++ {
		assert.Greater(t, at[n].X, at[n-1].X+150)
		assert.Equal(t, at[0].Y, at[n].Y)
	}
	assert.InDelta(t, at[0].X, at[3].X, 1)
	assert.InDelta(t, at[1].X, at[4].X, 1)
	assert.Greater(t, at[3].Y, at[0].Y+100)
	assert.Equal(t, at[3].Y, at[4].Y)
}

// Other people's curves are drawn, also where ours is missing, and a panel without a curve says why.
func TestWhatAPanelShowsBesideOurCurves(t *testing.T) {
	others := []Series{{Name: "a", X: []float64{0, 100}, Y: []float64{0.9, 0.9}}}
	f := smallGrid(0.5)
	f.Panels[1].Series, f.Panels[1].Others, f.Panels[1].Remarks = nil, others, []string{"not run yet"}
	f.Panels[2].Series, f.Panels[2].Remarks = nil, []string{"never", "run"}
	f.Panels[3].Generated = true
	for _, words := range []string{"dashed: the public code", "not run yet", "never", "4*", oursNote} {
		assert.Contains(t, asSVG(f), words)
	}
	assert.Positive(t, gridChange(t, 0.5, func(panels []CurvesPanel) { panels[0].Others = others }).Dx())
}

// A remark stands where there are no curves: above low ones, below high ones.
func TestARemarkLeavesTheCurvesFree(t *testing.T) {
	top := func(y float64) int {
		return gridChange(t, y, func(panels []CurvesPanel) { panels[0].Remarks = []string{"b diverged"} }).Min.Y
	}
	assert.Greater(t, top(0.9), top(0.1)+80)
}
