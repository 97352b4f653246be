package draw

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLogTicksAreWhereTheirLabelsSay(t *testing.T) {
	for _, axis := range [][2]float64{{1, 1000}, {1e-16, 1}, {0.0013, 47}, {0.3, 0.9}, {2, 80_000}, {1e-5, 1e7}} {
		labelled := 0
		for _, tick := range logTicks(axis[0], axis[1]) {
			assert.True(t, tick.Value > axis[0]*0.999 && tick.Value < axis[1]*1.001)
			if tick.Label == "" {
				continue
			}
			labelled++
			value, err := strconv.ParseFloat(strings.ReplaceAll(tick.Label, ",", ""), 64)
			require.NoError(t, err)
			assert.InEpsilon(t, tick.Value, value, 1e-9)
		}
		assert.True(t, labelled >= 1 && labelled <= 9, "%d labels on %v", labelled, axis)
	}
	assert.Equal(t, "1e-5", powerLabel(1e-5))
	assert.Equal(t, "1e12", powerLabel(1e12))
	assert.Equal(t, "0.001", powerLabel(1e-3))
	assert.Equal(t, "20,000", powerLabel(2e4))
}

// On logarithmic axes the factor 10 is the same length everywhere: three points of a power law lie on one line.
func TestLogarithmicAxes(t *testing.T) {
	law := Curves{XLabel: "N", YLabel: "t", LogX: true, LogY: true,
		Series: []Series{{Name: "s", X: []float64{1, 10, 1000}, Y: []float64{2, 20, 2000}}}}
	p := law.plot()
	assert.InDelta(t, 1.0/3, p.X.Norm(10), 1e-9)
	assert.InDelta(t, 1.0/3, p.Y.Norm(20), 1e-9)
	fig, err := law.Figure()
	drawn(t, fig, err)

	for want, spoil := range map[string]func(*Curves){
		"positive":    func(f *Curves) { f.Series[0].X[0] = 0 },
		"positive nu": func(f *Curves) { f.Series[0].Y[2] = -1 },
		"a band":      func(f *Curves) { f.Series[0].Band = []float64{1, 1, 1} },
	} {
		f := law
		f.Series = []Series{{Name: "s", X: []float64{1, 10, 1000}, Y: []float64{2, 20, 2000}}}
		spoil(&f)
		_, err := f.Figure()
		assert.ErrorContains(t, err, want)
	}
}

func TestNameOfALogarithmicAxisTakesNoSpaceAboveThePlot(t *testing.T) {
	top := func(name string) (first int) { // the first row of pixels with the dark line of the y axis
		rising := Series{Name: "s", X: []float64{0, 1}, Y: []float64{1e-8, 1}}
		c := Curves{YLabel: name, LogY: true, YMin: 1e-8, YMax: 1, Series: []Series{rising}}
		fig, err := c.Figure()
		img := drawn(t, fig, err)
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
