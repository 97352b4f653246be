package learn

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/combin"

	"omm-go/ommlx/net"
)

const (
	maxDegree     = 4          // of the polynomials that are compared with a network
	manyMonomials = 100        // above degree 2
	maxCompared   = 10_000_000 // pairs times functions, which take a second
	maxLabels     = 100        // distinct whole numbers in a column that may be labels of states
	leastPerOne   = 50         // pairs per function, with which values of noise are small
	// A value on the training pairs may be below what simpler functions reach by a share of 1 − λ plus some
	// standard errors of a correlation λ of independent pairs, and by the bias 1/Batch.
	maxBehind, behindErrors, leastBehind = 0.1, 2, 1e-3
)

// compare describes the value that is furthest below what polynomials, or functions of a column that looks like labels
// of states, reach on the training pairs, unless the held-out pairs contradict that. By the variational principle, each
// value is a lower bound of the eigenvalue, up to the noise of the sample.
func (l *Learned) compare() string {
	o := l.Task.pairs
	if o.From == nil || l.HeldOut == nil || l.Task.side != nil || net.IsDiscrete(o.Functions) {
		return ""
	}
	for _, b := range slices.Concat(o.labelled(), o.polynomials()) {
		other, err := o.fit(b, l.k)
		if err != nil {
			continue
		}
		i, most := 0, 0.0
		for j := 1; j < l.k; j++ {
			value, heldOut := other.Values[j], other.HeldOut.Values[j]
			gain, noise := value-l.Values[j], math.Sqrt(math.Max(0, 1-value*value)/float64(l.Task.rows))
			if gain > math.Max(leastBehind, maxBehind*(1-value)+behindErrors*noise) &&
				heldOut > l.HeldOut.Values[j]-l.HeldOut.Errors[j] && gain > most {
				i, most = j, gain
			}
		}
		if most == 0 {
			continue
		}
		numbers := fmt.Sprintf("value %d is %.4g, and %.4g on held-out pairs, instead of %.4g and %.4g", i+1,
			other.Values[i], other.HeldOut.Values[i], l.Values[i], l.HeldOut.Values[i])
		if b.labels != nil {
			return fmt.Sprintf("coordinate %d has %d values, all whole, like labels of states, and with a function of "+
				"these labels %s; take it as states, with a net.Table or --states", b.column, len(b.labels), numbers)
		}
		return fmt.Sprintf("with polynomials of degree %d, %s; the largest is the best estimate, so use "+
			"Pairs.EDMD(%d, %d)", b.degree, numbers, b.degree, l.k)
	}
	return ""
}

// polynomials returns the monomials up to the highest degree that takes about a second, if there are enough pairs.
func (o Pairs) polynomials() []*basis {
	n, d := o.From.Dims()
	for degree := maxDegree; degree > 0; degree-- {
		count := combin.GeneralizedBinomial(float64(d+degree), float64(degree))
		if count <= min(maxCompared/float64(n), float64(n)/leastPerOne) && (degree <= 2 || count <= manyMonomials) {
			return []*basis{{Coordinates: net.Standardise(o.From), degree: degree}}
		}
	}
	return nil
}

// labelled returns the indicators of each column that holds few distinct values, all of them whole numbers.
func (o Pairs) labelled() (all []*basis) {
	n, d := o.From.Dims()
	for j := range d {
		both := append(mat.Col(nil, j, o.From), mat.Col(nil, j, o.To)...)
		labels := slices.Compact(slices.Sorted(slices.Values(both)))
		whole := !slices.ContainsFunc(labels, func(v float64) bool { return v != math.Trunc(v) })
		if count := len(labels); whole && count > 2 && count <= min(maxLabels, n/leastPerOne) {
			all = append(all, &basis{column: j, labels: labels})
		}
	}
	return all
}
