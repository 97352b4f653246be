package learn

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/spectral"
)

// ritzPairs holds all Ritz functions of a run, the leading first; k' of them, or fewer if functions are dependent.
type ritzPairs struct {
	values, residuals, rounded []float64  // k'
	rotation                   *mat.Dense // of the trained functions
	phi, applied               *mat.Dense // φ and Tφ, N×k'
	sign                       float64    // −1 if the lowest come first
	outside                    outside    // of T on the complement of the φ
}

// outside is what is known about the eigenvalues of T restricted to the complement of the Ritz functions.
type outside struct {
	most  float64   // no eigenvalue is larger; NaN if unknown
	least []float64 // k' lower bounds of the eigenvalues of T, the leading first; nil if unknown
}

const (
	outsideTolerance    = 1e-6  // of the largest eigenvalue outside, relative to the spectral radius
	outsideApplications = 1_000 // of the operator, to find it
)

// look finds the largest eigenvalue of the operator on the complement of the functions by the Lanczos method, which
// proves that no eigenvalue was missed. apply multiplies vectors of the N states by the operator.
func (p *ritzPairs) look(apply func(dst, src []float64)) outside {
	n, count := p.phi.Dims()
	if count == n {
		return outside{most: math.Inf(-1), least: p.values}
	}
	var basis mat.Dense
	basis.Scale(1/math.Sqrt(float64(n)), p.phi) // orthonormal
	inner := mat.NewVecDense(count, nil)
	project := func(x []float64) {
		v := mat.NewVecDense(n, x)
		for range 2 { // once more, for rounding
			inner.MulVec(basis.T(), v)
			var along mat.VecDense
			along.MulVec(&basis, inner)
			v.SubVec(v, &along)
		}
	}
	shift := 1.1 * spectralRadius(n, apply) // the complement then has larger eigenvalues than the span, 0
	inside := make([]float64, n)
	pairs, err := spectral.Lanczos{K: 1, Tolerance: outsideTolerance, MaxApplications: outsideApplications}.Solve(n,
		func(dst, src []float64) {
			copy(inside, src)
			project(inside)
			apply(dst, inside)
			floats.AddScaled(dst, shift, inside)
			project(dst)
		})
	if err != nil {
		return outside{most: math.NaN()}
	}
	found := pairs.Values[0]
	o := outside{most: found - shift + 10*outsideTolerance*shift}
	// The Ritz values of the functions and the vector found outside are lower bounds.
	vector, image := mat.Col(nil, 0, pairs.Vectors), make([]float64, n)
	apply(image, vector)
	small := mat.NewSymDense(count+1, nil)
	for i, value := range p.values {
		small.SetSym(i, i, value)
		small.SetSym(i, count, mat.Dot(basis.ColView(i), mat.NewVecDense(n, image)))
	}
	small.SetSym(count, count, floats.Dot(vector, image))
	if both, err := spectral.SymEigen(small); err == nil {
		o.least = both.Values[:count]
	}
	return o
}

// settled is the residual of a separating function, relative to the gap before it, up to which an unproved bound is
// given.
const settled = 0.5

// bounds returns [Run].Bounds of all k' functions. With ρ_m an upper bound of T on the complement of the first m
// functions, value i is at most ρ_(i−1) and, if ρ_m is below the first m values, [spectral.LehmannMaehly]'s bound.
func (p *ritzPairs) bounds() []float64 {
	bounds := unknown(len(p.values))
	points, count := p.phi.Dims()
	var signed mat.Dense
	signed.Scale(p.sign, p.applied)
	tighten := func(i int, bound float64) {
		bound = math.Max(0, bound-p.sign*p.values[i]) + p.rounded[i]
		if math.IsNaN(bounds[i]) || bound < bounds[i] {
			bounds[i] = bound
		}
	}
	rho := p.outside.most
	for m := count; m > 0; m-- {
		separating, next := rho, math.NaN()
		if proved := !math.IsNaN(rho); proved {
			next = upTo(p.values[m-1], rho, p.residuals[m-1])
			tighten(m-1, next)
		} else if m < count && p.residuals[m] <= settled*math.Abs(p.values[m-1]-p.values[m]) {
			separating = p.sign*p.values[m] + p.residuals[m]
		}
		if rho = next; math.IsNaN(separating) || math.IsInf(separating, 0) {
			continue
		}
		upper, _ := spectral.LehmannMaehly(mat.DenseCopyOf(p.phi.Slice(0, points, 0, m)),
			mat.DenseCopyOf(signed.Slice(0, points, 0, m)), separating) // nil if not separated
		for i, u := range upper {
			tighten(i, u)
		}
	}
	return bounds
}

// upTo bounds the eigenvalues of a self-adjoint operator on the sum of a unit vector with the Rayleigh quotient θ and
// this residual, and its complement, where the operator is at most ρ.
func upTo(theta, rho, residual float64) float64 {
	if math.IsInf(rho, -1) {
		return theta
	}
	return (theta+rho)/2 + math.Hypot((theta-rho)/2, residual)
}
