package draw

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/plotter"
)

// The arrow of a directed path points along it: it is broad where it begins.
func TestDirectedPathsHaveAnArrow(t *testing.T) {
	arrow := func(from, to float64) (heights []int) { // of its columns, from left to right
		land := bowl()
		land.Points = nil
		land.Paths[0].Lines = []plotter.XYs{{{X: from, Y: 0}, {X: (from + to) / 2, Y: 0}, {X: to, Y: 0}}}
		fig, err := Contours{Plots: []Landscape{land}}.Figure()
		img := drawn(t, fig, err)
		for x := range img.Bounds().Dx() {
			height := 0
			for y := 200; y < img.Bounds().Dy(); y++ { // below the legend
				if same(img.At(x, y), orange) {
					height++
				}
			}
			if height > 2 { // of the line
				heights = append(heights, height)
			}
		}
		require.Greater(t, len(heights), 2, "no arrow found")
		return heights
	}
	right, left := arrow(-1.2, 1.2), arrow(1.2, -1.2)
	assert.Greater(t, right[0], right[len(right)-1])
	assert.Less(t, left[0], left[len(left)-1])
}
