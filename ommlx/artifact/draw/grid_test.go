package draw

import (
	"image"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func drawFig3(t *testing.T, grids ...Grid) image.Image {
	t.Helper()
	fig, err := Fig3{Grids: grids}.Figure()
	return drawn(t, fig, err)
}

// isDark looks at the middle of a cell of a single grid of two rows and four columns, which is centred on the page and
// as high as its tile: 1.3 in less 3 pt.
func isDark(img image.Image, row, col int) bool {
	const cell = (1.3 - 3.0/72) * DPI / 2
	x := float64(img.Bounds().Dx())/2 + (float64(col)-1.5)*cell
	y := (float64(row) + 0.5) * cell
	return lightness(img.At(int(x), int(y))) < 50
}

func TestEachCellIsDrawnInItsPlace(t *testing.T) {
	rows := []string{"X  X", " X  "}
	img := drawFig3(t, Grid{Name: "g", Rows: rows})
	for row := range rows {
		for col := range rows[row] {
			assert.Equal(t, rows[row][col] == Wall, isDark(img, row, col), "row %d, column %d", row, col)
		}
	}
}

func TestNoSeamsWithinWalls(t *testing.T) {
	wall := strings.Repeat(string(Wall), 6)
	solid := []string{wall + string(Wall), wall + string(Wall), wall + " "}
	img := drawFig3(t, Grid{Name: "g", Rows: solid})
	middle := img.Bounds().Dx() / 2
	for y := 2; y < DPI*6/5; y++ { // down through all three rows, at the middle of the page
		assert.Less(t, lightness(img.At(middle, y)), 40.0, "pixel row %d", y)
	}
}

func TestOurMazesAreMarked(t *testing.T) {
	official, ours := Grid{Name: "m", Rows: []string{"X X"}}, Grid{Name: "m", Rows: []string{"X X"}, Generated: true}
	plain, err := Fig3{Grids: []Grid{official}}.Figure()
	assert.NoError(t, err)
	marked, err := Fig3{Grids: []Grid{ours}}.Figure()
	assert.NoError(t, err)
	text := func(fig *Figure) string {
		svg, err := SVG(fig)
		assert.NoError(t, err)
		return string(svg)
	}
	assert.NotContains(t, text(plain), "our maze")
	assert.Equal(t, 1, strings.Count(text(marked), "our maze, same size"))
	assert.Contains(t, text(plain), "1 state<", "one state is singular")
}
