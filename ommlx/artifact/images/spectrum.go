package images

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/spectral"
)

// ViewSpectrum is the spectrum of features f of two views t₁, t₂ of N images, from the second moments
//
//	M[f] = 1/2N Σ_n {f(t₁)f(t₁)ᵀ + f(t₂)f(t₂)ᵀ},   M[f,Tf] = 1/2N Σ_n {f(t₁)f(t₂)ᵀ + f(t₂)f(t₁)ᵀ},
//
// where T is the canonical dependence kernel (paper, Section 3.3).
type ViewSpectrum struct {
	// Spent are the k eigenvalues of M[f], descending: the share of the mean of |f|² in each principal direction of f.
	// At OMM's optimum these directions are eigenfunctions of T, each with share 1 if norms are free.
	Spent []float64 `json:"spent"`
	// Quotients are the Rayleigh quotients of these directions, in the order of Spent: E[φ(t₁)φ(t₂)] for φ of norm 1,
	// in [−1, 1]. Directions that are only rounding error, at the end, have none.
	Quotients []float64 `json:"quotients"`
	// Alive counts the learned modes: the principal directions with at least 1 % of the largest of Spent and a quotient
	// above 3/√N, three standard deviations of the quotient of a direction that views do not share.
	Alive int `json:"alive"`
}

// spectrumOf computes the spectrum from features (N×k) of the first and second views of the same N images, one row per
// image.
func spectrumOf(first, second *mat.Dense) (s ViewSpectrum, err error) {
	// Features computed with the 10 bits of TF32 have directions that are pure rounding error, of relative length 2⁻¹¹,
	// squared 2e-7.
	const rounding, leastShare, deviations = 1e-6, 0.01, 3
	n, k := first.Dims()
	overlap, other, cross := mat.NewSymDense(k, nil), new(mat.SymDense), new(mat.Dense)
	overlap.SymOuterK(0.5/float64(n), first.T())
	other.SymOuterK(0.5/float64(n), second.T())
	overlap.AddSym(overlap, other)
	cross.Mul(first.T(), second)
	cross.Scale(1/float64(n), cross)
	if size := mat.Trace(overlap); !(size > 0) || math.IsInf(size, 1) {
		return s, fmt.Errorf("images: mean square of the features is %g, want a positive number", size)
	}
	principal, err := spectral.SymEigen(overlap)
	if err != nil {
		return s, fmt.Errorf("images: second moment of the features: %w", err)
	}
	for i, spent := range principal.Values {
		s.Spent = append(s.Spent, max(0, spent)) // no negative rounding error
		if spent <= rounding*principal.Values[0] {
			continue
		}
		direction := principal.Vectors.ColView(i)
		quotient := mat.Inner(direction, cross, direction) / spent
		s.Quotients = append(s.Quotients, quotient)
		if spent >= leastShare*principal.Values[0] && quotient > deviations/math.Sqrt(float64(n)) {
			s.Alive++
		}
	}
	return s, nil
}
