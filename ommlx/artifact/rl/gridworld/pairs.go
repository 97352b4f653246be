package gridworld

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/spectral"
)

// The pair law of the ALLO code (Gomez, Bowling, Machado, ICLR 2024): draw an episode, a time t in 0…L−1, and a lag Δ =
// 1 + i, where i has the geometric law truncated at the n = L − t remaining steps of the episode,
//
//	p(i | n) = (1−γ) γⁱ / (1−γⁿ),  i = 0…n−1,
//
// and take the pair (s_t, s_{t+Δ}). The discount γ is in [0, 1); γ = 0 gives one-step pairs, as in the paper's text.

// truncatedGeometric returns p(· | n), a vector of length n.
func truncatedGeometric(gamma float64, n int) []float64 {
	if !(gamma >= 0 && gamma < 1) {
		panic(fmt.Sprintf("gridworld: discount γ is %v, want in [0, 1)", gamma))
	}
	p := make([]float64, n)
	power := (1 - gamma) / (1 - math.Pow(gamma, float64(n)))
	for i := range p {
		p[i] = power
		power *= gamma
	}
	return p
}

// lagWeights returns the law of the lag over all times of an episode of L = length transitions,
//
//	w_Δ = (1/L) Σ_{t=0}^{L−Δ} p(Δ−1 | L−t),  at index Δ−1, Δ = 1…L.
func lagWeights(gamma float64, length int) []float64 {
	w := make([]float64, length)
	for n := 1; n <= length; n++ {
		floats.Add(w[:n], truncatedGeometric(gamma, n))
	}
	// Divided last, so that w_1 is exactly 1 for γ = 0.
	for i := range w {
		w[i] /= float64(length)
	}
	return w
}

// SamplePairs fills from and to, of equal length, with independent pairs of the pair law, the lag by inversion:
//
//	i = ⌊log(1 − (1−γⁿ) u) / log γ⌋,  u uniform in [0, 1).
func (e *Episodes) SamplePairs(rng *rand.Rand, gamma float64, from, to []int32) {
	for b := range from {
		episode := e.Episode(rng.IntN(e.Count))
		t := rng.IntN(e.Length)
		lag := 1
		if gamma > 0 {
			n := e.Length - t
			i := math.Log1p((math.Pow(gamma, float64(n))-1)*rng.Float64()) / math.Log(gamma)
			lag += min(int(i), n-1) // rounding can reach n as u nears 1
		}
		from[b], to[b] = episode[t], episode[t+lag]
	}
}

// PairMatrix returns the empirical expectation of the pair law, N×N,
//
//	W[s, s'] = (1/EL) Σ_episodes Σ_t Σ_i p(i | L−t) · 1[s_t = s, s_{t+1+i} = s'],
//
// the limit of the mean over pairs from [Episodes.SamplePairs]. It sums to 1; finite data make it asymmetric. It costs
// E·L²/2 additions.
func (e *Episodes) PairMatrix(gamma float64) *mat.Dense {
	law := make([][]float64, e.Length)
	for t := range law {
		law[t] = truncatedGeometric(gamma, e.Length-t)
		for i := range law[t] {
			law[t][i] /= float64(e.Count) * float64(e.Length)
		}
	}
	w := mat.NewDense(e.N, e.N, nil)
	for i := range e.Count {
		episode := e.Episode(i)
		for t, p := range law {
			row := w.RawRowView(int(episode[t]))
			future := episode[t+1:]
			for i, v := range p {
				row[future[i]] += v
			}
		}
	}
	return w
}

// GeometricTransition returns the matrix that N·[Episodes.PairMatrix] estimates, a transition matrix on N states,
//
//	Σ_Δ w_Δ P^Δ,  with w_Δ the probability of the lag Δ in an episode of the given length,
//
// which has the eigenvectors of P, with the eigenvalues of [GeometricEigenvalue]. Starts are uniform and P doubly
// stochastic, so every s_t is uniform and E[W] is this matrix divided by N. γ = 0 gives P.
func GeometricTransition(p mat.Symmetric, gamma float64, length int) *mat.SymDense {
	w := lagWeights(gamma, length)
	// Horner's rule by columns, stored as rows: A ← P (A + w_Δ I), from the last lag to the first.
	n, apply := p.SymmetricDim(), Product(p)
	sum, next := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	for lag := length; lag >= 1; lag-- {
		for j := range n {
			column := sum.RawRowView(j)
			column[j] += w[lag-1]
			apply(next.RawRowView(j), column)
		}
		sum, next = next, sum
	}
	return spectral.SymmetricPart(sum)
}

// GeometricEigenvalue returns Σ_Δ w_Δ μ^Δ: the eigenvalue of [GeometricTransition] on an eigenvector of P with
// eigenvalue μ. For long episodes it tends to (1−γ)μ/(1−γμ).
func GeometricEigenvalue(mu, gamma float64, length int) float64 {
	return GeometricTransition(mat.NewSymDense(1, []float64{mu}), gamma, length).At(0, 0)
}

// Product returns the product of a sparse symmetric matrix with a vector, for [spectral.Lanczos]: it sets dst to p src.
// It reads all N² entries of p once; a product then takes time proportional to the number of nonzero entries. The
// returned function needs at least N numbers in dst and src, which must not overlap.
func Product(p mat.Symmetric) func(dst, src []float64) {
	sparse := linalg.Sparse{N: p.SymmetricDim()}
	for i := range sparse.N {
		for j := range sparse.N {
			if v := p.At(i, j); v != 0 {
				sparse.Add(i, j, v)
			}
		}
	}
	return sparse.Apply
}
