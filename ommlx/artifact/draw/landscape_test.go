package draw

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/plotter"
)

// A level line is where the function has the level's value, and it is closed if it does not meet the edge: each end of
// a piece is the end of another.
func TestLevelLines(t *testing.T) {
	land := bowl()
	for _, level := range land.Levels {
		ends := map[corner]int{}
		length := 0.0
		for _, piece := range land.levelLine(level) {
			for _, end := range piece {
				assert.InDelta(t, level, land.F(end.x, end.y), 1e-3)
				ends[corner{math.Round(end.x * 1e9), math.Round(end.y * 1e9), 0}]++
			}
			length += math.Hypot(piece[0].x-piece[1].x, piece[0].y-piece[1].y)
		}
		assert.InEpsilon(t, 2*math.Pi*math.Sqrt(level), length, 1e-3)
		for end, pieces := range ends {
			assert.Equal(t, 2, pieces, "at %v", end)
		}
	}
	assert.Empty(t, land.levelLine(-1))
	assert.Empty(t, land.levelLine(100))
}

// The arrow of a directed path points along it: beside the middle there is more ink before than behind.
func TestDirectedPathsHaveAnArrow(t *testing.T) {
	ink := func(from, to float64) (left, right int) {
		land := bowl()
		land.Points = nil
		land.Paths[0].Lines = []plotter.XYs{{{X: from, Y: 0}, {X: (from + to) / 2, Y: 0}, {X: to, Y: 0}}}
		fig, err := Contours{Plots: []Landscape{land}}.Figure()
		img := drawn(t, fig, err)
		middle := img.Bounds().Dx() // column of the arrow: where the orange is tallest
		tallest := 0
		heights := make([]int, img.Bounds().Dx())
		for x := range heights {
			for y := 200; y < img.Bounds().Dy(); y++ { // below the legend
				if same(img.At(x, y), orange) {
					heights[x]++
				}
			}
			if heights[x] > tallest {
				tallest, middle = heights[x], x
			}
		}
		require.Greater(t, tallest, 8, "no arrow found")
		for d := 1; d < 12; d++ {
			left, right = left+heights[middle-d], right+heights[middle+d]
		}
		return left, right
	}
	left, right := ink(-1.2, 1.2)
	assert.Greater(t, right, left+10)
	left, right = ink(1.2, -1.2)
	assert.Greater(t, left, right+10)
}
