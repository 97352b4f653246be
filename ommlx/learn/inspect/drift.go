package inspect

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

const (
	minChange = 0.5 // change of the mean that matters, in standard deviations
	// minErrors is the size of a change, in its errors, above which trajectories are reported. Stationary processes of
	// any memory stay below: see TestStationaryProcessesDoNotDrift.
	minErrors   = 7
	blocks      = 20  // parts of each trajectory whose means are compared
	minMemories = 40  // memories in all frames, below which a mean may wander that far
	maxRelated  = 0.5 // correlation of successive means, above which they wander
)

// drift remarks on trajectories whose mean changes with time.
func (p Pairs) drift() string {
	_, d := p.From.Dims()
	for j := range min(d, maxColumns) {
		if change := change(p.coordinate(j)); math.Abs(change) > minChange {
			return fmt.Sprintf("the trajectories are not stationary: the mean of coordinate %d changes by %.2g "+
				"standard deviations; leave out the frames that differ or, if this is a slow process, use longer "+
				"trajectories", j, change)
		}
	}
	return ""
}

// coordinate returns coordinate j of each trajectory, without gaps, with mean 0 and standard deviation 1 over all, or
// zeros if it is constant.
func (p Pairs) coordinate(j int) (all [][]float64) {
	from, to := mat.Col(nil, j, p.From), mat.Col(nil, j, p.To)
	for i, part := range p.Parts {
		if i == 0 || part.Trajectory != p.Parts[i-1].Trajectory {
			all = append(all, nil)
		}
		x, end := &all[len(all)-1], part.Pairs
		*x = slices.Concat(*x, from[:end], to[max(0, end-p.Lag):end])
		from, to = from[end:], to[end:]
	}
	mean, deviation := stat.PopMeanStdDev(slices.Concat(all...), nil)
	for _, x := range all {
		standardise(x, mean, deviation)
	}
	return all
}

// standardise replaces x by (x − mean)/deviation, or by zeros if the deviation is 0.
func standardise(x []float64, mean, deviation float64) {
	if floats.AddConst(-mean, x); deviation > 0 {
		floats.Scale(1/deviation, x)
	}
}

// change returns by how much the mean of trajectories changes from their starts to their ends, along the line, the step
// or the exponential that fits best, or 0 if it may be chance.
func change(trajectories [][]float64) (change float64) {
	all, means := slices.Concat(trajectories...), make([]float64, blocks)
	if _, _, related := fit(all, line(len(all))); related > math.Exp(-minMemories/float64(len(all))) {
		return 0
	}
	for b := range means {
		var block []float64
		for _, x := range trajectories {
			block = append(block, x[b*len(x)/blocks:(b+1)*len(x)/blocks]...)
		}
		means[b] = stat.Mean(block, nil)
	}
	shapes, most := [][]float64{line(blocks)}, float64(minErrors)
	for at := 1; at < blocks; at++ {
		shapes = append(shapes, slices.Concat(make([]float64, at), slices.Repeat([]float64{1}, blocks-at)))
	}
	for time := 1.; time < blocks; time *= 2 { // of a relaxation
		shapes = append(shapes, xslices.Map(line(blocks), func(t float64) float64 {
			return math.Expm1(-t*blocks/time) / math.Expm1(-blocks/time)
		}))
	}
	for _, shape := range shapes {
		if rise, errors, related := fit(means, shape); errors > most && related < maxRelated {
			change, most = rise, errors
		}
	}
	return change
}

func line(n int) []float64 { return floats.Span(make([]float64, n), 0, 1) }

// fit fits a constant plus a change times a shape, which rises from 0 to 1, to y by least squares. It returns the
// change, its size in standard errors, and the correlation of successive residuals.
func fit(y, shape []float64) (change, errors, related float64) {
	first, change := stat.LinearRegression(shape, y, nil, false)
	n, rest := float64(len(y)), slices.Clone(y)
	floats.AddConst(-first, rest)
	floats.AddScaled(rest, -change, shape)
	squares := floats.Dot(rest, rest) + 1e-24
	c := floats.Dot(rest[1:], rest[:len(rest)-1]) / squares
	c = max(0, c+(2+4*c)/n) // the fit lowers it
	variance := squares / (n - 2) * (1 + c) / (1 - c) / (n * stat.PopVariance(shape, nil))
	return change, math.Abs(change) / math.Sqrt(variance), c
}
