package learn

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/spectral"
)

// EDMD returns the k largest Ritz values and eigenfunctions of the transition operator in the span of all monomials of
// the coordinates up to a degree, to compare with [Learn] (extended dynamic mode decomposition; Williams, Kevrekidis
// and Rowley 2015). Each pair counts in both directions. The cost is cubic in the number of monomials.
//
// at evaluates the functions at points, M×D: M×k, normalised on the pairs.
func (o Pairs) EDMD(degree, k int) (values []float64, at func(points mat.Matrix) (*mat.Dense, error), err error) {
	if err := o.check(); err != nil {
		return nil, nil, err
	}
	if degree < 0 || k < 1 {
		return nil, nil, fmt.Errorf("EDMD: k is %d and degree is %d, want at least 1 and 0", k, degree)
	}
	starts, ends := monomials(o.From, degree), monomials(o.To, degree)
	_, count := starts.Dims()
	if k > count {
		return nil, nil, fmt.Errorf("EDMD: k is %d, want at most the %d monomials up to degree %d", k, count, degree)
	}
	found, err := spectral.DiagnosePairs(starts, ends)
	if err != nil {
		return nil, nil, err
	}
	if found.Ritz == nil {
		return nil, nil, fmt.Errorf("EDMD: %d monomials are linearly dependent on these pairs: lower the degree", count)
	}
	_, dim := o.From.Dims()
	at = func(points mat.Matrix) (*mat.Dense, error) {
		if err := check("learn: points", points, nil); err != nil {
			return nil, err
		}
		if _, d := points.Dims(); d != dim {
			return nil, fmt.Errorf("learn: points have %d coordinates, want %d", d, dim)
		}
		return product(monomials(points, degree), found.Rotation.Slice(0, count, 0, k)), nil
	}
	return found.Ritz[:k], at, nil
}

// monomials evaluates all monomials of the columns of y up to a degree, at every row.
func monomials(y mat.Matrix, degree int) *mat.Dense {
	n, dim := y.Dims()
	one := make([]float64, n)
	floats.AddConst(1, one)
	all, last := [][]float64{one}, []int{0} // last: the first variable to multiply a monomial by
	for from := 0; degree > 0; degree-- {
		for end := len(all); from < end; from++ {
			for d := last[from]; d < dim; d++ {
				all = append(all, floats.MulTo(make([]float64, n), all[from], mat.Col(nil, d, y)))
				last = append(last, d)
			}
		}
	}
	m := mat.NewDense(n, len(all), nil)
	for j, column := range all {
		m.SetCol(j, column)
	}
	return m
}
