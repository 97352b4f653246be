package draw

import (
	"fmt"
	"image"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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

func drawGrid(t *testing.T, f CurvesGrid) image.Image {
	t.Helper()
	fig, err := f.Figure()
	return drawn(t, fig, err)
}

// Four panels stand in a row, from left to right, and the fifth below the first.
func TestThePanelsOfAGridStandInRows(t *testing.T) {
	place := func(n int) (left, top int) { // of what panel n draws
		with, without := smallGrid(0.5), smallGrid(0.5)
		without.Panels[n].Series, without.Panels[n].Remarks = nil, []string{" "}
		box := difference(t, drawGrid(t, without), drawGrid(t, with))
		require.False(t, box.Empty())
		return box.Min.X, box.Min.Y
	}
	var lefts, tops []int
	for n := range 6 {
		left, top := place(n)
		lefts, tops = append(lefts, left), append(tops, top)
	}
	for n := 1; n < gridColumns; n++ {
		assert.Greater(t, lefts[n], lefts[n-1]+150)
		assert.Equal(t, tops[0], tops[n])
	}
	assert.InDelta(t, lefts[0], lefts[4], 1)
	assert.InDelta(t, lefts[1], lefts[5], 1)
	assert.Greater(t, tops[4], tops[0]+150)
	assert.Equal(t, tops[4], tops[5])
}

// Other people's curves are drawn in the colour of their method, also where ours is missing, and the legend tells them.
func TestOtherPeoplesCurvesAreDrawn(t *testing.T) {
	f := smallGrid(0.5)
	f.Panels[1].Series, f.Panels[1].Remarks = nil, []string{"not run yet"}
	without := drawGrid(t, f)
	f.Panels[1].Others = []Series{{Name: "a", X: []float64{0, 100}, Y: []float64{0.9, 0.9}}}
	box := difference(t, without, drawGrid(t, f))
	require.False(t, box.Empty())
	f.Panels[1].Others[0].Name = "c"
	_, err := f.Figure()
	require.ErrorContains(t, err, `"c" is of no method`)
}

// A curve of 0.75 is half a panel above one of 0.25, and a band of ±0.25 around 0.5 reaches from the one to the other.
func TestACurveOfAGridIsDrawnAtItsHeight(t *testing.T) {
	blueInk := func(y float64, band []float64) (top, bottom int) {
		f := smallGrid(y)
		f.Panels, f.Methods = f.Panels[:1], f.Methods[:1]
		f.Panels[0].Series = f.Panels[0].Series[:1]
		f.Panels[0].Series[0].Band = band
		img := drawGrid(t, f)
		x := int((keyIndent + 20) * DPI / 72) // between two markers
		for row := 60; row < img.Bounds().Dy(); row++ {
			if r, _, b, _ := img.At(x, row).RGBA(); b > r+0x2000 {
				if bottom = row; top == 0 {
					top = row
				}
			}
		}
		return top, bottom
	}
	low, _ := blueInk(0.25, nil)
	high, end := blueInk(0.75, nil)
	assert.InDelta(t, float64(panelHeight)/2*DPI/72, low-high, 2)
	assert.Less(t, end-high, 8, "a line is thin")
	top, bottom := blueInk(0.5, []float64{0.25, 0.25, 0.25})
	assert.InDelta(t, low-high, bottom-top, 4)
}

func TestMethodsHaveTheLooksOfFigure1(t *testing.T) {
	seen := map[string]bool{}
	for i, s := range methodStyles {
		assert.Equal(t, paperStyles[i].color, s.color)
		assert.Equal(t, paperStyles[i].mark.shape, s.mark.shape)
		look := fmt.Sprint(s.dashes, s.mark)
		assert.False(t, seen[look], "the curves are told apart without colour")
		seen[look] = true
	}
}

func TestABlankPanelSaysWhy(t *testing.T) {
	blank := func(remark string) CurvesGrid {
		f := smallGrid(0.5)
		f.Panels[1].Series, f.Panels[1].Remarks = nil, []string{remark}
		return f
	}
	words := difference(t, drawGrid(t, blank(" ")), drawGrid(t, blank("not run yet")))
	assert.Greater(t, words.Dx(), 100)
	assert.Less(t, words.Dy(), 50)
}

func TestAMazeOfOursIsMarkedAndExplained(t *testing.T) {
	official, ours := smallGrid(0.5), smallGrid(0.5)
	ours.Panels[0].Generated = true
	a, err := official.Figure()
	require.NoError(t, err)
	b, err := ours.Figure()
	require.NoError(t, err)
	assert.Equal(t, a.Height+lineHeight, b.Height)
	assert.Equal(t, "1*", starred(ours.Panels[0].Name, ours.Panels[0].Generated))
}

// A remark stands where there are no curves: above low ones, below high ones.
func TestARemarkLeavesTheCurvesFree(t *testing.T) {
	top := func(y float64) int {
		with := smallGrid(y)
		with.Panels[0].Remarks = []string{"b diverged"}
		return difference(t, drawGrid(t, smallGrid(y)), drawGrid(t, with)).Min.Y
	}
	assert.Greater(t, top(0.9), top(0.1)+100)
}

func TestCurvesGridRefuses(t *testing.T) {
	for want, spoil := range map[string]func(*CurvesGrid){
		"note":            func(f *CurvesGrid) { f.Note = "" },
		"no panels":       func(f *CurvesGrid) { f.Panels = nil },
		"at most 3":       func(f *CurvesGrid) { f.Methods = []string{"a", "b", "c", "d"} },
		"says why":        func(f *CurvesGrid) { f.Panels[3].Series = nil },
		"of no method":    func(f *CurvesGrid) { f.Panels[3].Series[1].Name = "z" },
		"second of one":   func(f *CurvesGrid) { f.Panels[3].Series[1].Name = "a" },
		"outside of":      func(f *CurvesGrid) { f.Panels[3].Series[1].X[2] = 101 },
		"from 0 to 0":     func(f *CurvesGrid) { f.Panels[3].XMax = 0 },
		"from 0 to +Inf":  func(f *CurvesGrid) { f.Panels[3].XMax = math.Inf(1) },
		"outside [0, 1]":  func(f *CurvesGrid) { f.Panels[3].Series[1].Y[1] = 1.1 },
		"a finite number": func(f *CurvesGrid) { f.Panels[3].Series[1].Y[1] = math.NaN() },
	} {
		f := smallGrid(0.5)
		spoil(&f)
		_, err := f.Figure()
		assert.ErrorContains(t, err, want)
	}
}

func TestFewTicksAreRoundAndFitBelowAPanel(t *testing.T) {
	labels := func(high float64) (all []string) {
		for _, tick := range fewTicks(0, high) {
			assert.LessOrEqual(t, tick.Value, high*(1+1e-9))
			all = append(all, tick.Label)
		}
		return all
	}
	assert.Equal(t, []string{"0", "40,000", "80,000"}, labels(80_000))
	assert.Equal(t, []string{"0", "1,000", "2,000"}, labels(2_500))
	assert.Equal(t, []string{"0", "0.1", "0.2", "0.3"}, labels(0.3))
	assert.Equal(t, []string{"0", "2.5", "5"}, labels(7))
	for high := 1e-3; high < 1e6; high *= 1.07 {
		n := len(labels(high))
		assert.True(t, n >= 2 && n <= 4, "%d up to %g", n, high)
	}
}
