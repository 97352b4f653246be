package draw

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A map that is positive for large first coordinates and zero elsewhere is orange on the right; one that is negative
// for large second coordinates is navy above.
func TestPanelsOrientation(t *testing.T) {
	right, above := make([]float64, 25), make([]float64, 25)
	for i := range 5 {
		for j := range 5 {
			if i > 2 {
				right[5*i+j] = 1
			}
			if j > 2 {
				above[5*i+j] = -2
			}
		}
	}
	fig, err := Panels{Rows: []PanelRow{{Label: "a", Maps: [][]float64{right, above}}}}.Figure()
	img := drawn(t, fig, err)
	scale := DPI / 72.0
	side := math.Min(float64(TextWidth-panelGap)/2, 86.4)
	at := func(column int, x, y float64) [3]uint32 { // x to the right, y upwards, from 0 to 1
		px := (float64(column)*(side+float64(panelGap)) + x*side) * scale
		py := (float64(lineHeight) + (1-y)*side) * scale
		r, g, b, _ := img.At(int(px), int(py)).RGBA()
		return [3]uint32{r, g, b}
	}
	rgb := func(v float64) [3]uint32 {
		r, g, b, _ := diverging(v).RGBA()
		return [3]uint32{r, g, b}
	}
	for _, other := range []float64{0.2, 0.8} {
		assert.Equal(t, rgb(1), at(0, 0.9, other))
		assert.Equal(t, rgb(0), at(0, 0.1, other))
		assert.Equal(t, rgb(-1), at(1, other, 0.9))
		assert.Equal(t, rgb(0), at(1, other, 0.1))
	}
}

func TestPanelsAreTheSameBytesEveryTime(t *testing.T) {
	row := PanelRow{Label: "a"}
	for i := range 12 {
		row.Maps = append(row.Maps, []float64{1, float64(i), -1, 0.5})
	}
	panels := Panels{Rows: []PanelRow{row, row}}
	var first []byte
	for range 6 {
		fig, err := panels.Figure()
		require.NoError(t, err)
		pdf, err := PDF(fig)
		require.NoError(t, err)
		if first == nil {
			first = pdf
		}
		require.Equal(t, first, pdf)
	}
}

func TestPanelsRefuse(t *testing.T) {
	for want, rows := range map[string][]PanelRow{
		"no maps":  {{Label: "empty"}},
		"n×n":      {{Maps: [][]float64{{1, 2, 3}}}},
		"finite":   {{Maps: [][]float64{{1, 2, 3, math.NaN()}}}},
		"2 titles": {{Titles: []string{"a", "b"}, Maps: [][]float64{{1, 2, 3, 4}}}},
	} {
		_, err := Panels{Rows: rows}.Figure()
		assert.ErrorContains(t, err, want)
	}
}

func TestCurvesRowRefuses(t *testing.T) {
	_, err := CurvesRow{}.Figure()
	assert.ErrorContains(t, err, "no plots")
	_, err = CurvesRow{Plots: []Curves{{Title: "bad"}}}.Figure()
	assert.ErrorContains(t, err, "no series")
}
