package spectral

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// RitzFunctions are all Ritz functions φ = fC of k functions f and a self-adjoint T, on N points, or fewer if the f are
// linearly dependent: the best approximations to eigenfunctions in their span. The largest values come first.
type RitzFunctions struct {
	Values    []float64  // θ, descending
	Rotation  *mat.Dense // C
	F, TF     *mat.Dense // φ, with mean square 1, and Tφ
	Residuals []float64  // ‖Tφ − θφ‖ / ‖φ‖ plus Rounding
	Rounding  []float64  // an upper bound of what rounding of f and Tf adds
}

// dependent is the variance of a direction, relative to the largest, that may be rounding only.
const dependent = 1e-6

// NewRitzFunctions returns the values and the rotation of functions that d describes, but neither functions nor
// residuals: see [RitzFunctions.Measure]. It returns an error if all functions are 0.
func NewRitzFunctions(d Diagnosis) (*RitzFunctions, error) {
	p := &RitzFunctions{Values: d.Ritz, Rotation: d.Rotation}
	if p.Values == nil {
		p.Values, p.Rotation = RitzPairs(d.Overlap, d.Projected, dependent)
	}
	if p.Values == nil {
		return nil, errors.New("all functions are 0: start with larger functions or take smaller steps, and check " +
			"that not all inputs of the network are equal")
	}
	return p, nil
}

// Measure adds the functions and their residuals, from f and Tf. Functions j are rounded to a share of norms_j, and
// their images to a share of images_j. The rotation also enlarges these errors.
func (p *RitzFunctions) Measure(f, tf *mat.Dense, share float64, norms, images []float64) {
	p.F, p.TF = new(mat.Dense), new(mat.Dense)
	p.F.Mul(f, p.Rotation)
	p.TF.Mul(tf, p.Rotation)
	for i, value := range p.Values {
		rest, phi := mat.Col(nil, i, p.TF), mat.Col(nil, i, p.F)
		floats.AddScaled(rest, -value, phi)
		var rounding float64
		for j, norm := range norms {
			rounding += share * math.Abs(p.Rotation.At(j, i)) * (images[j] + math.Abs(value)*norm)
		}
		p.Rounding = append(p.Rounding, rounding)
		p.Residuals = append(p.Residuals, floats.Norm(rest, 2)/floats.Norm(phi, 2)+rounding)
	}
}

// Outside is what is known about the eigenvalues of T restricted to the complement of Ritz functions.
type Outside struct {
	Most  float64   // no eigenvalue is larger; NaN if unknown
	Least []float64 // k lower bounds of the eigenvalues of T, the leading first; nil if unknown
}

const (
	outsideTolerance    = 1e-6  // of the largest eigenvalue outside, relative to the spectral radius
	outsideApplications = 1_000 // of the operator, to find it
)

// Outside finds the largest eigenvalue on the complement of the functions by the Lanczos method, which proves that no
// eigenvalue was missed, for an operator on n states of weight 1/n. apply(dst, src) sets dst to T src.
func (p *RitzFunctions) Outside(apply func(dst, src []float64)) Outside {
	n, count := p.F.Dims()
	if count == n {
		return Outside{Most: math.Inf(-1), Least: p.Values}
	}
	project := func(x []float64) {
		v := mat.NewVecDense(n, x)
		for range 2 { // once more, for rounding
			var inner, along mat.VecDense
			inner.MulVec(p.F.T(), v)
			along.MulVec(p.F, &inner)
			v.AddScaledVec(v, -1/float64(n), &along)
		}
	}
	shift := 1.1 * Radius(n, apply) // the complement then has larger eigenvalues than the span, 0
	inside := make([]float64, n)
	pairs, err := Lanczos{K: 1, Tolerance: outsideTolerance, MaxApplications: outsideApplications}.Solve(n,
		func(dst, src []float64) {
			copy(inside, src)
			project(inside)
			apply(dst, inside)
			floats.AddScaled(dst, shift, inside)
			project(dst)
		})
	if err != nil {
		return Outside{Most: math.NaN()}
	}
	o := Outside{Most: pairs.Values[0] - shift + 10*outsideTolerance*shift}
	// The Ritz values of the functions and the vector found outside are lower bounds.
	vector, image := mat.Col(nil, 0, pairs.Vectors), make([]float64, n)
	floats.Scale(math.Sqrt(float64(n)), vector)
	apply(image, vector)
	var f, tf mat.Dense
	f.Augment(p.F, mat.NewVecDense(n, vector))
	tf.Augment(p.TF, mat.NewVecDense(n, image))
	if both, err := Diagnose(&f, &tf, nil); err == nil && both.Ritz != nil {
		o.Least = both.Ritz[:count]
	}
	return o
}

// converged is the largest residual of a function, relative to the gap above it, that has converged.
const converged = 0.5

