package verify

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/spectral"
)

// Harmonic returns the spectrum 1, 1/2, …, 1/d, whose gaps 1/2, 1/6, 1/12, … are all different.
func Harmonic(d int) []float64 {
	values := make([]float64, d)
	for i := range values {
		values[i] = 1 / float64(i+1)
	}
	return values
}

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
// It returns an error for other objectives and for weights of sequential nesting.
func Rates(o ommlx.Objective, lambda []float64, k int) (rates []float64, err error) {
	if err := ommlx.Check(o, k); err != nil {
		return nil, fmt.Errorf("verify.Rates: %w", err)
	}
	omm, _ := o.(ommlx.OMM)
	lora, _ := o.(ommlx.LoRA)
	if o.Name() == "omm_jnt" {
		alpha := omm.Weights
		if alpha == nil {
			alpha = slices.Repeat([]float64{1 / float64(k)}, k)
		}
		return jointRates(lambda, alpha), nil
	}
	factors, known := map[string]struct{ later, same, own, other float64 }{
		"omm_seq": {2, 8, 2, 2}, "sanger": {2, 4, 2, 0}, "lora_seq": {4, 8, 4, 0}}[o.Name()]
	if !known || omm.Weights != nil || lora.Weights != nil {
		return nil, fmt.Errorf("verify.Rates: no formula for %s with these settings; use omm_jnt, or without Weights "+
			"omm_seq, sanger or lora_seq", o.Name())
	}
	for i := range k {
		for l, value := range lambda {
			rate := factors.own*lambda[i] + factors.other*value
			if l == i {
				rate = factors.same * value
			} else if l > i {
				rate = factors.later * (lambda[i] - value)
			}
			rates = append(rates, rate)
		}
	}
	slices.Sort(rates)
	return rates, nil
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
	var eigen mat.Eigen
	if !eigen.Factorize(m, mat.EigenNone) {
		return nil, fmt.Errorf("verify.RealEigenvalues: no convergence for a matrix of norm %g", mat.Norm(m, 2))
	}
	var values []float64
	all := eigen.Values(nil)
	largest := slices.Max(xslices.Map(all, cmplx.Abs))
	for _, value := range all {
		if math.Abs(imag(value)) > 1e-4*largest {
			return nil, fmt.Errorf("verify.RealEigenvalues: eigenvalue %.4g is not real", value)
		}
		values = append(values, real(value))
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

// StreamingError returns n·E sin²θ_i of streaming PCA after n Gaussian samples with covariance eigenvalues λ, for Oja's
// rule with steps c/(t₀ + t), as n → ∞; i counts from 0. [PCAError] is the same for PCA of all samples at once:
//
//	Σ_{j≠i} c²λ_iλ_j / (2c|λ_i − λ_j| − 1)   and   Σ_{j≠i} λ_iλ_j / (λ_i − λ_j)².
//
// The two agree pair by pair for c = 1/|λ_i − λ_j|. Each 2c|λ_i − λ_j| must exceed 1; otherwise the error falls more
// slowly than 1/n, and the result is +Inf.
func StreamingError(lambda []float64, i int, c float64) float64 {
	return overPairs(lambda, i, func(product, gap float64) float64 {
		if 2*c*gap <= 1 {
			return math.Inf(1)
		}
		return c * c * product / (2*c*gap - 1)
	})
}

// PCAError returns n·E sin²θ_i of PCA; see [StreamingError].
func PCAError(lambda []float64, i int) float64 {
	return overPairs(lambda, i, func(product, gap float64) float64 { return product / (gap * gap) })
}

// overPairs sums of(λ_iλ_j, |λ_i − λ_j|) over j ≠ i.
func overPairs(lambda []float64, i int, of func(product, gap float64) float64) (sum float64) {
	for j := range lambda {
		if j != i {
			sum += of(lambda[i]*lambda[j], math.Abs(lambda[i]-lambda[j]))
		}
	}
	return sum
}

// Indefinite returns the share of random batches on which a positive operator appears indefinite. Its eigenfunctions
// are independent standard normal on the samples, and Ĝ, n×n, is their second moment on a batch; the share counts
// batches for which the symmetric part of Ĝ(Λ + κ) has a negative eigenvalue, where Λ is the diagonal matrix of the n
// eigenvalues. It panics if a number is not finite.
func Indefinite(rng *rand.Rand, eigenvalues []float64, kappa float64, batch, trials int) float64 {
	n, count := len(eigenvalues), 0
	shifted := mat.NewDiagDense(n, nil)
	for i, value := range eigenvalues {
		shifted.SetDiag(i, value+kappa)
	}
	for range trials {
		symmetric, err := spectral.SymEigen(spectral.SymmetricPart(linalg.Product(linalg.Gram(linalg.RandomGaussian(rng,
			batch, n)), shifted)))
		if err != nil {
			panic(fmt.Errorf("verify.Indefinite: eigenvalues %v, shift %g: %w", eigenvalues, kappa, err))
		}
		if symmetric.Values[n-1] < 0 {
			count++
		}
	}
	return float64(count) / float64(trials)
}
