package learn

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/spectral"
)

// outside is what is known about the eigenvalues of T restricted to the complement of the Ritz functions.
type outside struct {
	most  float64   // no eigenvalue is larger; NaN if unknown
	least []float64 // k' lower bounds of the eigenvalues of T, the leading first; nil if unknown
}

const (
	outsideTolerance    = 1e-6  // of the largest eigenvalue outside, relative to the spectral radius
	outsideApplications = 1_000 // of the operator, to find it
)

// searchOutside finds the largest eigenvalue of the operator on the complement of the functions by the Lanczos method,
// which proves that no eigenvalue was missed. apply multiplies vectors of the N states by the operator.
func (p *ritzPairs) searchOutside(apply func(dst, src []float64)) outside {
	n, count := p.phi.Dims()
	if count == n {
		return outside{most: math.Inf(-1), least: p.values}
	}
	project := func(x []float64) {
		v := mat.NewVecDense(n, x)
		for range 2 { // once more, for rounding
			var inner, along mat.VecDense
			inner.MulVec(p.phi.T(), v)
			along.MulVec(p.phi, &inner)
			v.AddScaledVec(v, -1/float64(n), &along)
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
	o := outside{most: pairs.Values[0] - shift + 10*outsideTolerance*shift}
	// The Ritz values of the functions and the vector found outside are lower bounds.
	vector, image := mat.Col(nil, 0, pairs.Vectors), make([]float64, n)
	floats.Scale(math.Sqrt(float64(n)), vector)
	apply(image, vector)
	var f, tf mat.Dense
	f.Augment(p.phi, mat.NewVecDense(n, vector))
	tf.Augment(p.applied, mat.NewVecDense(n, image))
	if both, err := spectral.Diagnose(&f, &tf, nil); err == nil && both.Ritz != nil {
		o.least = both.Ritz[:count]
	}
	return o
}

// bounds returns [Run].Bounds of all k' functions. With ρ_m an upper bound of T on the complement of the first m
// functions, unknown for m = k' if most is NaN, value i is at most ρ_(i−1) and, if ρ_m is below the first m values,
// [spectral.LehmannMaehly]'s bound.
func (p *ritzPairs) bounds(most float64) []float64 {
	bounds := unknown(len(p.values))
	points, count := p.phi.Dims()
	tighten := func(i int, bound float64) {
		bound = math.Max(0, bound-p.values[i]) + p.roundoff[i]
		if math.IsNaN(bounds[i]) || bound < bounds[i] {
			bounds[i] = bound
		}
	}
	rho := most
	for m := count; m > 0; m-- {
		separating, next := rho, math.NaN()
		if proved := !math.IsNaN(rho); proved {
			next = upTo(p.values[m-1], rho, p.residuals[m-1])
			tighten(m-1, next)
		} else if m < count && p.residuals[m] <= maxResidualToGap*math.Abs(p.values[m-1]-p.values[m]) {
			separating = p.values[m] + p.residuals[m]
		}
		if rho = next; math.IsNaN(separating) || math.IsInf(separating, 0) {
			continue
		}
		upper, _ := spectral.LehmannMaehly(mat.DenseCopyOf(p.phi.Slice(0, points, 0, m)),
			mat.DenseCopyOf(p.applied.Slice(0, points, 0, m)), separating) // nil if not separated
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
