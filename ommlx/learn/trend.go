package learn

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
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
	leastBlocks        = 2  // before and after a jump
	distinctMeans      = 6  // standard deviations between two means that do not overlap
)

// trend reports trajectories whose law changes with time, by a [feature] of a coordinate. An ensemble is tested by the
// differences of the last and first quarters of its trajectories, whose means are zero for every stationary process;
// single trajectories are tested by the line or step that fits best.
func (o Pairs) trend() string {
	_, d := o.From.Dims()
	for j := range min(d, premiseColumns) {
		c := o.coordinate(j)
		long := slices.DeleteFunc(slices.Clone(c.all), func(x []float64) bool { return len(x) < 2*quarters })
		for _, f := range features {
			share, found := "twentieth", move{}
			if len(long) < ensemble {
				found = f.alone(c.all)
			} else {
				share, found = "quarter", f.together(long)
			}
			first, last := f.unit(c, found.first), f.unit(c, found.last)
			if found.blocks > 0 {
				return fmt.Sprintf("coordinate %d has the %s %.3g in the first %d twentieths of the frames and %.3g "+
					"in the others: the recording changed, or it has too few transitions of a slow process to tell "+
					"the rate; use longer trajectories, or learn the parts separately", j, f.name, first, found.blocks,
					last)
			} else if first != last {
				return fmt.Sprintf("the trajectories are not stationary: coordinate %d has the %s %.3g in the first "+
					"%s of the frames and %.3g in the last; remove the trend, drop the beginning, or give the pairs "+
					"Weights", j, f.name, first, share, last)
			}
		}
	}
	return ""
}

// coordinate holds one coordinate of all trajectories, without gaps, with mean 0 and standard deviation 1.
type coordinate struct {
	mean, deviation float64
	all             [][]float64
}

// coordinate returns coordinate j, zeros if it is constant.
func (o Pairs) coordinate(j int) (c coordinate) {
	from, to, lag := mat.Col(nil, j, o.From), mat.Col(nil, j, o.To), o.made.lag
	for i, part := range o.made.parts {
		if i == 0 || part.trajectory != o.made.parts[i-1].trajectory {
			c.all = append(c.all, nil)
		}
		x, end := &c.all[len(c.all)-1], part.pairs
		*x = slices.Concat(*x, from[:end], to[max(0, end-lag):end])
		from, to = from[end:], to[end:]
	}
	c.mean, c.deviation = stat.PopMeanStdDev(slices.Concat(c.all...), nil)
	for _, x := range c.all {
		if floats.AddConst(-c.mean, x); c.deviation > 0 {
			floats.Scale(1/c.deviation, x)
		}
	}
	return c
}

// feature is a mean of terms over a block of frames, the same for all blocks if the process is stationary.
type feature struct {
	name  string
	terms func(x []float64) []float64           // of standardised frames
	unit  func(c coordinate, y float64) float64 // in the units of the coordinate
}

const ofFrames, ofSteps = "mean", "root mean square step"

var features = []feature{
	{ofFrames, func(x []float64) []float64 { return x },
		func(c coordinate, y float64) float64 { return c.mean + c.deviation*y }},
	{"mean square deviation", squares,
		func(c coordinate, y float64) float64 { return c.deviation * c.deviation * y }},
	{ofSteps,
		func(x []float64) []float64 {
			return squares(floats.SubTo(make([]float64, len(x)-1), x[1:], x[:len(x)-1]))
		},
		func(c coordinate, y float64) float64 { return c.deviation * math.Exp(y) }},
}

func squares(x []float64) []float64 { return floats.MulTo(make([]float64, len(x)), x, x) }

// history returns the feature in consecutive blocks, of steps the logarithm of the root of their mean square.
func (f feature) history(x []float64, blocks int) (y []float64) {
	terms := f.terms(x)
	for b := range blocks {
		y = append(y, stat.Mean(terms[b*len(terms)/blocks:(b+1)*len(terms)/blocks], nil))
		if f.name == ofSteps {
			y[b] = math.Log(y[b]+1e-30) / 2
		}
	}
	return y
}

