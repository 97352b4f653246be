package learn

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/combin"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/net"
	"omm-go/ommlx/spectral"
)

// maxMonomials takes minutes and a gigabyte for 10,000 pairs.
const maxMonomials = 5_000

// EDMD computes the k largest Ritz values and eigenfunctions of the transition operator in the span of all monomials of
// the standardised coordinates up to a degree, to compare with [Learn] (extended dynamic mode decomposition; Williams,
// Kevrekidis and Rowley 2015). As there, each pair counts in both directions, some pairs are held out, and
// [Learned.Advice] reports overfitting and violated assumptions. The cost is cubic in the number of monomials, which is
// limited to the number of pairs and to 5,000. The result has no Diagnosis and no file.
func (o Pairs) EDMD(degree, k int) (*Learned, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if degree < 0 || k < 1 {
		return nil, fmt.Errorf("EDMD: k is %d and degree is %d, want at least 1 and 0", k, degree)
	}
	n, d := o.From.Dims()
	limit := min(n, maxMonomials)
	if count := combin.GeneralizedBinomial(float64(d+degree), float64(degree)); count > float64(limit) {
		return nil, fmt.Errorf("EDMD: %.0f monomials up to degree %d of %s, want at most %d: lower the degree", count,
			degree, say.Count(d, "coordinate"), limit)
	}
	o.Functions = nil
	o.made = o.followed()
	b := &basis{Coordinates: net.Standardise(o.From), degree: degree}
	l, err := o.fit(b, k)
	if err != nil {
		return nil, fmt.Errorf("EDMD: %w", err)
	}
	l.Task.examinePairs(o, nil)
	if found := slices.IndexFunc(l.Values, math.IsNaN); found >= 0 {
		return nil, fmt.Errorf("EDMD: k is %d, want at most %d, the number of independent monomials up to degree %d", k,
			found, degree)
	}
	start, end := linalg.Product(b.at(o.From), l.rotation), linalg.Product(b.at(o.To), l.rotation)
	l.crossed = spectral.SignChanges(start, end, n)
	l.Diagnosis, l.Quotients = spectral.Diagnosis{}, nil // of monomials
	l.Runs = []Run{l.Run}
	return l, nil
}

// fit returns the Ritz functions in the span of a basis, k or fewer: values of the others are NaN.
func (o Pairs) fit(b *basis, k int) (*Learned, error) {
	trained, heldOut := o.split()
	rows, _ := trained.From.Dims()
	starts, ends := trained.weigh(b.at(trained.From)), trained.weigh(b.at(trained.To))
	var v view
	v.f, v.tf = new(mat.Dense), new(mat.Dense)
	v.f.Stack(starts, ends)
	v.tf.Stack(ends, starts)
	v.ownF, v.ownTF = v.f, v.tf
	if heldOut.From != nil {
		v.start, v.end = b.at(heldOut.From), b.at(heldOut.To)
	}
	l := &Learned{k: k, basis: b, Task: Task{Noisy: true, pairs: o, HeldOut: heldOut, rows: rows}}
	return l, l.Run.evaluate(v, k, l.Task, false)
}

// basis is all monomials of standardised coordinates up to a degree, or the indicators of the values of one coordinate.
type basis struct {
	net.Coordinates
	degree int
	column int
	labels []float64 // the values, in order; nil: monomials
}

// at evaluates the functions of the basis at points, N×D.
func (b *basis) at(points mat.Matrix) *mat.Dense {
	if b.labels == nil {
		return linalg.Monomials(b.Prepare(points), b.degree)
	}
	n, _ := points.Dims()
	m := mat.NewDense(n, len(b.labels), nil)
	for p := range n {
		if label, known := slices.BinarySearch(b.labels, points.At(p, b.column)); known {
			m.Set(p, label, 1)
		}
	}
	return m
}

// weigh multiplies rows by the roots of the pairs' weights, relative to the mean weight.
func (o Pairs) weigh(f *mat.Dense) *mat.Dense {
	mean := stat.Mean(o.Weights, nil) // NaN without weights
	for p, w := range o.Weights {
		floats.Scale(math.Sqrt(w/mean), f.RawRowView(p))
	}
	return f
}

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
