package learn

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/net"
)

const (
	// certain is the number of standard errors of independent pairs above which a moment is reported: many moments are
	// compared, and pairs of a trajectory are not independent.
	certain                     = 8
	drifted, turned             = 0.1, 0.05  // moments that matter, relative to the variance
	premiseRows, premiseColumns = 20_000, 24 // limit the cost

	giveStationary = "use pairs whose From and To have the same distribution"
	onlySymmetric  = "so only the symmetric part of T was learned; use Joint for singular functions"
)

// premises adds what the data violate of the assumptions of [Pairs], for functions that the caller gave, or nil.
func (t *Task) premises(o Pairs, f net.Functions) {
	t.Premises, t.Remedy = []string{strings.Join(o.made.said, "; "), o.tooFew()}, o.tooFew()
	t.coordinates("From", o.From, f, o.made)
	trend := ""
	if o.made.parts != nil && o.Weights == nil {
		trend = o.trend()
	}
	if isDiscrete(f) {
		t.Premises = append(t.Premises, cmp.Or(trend, o.premisesOfStates()))
		return
	}
	from, to, weights := o.standardisedTogether()
	t.Premises = append(t.Premises, cmp.Or(trend, o.premisesOfCoordinates(from, to, weights)),
		o.alternates(from, to, weights))
}

// premisesOfCoordinates reports pairs that are not stationary, by the means and variances of the coordinates, and
// processes that are not reversible, by the antisymmetric part of E[g_i(x) g_j(x')] for the coordinates and their
// squares, from [Pairs.standardisedTogether].
func (o Pairs) premisesOfCoordinates(from, to mat.Matrix, weights []float64) string {
	n, features := from.Dims()
	_, d := o.From.Dims()
	effective := float64(n) // number of pairs
	if weights != nil {
		effective = math.Pow(floats.Sum(weights), 2) / floats.Dot(weights, weights)
	}
	if !(effective >= 2) {
		return ""
	}
	mean := func(of func(p int) float64) (mean, standard float64) { // and the error of the mean
		numbers := make([]float64, n)
		for p := range numbers {
			numbers[p] = of(p)
		}
		mean, deviation := stat.PopMeanStdDev(numbers, weights)
		return mean, stat.StdErr(deviation, effective)
	}
	for i := range features {
		drift, standard := mean(func(p int) float64 { return to.At(p, i) - from.At(p, i) })
		if math.Abs(drift) <= max(certain*standard, drifted) {
			continue
		}
		a, b := mat.Col(nil, i%d, o.From), mat.Col(nil, i%d, o.To)
		return fmt.Sprintf("the pairs are not stationary: coordinate %d has mean %.3g and standard deviation %.3g in "+
			"From, but %.3g and %.3g in To; "+giveStationary, i%d, stat.Mean(a, o.Weights), stat.StdDev(a, o.Weights),
			stat.Mean(b, o.Weights), stat.StdDev(b, o.Weights))
	}
	var worst, uncertain float64
	var first, second int
	for i := range features {
		for j := range i {
			skew, standard := mean(func(p int) float64 { return from.At(p, j)*to.At(p, i) - from.At(p, i)*to.At(p, j) })
			if math.Abs(skew) > max(certain*standard, turned, worst) {
				worst, uncertain, first, second = math.Abs(skew), standard, j, i
			}
		}
	}
	if worst == 0 {
		return ""
	}
	powers := []string{"", " squared"}
	return fmt.Sprintf("the process is not reversible: the moments of coordinate %d%s before coordinate %d%s and in "+
		"reverse differ by %.2g ± %.1g of the variance, "+onlySymmetric, first%d, powers[first/d], second%d,
		powers[second/d], worst, uncertain)
}

// standardisedTogether returns coordinates and their squares, n×2D, limited to twice premiseRows rows and to
// premiseColumns columns, with mean 0 and standard deviation 1 over both ends, and the weights of the rows.
func (o Pairs) standardisedTogether() (from, to mat.Matrix, weights []float64) {
	n, d := o.From.Dims()
	var some []int
	for p := 0; p < n; p += max(1, n/premiseRows) {
		some = append(some, p)
	}
	o = o.rows(some)
	var both, squares, all mat.Dense
	both.Stack(o.From, o.To)
	twice := slices.Concat(o.Weights, o.Weights)
	first := both.Slice(0, 2*len(some), 0, min(d, premiseColumns))
	x := standardise(first, twice).standardise(first)
	squares.MulElem(x, x)
	all.Augment(x, &squares)
	y, columns := standardise(&all, twice).standardise(&all).(*mat.Dense), min(2*d, premiseColumns)
	return y.Slice(0, len(some), 0, columns), y.Slice(len(some), 2*len(some), 0, columns), o.Weights
}

// premisesOfStates compares the counts of states in From and To, and of moves in both directions.
func (o Pairs) premisesOfStates() string {
	const anywhere = -1
	var states, moves Sparse                       // a state is entered from anywhere in From, and left for it in To
	weight, mean := 1.0, stat.Mean(o.Weights, nil) // unused without weights
	n, _ := o.From.Dims()
	for p := range n {
		if o.Weights != nil {
			weight = o.Weights[p] / mean
		}
		i, j := int(o.From.At(p, 0)), int(o.To.At(p, 0))
		states.add(anywhere, i, weight)
		states.add(j, anywhere, weight)
		if i != j {
			moves.add(i, j, weight)
		}
	}
	if c := imbalanceOf(states.mirrored); c.share > drifted && c.excess > certain {
		return fmt.Sprintf("the pairs are not stationary: From and To differ in a fraction %.2g of the counts; "+
			"state %d occurs %.0f times in From and %.0f times in To; "+giveStationary, c.share, c.j, c.above, c.below)
	}
	if c := imbalanceOf(moves.mirrored); c.share > turned && c.excess > certain {
		return fmt.Sprintf("the process is not reversible: a fraction %.2g of the moves is unbalanced; %.0f go from "+
			"state %d to %d and %.0f back, "+onlySymmetric, c.share, c.above, c.i, c.j, c.below)
	}
	return ""
}
