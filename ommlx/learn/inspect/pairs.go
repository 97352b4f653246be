// Package inspect examines what package learn is given: samples of a process for what violates the assumptions of
// learn.Pairs ([Pairs.Remarks]), and points for outliers and rounding ([Outliers], [Coarse]). A remark is one sentence
// with a symptom, its cause and a remedy, or "" if there is none.
package inspect

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/internal/linalg"
)

// Pairs are pairs (x, x') of states of a process, x' a lag after x.
type Pairs struct {
	From, To mat.Matrix // x and x', N×D, one pair per row
	Weights  []float64  // of the pairs; nil: equal
	States   bool       // x and x' are state numbers, with D = 1
	Lag      int        // frames from x to x'
	Parts    []Part     // trajectories that hold the pairs, in order; nil: unknown
}

// Part is a run of consecutive pairs of a trajectory, without gaps, from frame First on.
type Part struct{ Trajectory, First, Pairs int }

const maxColumns = 24 // coordinates that are examined

// Remarks returns what the pairs violate of the assumptions of learn.Pairs: that the process is stationary, which
// explains most other symptoms; that it is reversible; and that its largest eigenvalues are of interest.
func (p Pairs) Remarks() (changing string, others []string) {
	moved, turned, opposed := p.moments()
	if changing = cmp.Or(p.monotone(), p.drift(), moved); changing != "" {
		return changing, []string{opposed}
	}
	return "", []string{turned, opposed}
}

const (
	minMonotone = 20   // steps in one direction, that a coordinate takes by chance
	maxReturned = 0.02 // of its rises that a coordinate falls back again
)

// monotone remarks on a coordinate that rises or falls throughout, or changes only between trajectories. In a
// stationary process, rises and falls are equal.
func (p Pairs) monotone() string {
	n, d := p.From.Dims()
	for j := range min(d, maxColumns) {
		from := mat.Col(nil, j, p.From)
		steps := floats.SubTo(make([]float64, n), mat.Col(nil, j, p.To), from)
		moved := floats.Count(func(step float64) bool { return step != 0 }, steps)
		var up, down float64
		for _, step := range steps {
			up, down = up+max(0, step), down+max(0, -step)
		}
		switch {
		case moved == 0 && floats.Max(from) > floats.Min(from) && len(p.Parts) > 1:
			return fmt.Sprintf("coordinate %d is constant in each trajectory, as its number is, so the value 1 occurs "+
				"again; leave it out", j)
		case moved >= minMonotone && min(up, down) <= maxReturned*max(up, down):
			return fmt.Sprintf("the trajectories are not stationary: coordinate %d only rises or only falls, as a "+
				"time or a count does; leave it out, or use frames in equilibrium", j)
		}
	}
	return ""
}

const (
	// minCertain is the number of standard errors of independent pairs above which a moment is reported: many moments
	// are compared, and pairs of a trajectory are not independent.
	minCertain = 8
	minMoved   = 0.1  // difference of From and To that matters, in standard deviations
	minTurned  = 0.05 // difference of a moment from its reverse that matters
	maxOpposed = -0.5 // correlation of a coordinate with itself a lag later
)

// moments returns remarks on pairs that are not stationary, by the means of functions g_i of x and x'; on processes
// that are not reversible, by the antisymmetric part of E[g_i(x) g_j(x')]; and on a coordinate that tends to change
// sign within a lag: T then has an eigenvalue at or below its correlation, at the end of the spectrum that is not
// learned.
func (p Pairs) moments() (moved, turned, opposed string) {
	n, _ := p.From.Dims()
	from, to, names := p.features()
	effective, numbers := linalg.EffectiveCount(n, p.Weights), make([]float64, n)
	mean := func(of func(row int) float64) (mean, certain float64) {
		for row := range numbers {
			numbers[row] = of(row)
		}
		mean, deviation := stat.PopMeanStdDev(numbers, p.Weights)
		return mean, minCertain * stat.StdErr(deviation, effective)
	}
	worst := minTurned
	for i := 0; i < len(names) && effective >= 2; i++ {
		change, certain := mean(func(row int) float64 { return to[i][row] - from[i][row] })
		if math.Abs(change) > max(certain, minMoved) && moved == "" {
			moved = fmt.Sprintf("the pairs are not stationary: the mean of %s changes by %.2g standard deviations "+
				"from From to To; use pairs whose From and To have the same distribution", names[i], change)
		}
		for j := range i {
			skew, certain := mean(func(row int) float64 { return from[j][row]*to[i][row] - from[i][row]*to[j][row] })
			if math.Abs(skew) > max(certain, worst) {
				worst = math.Abs(skew)
				turned = fmt.Sprintf("the process is not reversible: the moments of %s before %s and in reverse "+
					"differ by %.2g ± %.1g of the variance, so only the symmetric part of T was learned; use Joint "+
					"for singular functions", names[j], names[i], worst, certain/minCertain)
			}
		}
		r, certain := mean(func(row int) float64 { return from[i][row] * to[i][row] })
		if r < min(maxOpposed, -certain) && !p.States && opposed == "" {
			opposed = fmt.Sprintf("%s has the correlation %.2g with itself a lag later, so the least eigenvalue is at "+
				"most %.2g, and only the largest are learned; use twice the lag, which squares eigenvalues, or Joint, "+
				"for absolute values", names[i], r, r)
		}
	}
	return moved, turned, opposed
}

// features returns functions of the rows, with mean 0 and standard deviation 1 over From and To: each coordinate and
// its square, or whether the state has a number.
func (p Pairs) features() (from, to [][]float64, names []string) {
	n, d := p.From.Dims()
	weights := slices.Concat(p.Weights, p.Weights)
	add := func(name string, x []float64) {
		x = linalg.Standardise(x, weights)
		from, to, names = append(from, x[:n]), append(to, x[n:]), append(names, name)
	}
	for i := range min(d, maxColumns) {
		x := slices.Concat(mat.Col(nil, i, p.From), mat.Col(nil, i, p.To))
		if !p.States {
			x = linalg.Standardise(x, weights) // the squares then are of distances from the mean
			add(fmt.Sprintf("coordinate %d", i), x)
			add(fmt.Sprintf("coordinate %d squared", i), floats.MulTo(make([]float64, 2*n), x, x))
			continue
		}
		for state := range min(int(floats.Max(x))+1, 2*maxColumns) {
			is := func(number float64) float64 { return max(0, 1-math.Abs(number-float64(state))) }
			add(fmt.Sprintf("state %d", state), xslices.Map(x, is))
		}
	}
	return from, to, names
}
