package verify

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
)

// Rates returns the dk eigenvalues, ascending, of the Jacobian of a nested rule at its solution, for a matrix with
// distinct positive eigenvalues λ_1 > … > λ_d. A descent step η multiplies the slowest error by 1 − η times the least
// eigenvalue, and is stable below 2 over the largest. The solution is W_{1:k}, for LoRA with columns of length √λ_i,
// and v_i is perturbed along w_l:
//
//	                      l > i            l = i   l < i
//	OMM, sequential       2(λ_i − λ_l)     8λ_i    2(λ_i + λ_l)
//	Sanger's rule         2(λ_i − λ_l)     4λ_i    2λ_i
//	LoRA, sequential      4(λ_i − λ_l)     8λ_i    4λ_i
//
// Joint nesting of OMM with m_i = Σ_{j≥i} α_j has 2m_i(λ_i − λ_l) for l > k, 8m_iλ_i, and for each pair i < j ≤ k,
// whose functions exchange w_j and w_i, the eigenvalues of
//
//	(a+b  a)
//	(a    a),  a = 2m_j(λ_i + λ_j),  b = 2(m_i − m_j)(λ_i − λ_j).
//
// It returns an error for objectives without a formula: orders above 1, no nesting, printed variants.
func Rates(o ommlx.Objective, lambda []float64, k int) ([]float64, error) {
	switch o := o.(type) {
	case ommlx.OMM:
		switch {
		case len(o.Orders) > 1:
		case o.Nesting == ommlx.Sequential:
			return sequentialRates(lambda, k, 2, 8, func(i, l float64) float64 { return 2 * (i + l) }), nil
		case o.Nesting == ommlx.Joint:
			alpha := o.Weights
			if alpha == nil {
				alpha = slices.Repeat([]float64{1 / float64(k)}, k)
			}
			return jointRates(lambda, alpha), nil
		}
	case ommlx.Sanger:
		return sequentialRates(lambda, k, 2, 4, func(i, _ float64) float64 { return 2 * i }), nil
	case ommlx.LoRA:
		if o.Nesting == ommlx.Sequential {
			return sequentialRates(lambda, k, 4, 8, func(i, _ float64) float64 { return 4 * i }), nil
		}
	}
	return nil, fmt.Errorf("verify.Rates: no formula for %s; use OMM of order 1 with joint or sequential "+
		"nesting, Sanger's rule, or LoRA with sequential nesting", o.Name())
}

func sequentialRates(lambda []float64, k int, later, same float64,
	earlier func(i, l float64) float64) (rates []float64) {
	for i := range k {
		for l := range lambda {
			switch {
			case l > i:
				rates = append(rates, later*(lambda[i]-lambda[l]))
			case l == i:
				rates = append(rates, same*lambda[i])
			default:
				rates = append(rates, earlier(lambda[i], lambda[l]))
			}
		}
	}
	slices.Sort(rates)
	return rates
}

func jointRates(lambda, alpha []float64) (rates []float64) {
	m := JointWeights(alpha)
	for i := range m {
		rates = append(rates, 8*m[i]*lambda[i])
		for j := i + 1; j < len(m); j++ {
			a, b := 2*m[j]*(lambda[i]+lambda[j]), 2*(m[i]-m[j])*(lambda[i]-lambda[j])
			rates = append(rates, (2*a+b+math.Hypot(2*a, b))/2, (2*a+b-math.Hypot(2*a, b))/2)
		}
		for _, later := range lambda[len(m):] {
			rates = append(rates, 2*m[i]*(lambda[i]-later))
		}
	}
	slices.Sort(rates)
	return rates
}

// Jacobian returns the Jacobian of the gradient with respect to the dk numbers of V, row by row, by central
// differences: dk×dk.
func Jacobian(l Loss, v, a *mat.Dense) *mat.Dense {
	d, k := v.Dims()
	j := mat.NewDense(d*k, d*k, nil)
	fd.Jacobian(j, func(y, x []float64) {
		_, gradient := l(mat.NewDense(d, k, x), a)
		copy(y, gradient.RawMatrix().Data)
	}, mat.DenseCopyOf(v).RawMatrix().Data, &fd.JacobianSettings{Formula: fd.Central, Step: 1e-5})
	return j
}

// RealEigenvalues returns the eigenvalues of a square matrix, ascending, or an error if one of them is not real, to
// 1e-4 of the largest.
func RealEigenvalues(m *mat.Dense) ([]float64, error) {
	n, _ := m.Dims()
	var eigen mat.Eigen
	if !eigen.Factorize(m, mat.EigenNone) {
		return nil, fmt.Errorf("verify.RealEigenvalues: %d×%d matrix: no convergence; are all numbers finite?", n, n)
	}
	all, largest := eigen.Values(nil), 0.0
	for _, value := range all {
		largest = max(largest, cmplx.Abs(value))
	}
	values := make([]float64, n)
	for i, value := range all {
		if math.Abs(imag(value)) > 1e-4*largest {
			return nil, fmt.Errorf("verify.RealEigenvalues: eigenvalue %.4g of a %d×%d matrix is not real", value, n, n)
		}
		values[i] = real(value)
	}
	slices.Sort(values)
	return values, nil
}

// JointEquationRay returns V, 2×2, for A = diag(1, 1/q) and joint nesting of two functions with m = (1, ½), for which
// [JointEquation] of sV falls like −s⁴ for every q > 4,614. Rows of V are (cos θ, sin θ) and t (cos θ, −sin θ) with
// tan²θ = √2 and the worst t.
func JointEquationRay(q float64) *mat.Dense {
	theta := math.Atan(math.Pow(2, 0.25))
	cos, sin := math.Cos(theta), math.Sin(theta)
	inner, weighted, weight := math.Cos(2*theta), cos*cos-sin*sin/2, cos*cos+sin*sin/2
	t := math.Sqrt(-(q + 1) * inner * weighted / (2 * weight))
	return mat.NewDense(2, 2, []float64{cos, sin, t * cos, -t * sin})
}
