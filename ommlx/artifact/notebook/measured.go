package notebook

import (
	"cmp"
	"math"
	"slices"
	"time"

	"omm-go/ommlx/artifact/report/draw"
)

// Measured is a computation's time and the error that it left.
type Measured struct {
	Seconds float64 // wall-clock time
	Error   float64 // at least 0, in the unit of the figure that shows it
}

// Reached is the least error that was reached within a time, as a curve of a figure with a logarithmic axis: a point
// for each of points, in the order of their times, with the least error up to then. Errors below floor are drawn there.
// Points may be in any order, and are left as they are; none give a curve without points.
func Reached(name string, floor float64, points []Measured) draw.Series {
	s, least := draw.Series{Name: name}, math.Inf(1)
	sooner := func(a, b Measured) int { return cmp.Compare(a.Seconds, b.Seconds) }
	for _, p := range slices.SortedFunc(slices.Values(points), sooner) {
		least = max(min(least, p.Error), floor)
		s.Add(p.Seconds, least)
	}
	return s
}

// Seconds calls fn, again until 0.2 seconds have passed, and returns the shortest wall-clock time of a call, in
// seconds.
func Seconds(fn func()) float64 {
	best := math.Inf(1)
	for total := 0.; total < 0.2; {
		start := time.Now()
		fn()
		took := time.Since(start).Seconds()
		best, total = min(best, took), total+took
	}
	return best
}