// Bounds returns upper bounds of the errors of Values, NaN where nothing is known. most is an upper bound of T on the
// complement of the functions; the bounds are then proved. If it is NaN, they are estimates by later functions that
// have converged, which hold if no eigenvalue was missed.
//
// With ρ_m an upper bound of T on the complement of the first m functions, value i is at most ρ_(i−1) and, if ρ_m is
// below the first m values, [LehmannMaehly]'s bound.
func (p *RitzFunctions) Bounds(most float64) []float64 {
	points, count := p.F.Dims()
	bounds := make([]float64, count)
	for i := range bounds {
		bounds[i] = math.NaN()
	}
	tighten := func(i int, bound float64) {
		bound = math.Max(0, bound-p.Values[i]) + p.Rounding[i]
		if math.IsNaN(bounds[i]) || bound < bounds[i] {
			bounds[i] = bound
		}
	}
	rho := most
	for m := count; m > 0; m-- {
		separating, next := rho, math.NaN()
		if proved := !math.IsNaN(rho); proved {
			next = upTo(p.Values[m-1], rho, p.Residuals[m-1])
			tighten(m-1, next)
		} else if m < count && p.Residuals[m] <= converged*math.Abs(p.Values[m-1]-p.Values[m]) {
			separating = p.Values[m] + p.Residuals[m]
		}
		if rho = next; math.IsNaN(separating) || math.IsInf(separating, 0) {
			continue
		}
		upper, _ := LehmannMaehly(mat.DenseCopyOf(p.F.Slice(0, points, 0, m)),
			mat.DenseCopyOf(p.TF.Slice(0, points, 0, m)), separating) // nil if not separated
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

// Radius estimates the largest |λ| of a symmetric operator on n states from below by 20 steps of the power method, to a
// few percent. It is 1 for the zero operator.
func Radius(n int, apply func(dst, src []float64)) float64 {
	const rounds = 20
	rng := rand.New(rand.NewPCG(1, 1))
	v, next := make([]float64, n), make([]float64, n)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	radius := 0.0
	for range rounds {
		floats.Scale(1/floats.Norm(v, 2), v)
		apply(next, v)
		if radius = floats.Norm(next, 2); radius == 0 {
			return 1
		}
		v, next = next, v
	}
	return radius
}

// LehmannMaehly returns upper bounds of the m largest eigenvalues of a self-adjoint T, descending, from m trial
// functions f and Tf (N×m) on N samples. It needs a number ρ that separates them from the rest of the spectrum,
// λ_{m+1} ≤ ρ < the least Ritz value of f. With g = (T − ρ)f the bounds are ρ + μ_i, where
//
//	M[g] c = μ M[f,g] c.
//
// The Ritz values are lower bounds. For m = 1 their distance is the bound of Temple and Kato, ‖Tf − θf‖²/(θ − ρ). It is
// an error if the shapes of f and Tf differ, or if ρ is not below the Ritz values.
//
// Source: Lehmann 1949 (Zeitschrift für Angewandte Mathematik und Mechanik 29); Parlett, The Symmetric Eigenvalue
// Problem, section 10.5.
func LehmannMaehly(f, tf *mat.Dense, rho float64) ([]float64, error) {
	left, right, err := weighBoth(f, tf, nil)
	if err != nil {
		return nil, err
	}
	var shifted, product, gram mat.Dense
	shifted.Scale(-rho, left)
	shifted.Add(&shifted, right)
	product.Mul(left.T(), &shifted)
	gram.Mul(shifted.T(), &shifted)
	basis, err := inverseRoot(SymmetricPart(&product))
	if err != nil {
		return nil, fmt.Errorf("bounds: ρ = %g is not below the Ritz values: %w", rho, err)
	}
	bounds, _, err := eigenIn(basis, &gram)
	if err != nil {
		return nil, fmt.Errorf("bounds: %w", err)
	}
	floats.AddConst(rho, bounds)
	return bounds, nil
}

// SymmetricPart returns (A + Aᵀ)/2 of a square matrix, for gonum's eigensolvers and [SymEigen].
func SymmetricPart(a mat.Matrix) *mat.SymDense {
	n, _ := a.Dims()
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			s.SetSym(i, j, (a.At(i, j)+a.At(j, i))/2)
		}
	}
	return s
}

const (
	minPositive       = 0.02 // k-th eigenvalue, relative to the radius, for which no shift is needed
	shiftTolerance    = 1e-3 // of the eigenvalues that decide on it
	shiftApplications = 300  // of the operator, to find them
)

// PositiveShift returns a shift κ, relative to the radius, that makes the k largest eigenvalues of an operator on n
// states positive, since a function without a positive eigenvalue vanishes (Section 2.2.2, Theorem 1). 0: no shift is
// needed. If the eigenvalues that decide are not found, κ = 1 makes all eigenvalues positive.
func PositiveShift(n, k int, radius float64, apply func(dst, src []float64)) float64 {
	solver := Lanczos{K: k, Tolerance: shiftTolerance, MaxApplications: shiftApplications}
	leading, err := solver.Solve(n, apply)
	if err != nil {
		return 1
	}
	if leading.Values[k-1] > minPositive*radius {
		return 0
	}
	solver.K = 1
	lowest, err := solver.Solve(n, func(dst, src []float64) {
		apply(dst, src)
		floats.Scale(-1, dst)
	})
	if err != nil {
		return 1
	}
	return max(0, lowest.Values[0]/radius) + 2*minPositive
}
