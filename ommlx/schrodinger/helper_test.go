package schrodinger_test

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/combin"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/schrodinger"
)

var must = testkit.Must[schrodinger.System]

// known is a system with its test settings.
type known struct {
	schrodinger.System
	k     int     // states to test
	reach float64 // half-width of the region that the states fill
}

var everySystem = []known{
	{schrodinger.Hydrogen(), 36, 40},
	{must(schrodinger.Oscillator(1)), 20, 6},
	{must(schrodinger.Oscillator(2)), 28, 4},
	{must(schrodinger.Oscillator(3)), 20, 3},
	{must(schrodinger.Well(1, 0.7)), 10, 0.7},
	{must(schrodinger.Well(2, schrodinger.WellHalfWidth)), 45, schrodinger.WellHalfWidth},
	{must(schrodinger.Well(3, 2)), 17, 2},
}

// midpoint returns n^dim points of the midpoint rule on [−a, a]^dim and the weight of each.
func midpoint(dim, n int, a float64) (points *mat.Dense, weight float64) {
	sizes := make([]int, dim)
	for d := range sizes {
		sizes[d] = n
	}
	cells := combin.Cartesian(sizes)
	points = mat.NewDense(len(cells), dim, nil)
	points.Apply(func(p, d int, _ float64) float64 { return a * (2*(float64(cells[p][d])+0.5)/float64(n) - 1) }, points)
	return points, math.Pow(2*a/float64(n), float64(dim))
}