// move is a change of a feature between the first and the last block or, if blocks is positive, a jump after so many.
type move struct {
	first, last float64
	blocks      int
}

// alone returns the change of the feature in a trajectory whose memory is short against it. A jump between means of
// frames that do not overlap is left to [Learned.fewTransitions].
func (f feature) alone(trajectories [][]float64) move {
	for _, x := range trajectories {
		if len(x) < 2*trendBlocks {
			continue
		}
		y := f.history(x, trendBlocks)
		change, most, _ := fit(y, line(trendBlocks))
		found, overlap := move{y[0], y[trendBlocks-1], 0}, true
		for at := leastBlocks; at <= trendBlocks-leastBlocks; at++ {
			step := slices.Concat(make([]float64, at), slices.Repeat([]float64{1}, trendBlocks-at))
			jump, errors, rest := fit(y, step)
			if errors <= most {
				continue
			}
			change, most, found = jump, errors, move{y[0] - rest[0], y[trendBlocks-1] - rest[trendBlocks-1], at}
			inside := 1 - jump*jump*stat.PopVariance(step, nil) // variance of frames without the jump
			overlap = f.name != ofFrames || math.Abs(jump) < distinctMeans*math.Sqrt(inside)
		}
		if most > trendErrors && math.Abs(change) > trendSize && overlap &&
			(f.name == ofSteps || memories*memory(f.terms(x)) < float64(len(x))) {
			return found
		}
	}
	return move{}
}

// together returns the change of the means over an ensemble.
func (f feature) together(trajectories [][]float64) (found move) {
	n := float64(len(trajectories))
	var changes []float64
	for _, x := range trajectories {
		y := f.history(x, quarters)
		first, last := y[0], y[quarters-1]
		found.first, found.last, changes = found.first+first/n, found.last+last/n, append(changes, last-first)
	}
	change, deviation := stat.MeanStdDev(changes, nil)
	student := distuv.StudentsT{Sigma: 1, Nu: n - 1}
	errors := math.Abs(change) / (stat.StdErr(deviation, n) + 1e-12)
	if math.Abs(change) <= trendSize/2 || 2*student.Survival(errors) >= chance {
		return move{}
	}
	return found
}

// fit fits a constant and a multiple of a shape, which rises from 0 to 1, to y by least squares. It returns the
// multiple, its size in standard errors, and the residuals.
func fit(y, shape []float64) (multiple, errors float64, rest []float64) {
	centred, rest := slices.Clone(shape), slices.Clone(y)
	floats.AddConst(-stat.Mean(shape, nil), centred)
	floats.AddConst(-stat.Mean(y, nil), rest)
	size := floats.Dot(centred, centred)
	multiple = floats.Dot(centred, y) / size
	floats.AddScaled(rest, -multiple, centred)
	c := correlation(rest)
	if c > correlated {
		c = almost
	}
	// The residuals' variance, enlarged for their correlation, since means of a process with a long memory wander.
	variance := (floats.Dot(rest, rest) + 1e-24) / float64(len(rest)-2) * (1 + c) / (1 - c)
	return multiple, math.Abs(multiple) / math.Sqrt(variance/size), rest
}

func line(n int) []float64 { return floats.Span(make([]float64, n), 0, 1) }

// memory returns the number of frames after which deviations of y from a straight line have decayed by a factor e, if
// they are autoregressive.
func memory(y []float64) float64 {
	_, _, rest := fit(y, line(len(y)))
	return -1 / math.Log(correlation(rest))
}

// correlation returns the correlation of successive residuals of a fit with two parameters, at least 1e-9.
func correlation(rest []float64) float64 {
	c := floats.Dot(rest[1:], rest[:len(rest)-1]) / (floats.Dot(rest, rest) + 1e-24)
	c += (2 + 4*c) / float64(len(rest)) // the fit lowers it
	return math.Max(1e-9, math.Min(almost, c))
}
