package notebook

import (
	"cmp"
	"math"
	"slices"
	"time"

	"operator-omm/ommlx/artifact/draw"
	"operator-omm/ommlx/backend"
	"operator-omm/ommlx/theory"
)

// timing is how long [Seconds] repeats a function, in seconds.
const timing = 0.2

// Measured is a computation's time and the error that it left.
type Measured struct {
	Seconds float64 // wall-clock time
	Error   float64 // at least 0, in the unit of the figure that shows it
}

// Reached is the least error that was reached within a time, as a curve of a figure with a logarithmic axis: a point
// for each of points, in the order of their times, with the least error up to then. Errors below floor are drawn there.
// Points may be in any order, and are left as they are; none give a curve without points.
func Reached(name string, floor float64, points []Measured) draw.Series {
	points = slices.Clone(points)
	slices.SortFunc(points, func(a, b Measured) int { return cmp.Compare(a.Seconds, b.Seconds) })
	s, least := draw.Series{Name: name}, math.Inf(1)
	for _, p := range points {
		least = max(min(least, p.Error), floor)
		s.Add(p.Seconds, least)
	}
	return s
}

// Seconds calls fn, again until 0.2 seconds have passed, and returns the shortest wall-clock time of a call, in
// seconds.
func Seconds(fn func()) float64 {
	best := math.Inf(1)
	for total := 0.; total < timing; {
		start := time.Now()
		fn()
		took := time.Since(start).Seconds()
		best, total = min(best, took), total+took
	}
	return best
}

// CostAxis is evaluations of OMM that differ in one size.
type CostAxis struct {
	Name  string // of the size
	Sizes []float64
	Of    func(n int) Evaluation
}

// Costs is what evaluations of losses cost, and the fit to those of the axes.
type Costs struct {
	What      string // "processor time", in which other work of the machine does not count, or on a GPU "time"
	Cost      Cost
	Times     [][]time.Duration // of each axis
	Residuals [][]float64       // of each axis: t/Time − 1
	Slopes    []float64         // of each axis: s in t ∝ sizeˢ
	Others    []time.Duration   // of what is not on an axis
	Plots     draw.CurvesRow    // measured and fitted milliseconds, a plot for each axis
}

// MeasureCosts measures the axes and other evaluations in turns, and takes the least time of each. An error says what
// cannot be measured, or that the axes are too few for a fit.
func MeasureCosts(axes []CostAxis, others []Evaluation, repeats int, atLeast time.Duration) (Costs, error) {
	var cases []Evaluation
	for _, axis := range axes {
		for _, n := range axis.Sizes {
			cases = append(cases, axis.Of(int(n)))
		}
	}
	fitted := len(cases)
	cases = append(cases, others...)
	times, cpu, err := leastTimes(cases, repeats, atLeast)
	if err != nil {
		return Costs{}, err
	}
	chosen, err := backend.Choose()
	if err != nil {
		return Costs{}, err
	}
	c := Costs{What: "time"}
	if chosen.Kind != backend.KindXLACUDA {
		times, c.What = cpu, "processor time"
	}
	cost, residuals, err := fitCost(cases[:fitted], times[:fitted])
	if err != nil {
		return Costs{}, err
	}
	c.Cost, c.Others = cost, times[fitted:]
	for _, axis := range axes {
		n := len(axis.Sizes)
		measured, fit := draw.Series{Name: "measured"}, draw.Series{Name: "fit"}
		for i, size := range axis.Sizes {
			measured.Add(size, 1e3*times[i].Seconds())
			fit.Add(size, 1e3*cost.Time(cases[i]).Seconds())
		}
		c.Times, c.Residuals = append(c.Times, times[:n]), append(c.Residuals, residuals[:n])
		c.Slopes = append(c.Slopes, theory.PowerLaw(measured.X, measured.Y))
		c.Plots.Plots = append(c.Plots.Plots, draw.Curves{XLabel: axis.Name, YLabel: "ms", LogX: true, LogY: true,
			Series: []draw.Series{measured, fit}})
		cases, times, residuals = cases[n:], times[n:], residuals[n:]
	}
	return c, nil
}
