package learn

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// EDMD are eigenfunctions of a transition operator in the span of polynomials: what a basis makes of the same pairs as
// a network (extended dynamic mode decomposition; Williams, Kevrekidis and Rowley 2015).
type EDMD struct {
	Values []float64 // k Ritz values, the largest first
	Basis  int       // number of monomials

	degree   int
	dim      int        // D
	rotation mat.Matrix // Basis×k
}

// EDMD solves the dense eigenproblem in the span of all monomials of the coordinates up to a degree; pairs count in
// both directions. Time grows as the cube of their number.
func (o Pairs) EDMD(degree, k int) (*EDMD, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if degree < 0 || k < 1 {
		return nil, fmt.Errorf("%d functions of degree %d were asked for; ask for at least 1, of degree 0 or more", k,
			degree)
	}
	_, dim := o.From.Dims()
	starts, ends := monomials(o.From, degree), monomials(o.To, degree)
	_, count := starts.Dims()
	if k > count {
		return nil, fmt.Errorf("%d functions were asked for, but there are %d monomials up to degree %d; "+
			"raise the degree", k, count, degree)
	}
	found, err := ofPairs(starts, ends)
	if err != nil {
		return nil, err
	}
	if found.Ritz == nil {
		return nil, fmt.Errorf("%d monomials are linearly dependent on these pairs; lower the degree", count)
	}
	return &EDMD{Values: found.Ritz[:k], Basis: count, degree: degree, dim: dim,
		rotation: found.Rotation.Slice(0, count, 0, k)}, nil
}

// At returns the k functions at points, M×D: M×k, of norm 1 on the pairs. It panics, with one sentence, where there are
// no points, a coordinate is not finite, or there are not as many coordinates as the pairs have.
func (e *EDMD) At(points mat.Matrix) *mat.Dense {
	if err := ofPoints.check(points, nil); err != nil {
		panic(err)
	}
	if _, d := points.Dims(); d != e.dim {
		panic(fmt.Errorf("the points have %d coordinates, but the pairs have %d; give points like theirs", d, e.dim))
	}
	return product(monomials(points, e.degree), e.rotation)
}

// monomials are all of the D columns of y up to a degree, at every row.
func monomials(y mat.Matrix, degree int) *mat.Dense {
	n, dim := y.Dims()
	one := make([]float64, n)
	floats.AddConst(1, one)
	all, last := [][]float64{one}, []int{0} // last: the variable from which on a monomial is multiplied
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
