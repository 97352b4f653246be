package inspect

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
	twentieths = 20  // parts of a trajectory that are compared
	minChange  = 0.5 // change that matters, in standard deviations or logarithms
	// minErrors is the size of a change, in its errors, above which a trajectory is reported. Stationary processes of
	// any memory stay below: see TestStationaryProcessesDoNotDrift.
	minErrors   = 7
	minMemories = 40    // memories in a trajectory, below which a mean may wander that far
	maxRelated  = 0.5   // correlation of successive residuals, above which the memory is taken as almost endless
	almost      = 0.995 // the correlation then
	minSwitch   = 6     // standard deviations between the means of two states that do not overlap
	minEnsemble = 5     // trajectories, of which first and last quarters are compared
	maxChance   = 1e-6  // that a stationary ensemble is reported
)

// What may change: the mean, or the logarithm of the root mean square of deviations or steps.
const means, deviations, steps = 0, 1, 2

var kinds = []string{"mean of coordinate %d changes by %.2g standard deviations",
	"logarithm of the size of coordinate %d changes by %.2g", "logarithm of the steps of coordinate %d changes by %.2g"}

// drift remarks on trajectories whose law changes with time.
func (p Pairs) drift() string {
	_, d := p.From.Dims()
	for j := range min(d, maxColumns) {
		all := p.coordinate(j)
		for kind, text := range kinds {
			if change := changed(kind, all); change != 0 {
				return fmt.Sprintf("the trajectories are not stationary: the "+text+"; leave out the frames that "+
					"differ or, if this is a slow process, use longer trajectories", j, change)
			}
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
	for i, x := range all {
		all[i] = standardised(x, mean, deviation)
	}
	return all
}

// standardised returns (x − mean)/deviation, or zeros if the deviation is 0.
func standardised(x []float64, mean, deviation float64) []float64 {
	x = slices.Clone(x)
	if floats.AddConst(-mean, x); deviation > 0 {
		floats.Scale(1/deviation, x)
	}
	return x
}

// changed returns by how much the law of trajectories changes, 0 if it may be constant. An ensemble is tested by the
// changes from the first to the last quarters of its trajectories, whose mean is zero for every stationary process;
// single trajectories are tested by the line or step that fits best.
func changed(kind int, trajectories [][]float64) float64 {
	var changes []float64
	for _, x := range trajectories {
		if len(x) >= 8 {
			y := history(kind, x, 4)
			changes = append(changes, y[3]-y[0])
		}
	}
	if n := float64(len(changes)); n >= minEnsemble {
		change, deviation := stat.MeanStdDev(changes, nil)
		errors := math.Abs(change) / (stat.StdErr(deviation, n) + 1e-12)
		chance := 2 * distuv.StudentsT{Sigma: 1, Nu: n - 1}.Survival(errors)
		if math.Abs(change) > minChange/2 && chance < maxChance {
			return change
		}
		return 0
	}
	for _, x := range trajectories {
		if change, errors := bestFit(kind, x); errors > minErrors && math.Abs(change) > minChange {
			return change
		}
	}
	return 0
}

// history returns the means of consecutive parts of a trajectory or the logarithms of root mean squares.
func history(kind int, x []float64, parts int) (y []float64) {
	all := terms(kind, x)
	for b := range parts {
		y = append(y, stat.Mean(all[b*len(all)/parts:(b+1)*len(all)/parts], nil))
		if kind != means {
			y[b] = math.Log(y[b]+1e-30) / 2
		}
	}
	return y
}

// terms returns what has a constant mean in a stationary process.
func terms(kind int, x []float64) []float64 {
	switch kind {
	case means:
		return x
	case steps:
		x = floats.SubTo(make([]float64, len(x)-1), x[1:], x[:len(x)-1])
	}
	return floats.MulTo(make([]float64, len(x)), x, x)
}

// bestFit returns the change of the line or step that fits a trajectory best, and its size in standard errors; 0 if the
// trajectory is short or its memory long. A step between two states that do not overlap is left to [FewEvents].
func bestFit(kind int, x []float64) (change, errors float64) {
	all := terms(kind, x)
	_, _, related := fit(all, line(len(all)))
	memory := -1 / math.Log(related) // frames after which deviations have decayed by a factor e
	if len(x) < 2*twentieths || kind != steps && minMemories*memory > float64(len(x)) {
		return 0, 0
	}
	y := history(kind, x, twentieths)
	change, errors, _ = fit(y, line(twentieths))
	for at := 1; at < twentieths; at++ {
		step := slices.Concat(make([]float64, at), slices.Repeat([]float64{1}, twentieths-at))
		if jump, better, _ := fit(y, step); better > errors {
			change, errors = jump, better
			within := 1 - jump*jump*stat.PopVariance(step, nil) // variance of frames without the step
			if kind == means && math.Abs(jump) >= minSwitch*math.Sqrt(within) {
				change = 0
			}
		}
	}
	return change, errors
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
	c += (2 + 4*c) / n // the fit lowers it
	related = math.Max(1e-9, math.Min(almost, c))
	if c = related; c > maxRelated { // means of a process with a long memory wander
		c = almost
	}
	variance := squares / (n - 2) * (1 + c) / (1 - c) / (n * stat.PopVariance(shape, nil))
	return change, math.Abs(change) / math.Sqrt(variance), related
}
