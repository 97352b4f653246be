package theory

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Indefinite returns the share of random batches on which a positive operator looks indefinite. Its eigenfunctions are
// independent standard normal on the samples, and Ĝ, n×n, is their second moment on a batch: what is counted is the
// batches on which the symmetric part of Ĝ(Λ + κ) has a negative eigenvalue, Λ the diagonal matrix of n eigenvalues. It
// panics if a matrix has no eigenvalues, as where a number is not finite.
func Indefinite(rng *rand.Rand, eigenvalues []float64, kappa float64, batch, trials int) float64 {
	n, count := len(eigenvalues), 0
	shifted := mat.NewDiagDense(n, nil)
	for i, value := range eigenvalues {
		shifted.SetDiag(i, value+kappa)
	}
	for range trials {
		var eigen mat.EigenSym
		if !eigen.Factorize(SymmetricPart(Product(Gram(Gaussian(rng, batch, n)), shifted)), false) {
			panic(fmt.Errorf("eigenvalues %v and shift %g on batches of %d: a matrix without eigenvalues", eigenvalues,
				kappa, batch))
		}
		if eigen.Values(nil)[0] < 0 {
			count++
		}
	}
	return float64(count) / float64(trials)
}
