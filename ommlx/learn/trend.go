package learn

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

const (
	trendBlocks = 20 // of a trajectory
	ensemble    = 5  // trajectories, whose first and last quarters are compared
	quarters    = 4  // of a trajectory in an ensemble
	// trendErrors is the size of a trend, in its errors, above which a single trajectory is reported. Stationary
	// processes of any memory stay below: see TestStationaryProcessesHaveNoTrend.
	trendErrors = 8
	trendSize   = 0.5  // the smallest change that matters, in standard deviations or logarithms
	chance      = 1e-6 // that a stationary ensemble is reported
	// Residuals of a trend that are more correlated may come from a process with a long memory.
	correlated, almost = 0.5, 0.995
	memories           = 40 // the fewest in a trajectory that has a trend
	distinctMeans      = 6  // standard deviations between two means that do not overlap
)

// trend reports trajectories whose law changes with time: the mean or the size of a coordinate, or the size of its
// steps. An ensemble is tested by the differences of the last and first quarters of its trajectories, whose means are
// zero for every stationary process; single trajectories are tested by [line] and [jump].
func (p path) trend() string {
	blocks, share, differ := trendBlocks, "twentieth", coordinate.single
	coordinates, long := p.coordinates(), 0
	for _, x := range coordinates[0].all {
		if len(x) >= 2*quarters {
			long++
		}
	}
	if long >= ensemble {
		blocks, share, differ = quarters, "quarter", coordinate.together
	}
	for j, c := range coordinates {
		c.all = slices.DeleteFunc(c.all, func(x []float64) bool { return len(x) < 2*blocks })
		for _, x := range c.all {
			c.histories = append(c.histories, histories(x, blocks))
		}
		for feature, name := range []string{"mean", "mean square deviation", "root mean square step"} {
			if first, last, do := differ(c, feature); do {
				return fmt.Sprintf("the trajectories are not stationary: coordinate %d has the %s %.3g in the first "+
					"%s of the frames and %.3g in the last; remove the trend, drop the beginning, or give the pairs "+
					"Weights", j, name, c.unit(feature, first), share, c.unit(feature, last))
			}
			if before, after, block := c.jumps(feature); blocks == trendBlocks && block > 0 {
				return fmt.Sprintf("coordinate %d has the %s %.3g in the first %d twentieths of the frames and %.3g "+
					"in the others: the recording changed, or it has too few transitions of a slow process to tell "+
					"the rate; use longer trajectories, or learn the parts separately", j, name,
					c.unit(feature, before), block, c.unit(feature, after))
			}
		}
	}
	return ""
}

// single returns the first and last block of a feature of a trajectory that has a trend.
func (c coordinate) single(feature int) (first, last float64, found bool) {
	for i, history := range c.histories {
		y := history[feature]
		change, unit, rest := line(y)
		errors := math.Abs(change) / math.Sqrt(unit*variance(rest))
		if errors > trendErrors && math.Abs(change) > trendSize && short(c.all[i], feature) {
			return y[0], y[len(y)-1], true
		}
	}
	return 0, 0, false
}

// jumps returns the means of a feature before and after the block at which it jumps in a trajectory. A jump between
// means of x that do not overlap is left to [Learned.fewTransitions].
func (c coordinate) jumps(feature int) (before, after float64, block int) {
	for i, history := range c.histories {
		a, b, errors, split := jump(history[feature])
		share := float64(split) / trendBlocks
		inside := 1 - (b-a)*(b-a)*share*(1-share) // variance of x without the jump
		if errors > trendErrors && math.Abs(b-a) > trendSize && short(c.all[i], feature) &&
			(feature > 0 || math.Abs(b-a) < distinctMeans*math.Sqrt(inside)) {
			return a, b, split
		}
	}
	return 0, 0, 0
}

// together returns the means of the first and last block of a feature over an ensemble in which they differ.
func (c coordinate) together(feature int) (first, last float64, differ bool) {
	n := float64(len(c.histories))
	var changes []float64
	for _, history := range c.histories {
		y := history[feature]
		a, b := y[0], y[len(y)-1]
		first, last, changes = first+a/n, last+b/n, append(changes, b-a)
	}
	mean, deviation := stat.MeanStdDev(changes, nil)
	student := distuv.StudentsT{Sigma: 1, Nu: n - 1}
	errors := math.Abs(mean) / (stat.StdErr(deviation, n) + 1e-12)
	return first, last, math.Abs(mean) > trendSize/2 && 2*student.Survival(errors) < chance
}

