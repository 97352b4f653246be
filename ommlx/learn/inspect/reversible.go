package inspect

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

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
	from, to, names := p.features()
	n, _ := from.Dims()
	effective, numbers := float64(n), make([]float64, n)
	if p.Weights != nil {
		effective = math.Pow(floats.Sum(p.Weights), 2) / floats.Dot(p.Weights, p.Weights)
	}
	mean := func(of func(row int) float64) (mean, certain float64) {
		for row := range numbers {
			numbers[row] = of(row)
		}
		mean, deviation := stat.PopMeanStdDev(numbers, p.Weights)
		return mean, minCertain * stat.StdErr(deviation, effective)
	}
	worst := minTurned
	for i := 0; i < len(names) && effective >= 2; i++ {
		change, certain := mean(func(row int) float64 { return to.At(row, i) - from.At(row, i) })
		if math.Abs(change) > max(certain, minMoved) && moved == "" {
			moved = fmt.Sprintf("the pairs are not stationary: the mean of %s changes by %.2g standard deviations "+
				"from From to To; use pairs whose From and To have the same distribution", names[i], change)
		}
		for j := range i {
			skew, certain := mean(func(row int) float64 {
				return from.At(row, j)*to.At(row, i) - from.At(row, i)*to.At(row, j)
			})
			if math.Abs(skew) > max(certain, worst) {
				worst = math.Abs(skew)
				turned = fmt.Sprintf("the process is not reversible: the moments of %s before %s and in reverse "+
					"differ by %.2g ± %.1g of the variance, so only the symmetric part of T was learned; use Joint "+
					"for singular functions", names[j], names[i], worst, certain/minCertain)
			}
		}
		r, certain := mean(func(row int) float64 { return from.At(row, i) * to.At(row, i) })
		if r < min(maxOpposed, -certain) && !p.States && opposed == "" {
			opposed = fmt.Sprintf("%s has the correlation %.2g with itself a lag later, so the least eigenvalue is at "+
				"most %.2g, and only the largest are learned; use twice the lag, which squares eigenvalues, or Joint, "+
				"for absolute values", names[i], r, r)
		}
	}
	return moved, turned, opposed
}

// features returns functions of the rows, with mean 0 and standard deviation 1 over From and To: the coordinates and
// their squares, or whether the state has a number.
func (p Pairs) features() (from, to mat.Matrix, names []string) {
	n, d := p.From.Dims()
	var both, all mat.Dense
	both.Stack(p.From, p.To)
	columns, twice := 2*min(d, maxColumns), slices.Concat(p.Weights, p.Weights)
	if p.States {
		columns = min(int(mat.Max(&both))+1, 2*maxColumns)
	}
	all.ReuseAs(2*n, columns)
	for i := range columns {
		var x []float64
		switch {
		case p.States:
			names = append(names, fmt.Sprintf("state %d", i))
			for _, state := range both.RawMatrix().Data {
				x = append(x, max(0, 1-math.Abs(state-float64(i))))
			}
		case i < columns/2:
			names, x = append(names, fmt.Sprintf("coordinate %d", i)), mat.Col(nil, i, &both)
		default:
			names, x = append(names, names[i-columns/2]+" squared"), terms(deviations, mat.Col(nil, i-columns/2, &all))
		}
		mean, deviation := stat.PopMeanStdDev(x, twice)
		all.SetCol(i, standardised(x, mean, deviation))
	}
	return all.Slice(0, n, 0, columns), all.Slice(n, 2*n, 0, columns), names
}
