package schrodinger_test

import (
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
