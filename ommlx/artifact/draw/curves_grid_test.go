package draw

import (
	"bytes"
	"fmt"
	"image"
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

// gridChange is where a grid of curves at y changes with its panels.
func gridChange(t *testing.T, y float64, change func(panels []CurvesPanel)) image.Rectangle {
	t.Helper()
	changed := smallGrid(y)
	change(changed.Panels)
	before, err := smallGrid(y).Figure()
	a := drawn(t, before, err)
	after, err := changed.Figure()
	return difference(t, a, drawn(t, after, err))
}

// Four panels stand in a row, from left to right, and the fifth below the first.
func TestThePanelsOfAGridStandInRows(t *testing.T) {
	var at []image.Point
	for n := range 6 {
		at = append(at, gridChange(t, 0.5, func(panels []CurvesPanel) { panels[n].Series[0].Y[1] = 0.8 }).Min)
	}
	for n := 1; n < gridColumns; n++ {
		assert.Greater(t, at[n].X, at[n-1].X+150)
		assert.Equal(t, at[0].Y, at[n].Y)
	}
	assert.InDelta(t, at[0].X, at[4].X, 1)
	assert.InDelta(t, at[1].X, at[5].X, 1)
	assert.Greater(t, at[4].Y, at[0].Y+100)
	assert.Equal(t, at[4].Y, at[5].Y)
}

// Other people's curves are drawn, also where ours is missing, and a panel without a curve says why.
func TestWhatAPanelShowsBesideOurCurves(t *testing.T) {
	others := []Series{{Name: "a", X: []float64{0, 100}, Y: []float64{0.9, 0.9}}}
	f := smallGrid(0.5)
	f.Panels[1].Series, f.Panels[1].Others, f.Panels[1].Remarks = nil, others, []string{"not run yet"}
	f.Panels[2].Series, f.Panels[2].Remarks = nil, []string{"never", "run"}
	f.Panels[3].Generated = true
	fig, err := f.Figure()
	require.NoError(t, err)
	svg, err := SVG(fig)
	require.NoError(t, err)
	for _, words := range []string{"dashed: the public code", "not run yet", "never", "4*", oursNote} {
		assert.True(t, bytes.Contains(svg, []byte(words)), words)
	}
	assert.Positive(t, gridChange(t, 0.5, func(panels []CurvesPanel) { panels[0].Others = others }).Dx())
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

// A remark stands where there are no curves: above low ones, below high ones.
func TestARemarkLeavesTheCurvesFree(t *testing.T) {
	top := func(y float64) int {
		return gridChange(t, y, func(panels []CurvesPanel) { panels[0].Remarks = []string{"b diverged"} }).Min.Y
	}
	assert.Greater(t, top(0.9), top(0.1)+80)
}

func TestHalvesAreWrittenAsTheyAre(t *testing.T) {
	for end, want := range map[float64][]string{
		80_000: {"0", "40,000", "80,000"}, 1: {"0", "0.5", "1"}, 25: {"0", "12.5", "25"},
	} {
		for i, tick := range halves(end) {
			assert.Equal(t, want[i], tick.Label)
			assert.InDelta(t, end*float64(i)/2, tick.Value, 0)
		}
	}
}
