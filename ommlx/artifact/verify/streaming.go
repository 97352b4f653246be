package verify

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/spectral"
)

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
// eigenvalues. It panics if the eigenvalues cannot be computed, for example if a number is not finite.
func Indefinite(rng *rand.Rand, eigenvalues []float64, kappa float64, batch, trials int) float64 {
	n, count := len(eigenvalues), 0
	shifted := mat.NewDiagDense(n, nil)
	for i, value := range eigenvalues {
		shifted.SetDiag(i, value+kappa)
	}
	for range trials {
		var eigen mat.EigenSym
		if !eigen.Factorize(spectral.SymmetricPart(Product(Gram(Gaussian(rng, batch, n)), shifted)), false) {
			panic(fmt.Errorf("verify.Indefinite: no convergence for eigenvalues %v, shift %g, batch %d", eigenvalues,
				kappa, batch))
		}
		if eigen.Values(nil)[0] < 0 {
			count++
		}
	}
	return float64(count) / float64(trials)
}