// short reports whether the memory of a feature is short against the trajectory. Steps have no long memory.
func short(x []float64, feature int) bool {
	if feature == 1 {
		x = floats.MulTo(make([]float64, len(x)), x, x)
	}
	return feature == 2 || memories*memory(x) < float64(len(x))
}

// coordinate holds one coordinate of all trajectories, without gaps, with mean 0 and standard deviation 1.
type coordinate struct {
	mean, deviation float64
	all             [][]float64
	histories       [][3][]float64 // of the trajectories
}

// coordinates returns the first coordinates, at most premiseColumns; constant ones are zero.
func (p path) coordinates() (all []coordinate) {
	_, d := p.x[0].Dims()
	for j := range min(d, premiseColumns) {
		var c coordinate
		for i, part := range p.parts {
			if i == 0 || part.trajectory != p.parts[i-1].trajectory {
				c.all = append(c.all, nil)
			}
			x := &c.all[len(c.all)-1]
			for t := range part.frames {
				*x = append(*x, p.x[part.trajectory].At(part.first+t, j))
			}
		}
		c.mean, c.deviation = stat.PopMeanStdDev(slices.Concat(c.all...), nil)
		for _, x := range c.all {
			if floats.AddConst(-c.mean, x); c.deviation > 0 {
				floats.Scale(1/c.deviation, x)
			}
		}
		all = append(all, c)
	}
	return all
}

// unit returns a feature in the units of the coordinate.
func (c coordinate) unit(feature int, y float64) float64 {
	return []float64{c.mean + c.deviation*y, c.deviation * c.deviation * y, c.deviation * math.Exp(y)}[feature]
}

// histories returns the means of x and x² and the logarithm of the root mean square step in consecutive blocks.
func histories(x []float64, blocks int) (of [3][]float64) {
	for b := range blocks {
		block := x[b*len(x)/blocks : (b+1)*len(x)/blocks]
		steps := floats.SubTo(make([]float64, len(block)-1), block[1:], block[:len(block)-1])
		of[0] = append(of[0], stat.Mean(block, nil))
		of[1] = append(of[1], floats.Dot(block, block)/float64(len(block)))
		of[2] = append(of[2], math.Log(floats.Dot(steps, steps)/float64(len(steps))+1e-30)/2)
	}
	return of
}

// jump returns the means before and after the step that fits y best, its size in standard errors, and where it is.
func jump(y []float64) (before, after, errors float64, split int) {
	const least = 2 // on either side
	for at := least; at <= len(y)-least; at++ {
		a, b := slices.Clone(y[:at]), slices.Clone(y[at:])
		first, last := stat.Mean(a, nil), stat.Mean(b, nil)
		floats.AddConst(-first, a)
		floats.AddConst(-last, b)
		unit := 1/float64(len(a)) + 1/float64(len(b))
		if e := math.Abs(last-first) / math.Sqrt(unit*variance(append(a, b...))); e > errors {
			before, after, errors, split = first, last, e, at
		}
	}
	return before, after, errors, split
}

// variance is the variance of residuals, enlarged for their correlation, since the means of a process with a long
// memory wander.
func variance(rest []float64) float64 {
	c := correlation(rest)
	if c > correlated {
		c = almost
	}
	return (floats.Dot(rest, rest) + 1e-24) / float64(len(rest)-2) * (1 + c) / (1 - c)
}

// memory returns the number of frames after which deviations of y from a straight line have decayed by a factor e, if
// they are autoregressive.
func memory(y []float64) float64 {
	_, _, rest := line(y)
	return -1 / math.Log(correlation(rest))
}

// line returns the change of y along a straight line fitted by least squares, the variance of the change for residuals
// of variance 1, and the residuals.
func line(y []float64) (change, unit float64, rest []float64) {
	time := floats.Span(make([]float64, len(y)), -0.5, 0.5)
	unit = 1 / floats.Dot(time, time)
	change = floats.Dot(time, y) * unit
	rest = slices.Clone(y)
	floats.AddConst(-stat.Mean(y, nil), rest)
	floats.AddScaled(rest, -change, time)
	return change, unit, rest
}

// correlation returns the correlation of successive residuals of a fit with two parameters, at least 1e-9.
func correlation(rest []float64) float64 {
	c := floats.Dot(rest[1:], rest[:len(rest)-1]) / (floats.Dot(rest, rest) + 1e-24)
	c += (2 + 4*c) / float64(len(rest)) // the fit lowers it
	return math.Max(1e-9, math.Min(almost, c))
}
