package images

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/spectral"
)

// Thresholds of [Views].
const (
	// rounding is the share of the largest eigenvalue of M[f] below which an eigenvalue counts as zero: features
	// computed with the 10 bits of TF32 have directions that are pure rounding error, of relative length 2⁻¹¹, squared
	// 2e-7.
	rounding = 1e-6
	// leastShare is the share below which a direction is not alive, even if it is not zero.
	leastShare = 0.01
	// deviations is the number of standard deviations of chance, 1/√N, that the quotient of an alive mode must exceed.
	deviations = 3
)

// ViewSpectrum is the spectrum of the canonical dependence kernel T (paper, Section 3.3) in features of two views of N
// images, from
//
//	M[f] = 1/2N Σ_n {f(t₁)f(t₁)ᵀ + f(t₂)f(t₂)ᵀ},   M[f,Tf] = 1/2N Σ_n {f(t₁)f(t₂)ᵀ + f(t₂)f(t₁)ᵀ}.
type ViewSpectrum struct {
	// Spent are the k eigenvalues of M[f], descending: the share of the mean of |f|², which is their sum, in each
	// principal direction of f. At OMM's optimum these directions are eigenfunctions of T, each with share 1 if norms
	// are free.
	Spent []float64 `json:"spent"`
	// Quotients are the Rayleigh quotients of these directions, in the order of Spent: E[φ(t₁)φ(t₂)] for φ of norm 1,
	// in [−1, 1]. Directions that are only rounding error, at the end, have none.
	Quotients []float64 `json:"quotients"`
	// Values are the eigenvalues θ of M[f,Tf] c = θ M[f] c, descending, in [−1, 1]: the spectrum of T in the span of
	// the features, including 1 if the constant is in the span. Directions that are only rounding error (1e-6 of the
	// largest of Spent) are left out, so the length is the rank of M[f].
	//
	// The values are fitted to the samples: if views share nothing, the largest of k is not near 0 but near
	// √(2k/N (1 − k/2N)), the edge of the spectrum of such noise. Use many more images than features.
	Values []float64 `json:"values"`
	// Alive counts the learned modes: the principal directions with at least 1 % of the largest of Spent and a quotient
	// above 3/√N, three standard deviations of the quotient of a direction that views do not share. The directions come
	// from M[f] only, independently of what views share, so there is no noise edge as in Values.
	Alive int `json:"alive"`
}

// Views computes the spectrum from features (N×k) of the first and second views of the same N images, one row per
// image.
func Views(first, second *mat.Dense) (ViewSpectrum, error) {
	overlap, projected, images, err := viewMoments(first, second)
	if err != nil {
		return ViewSpectrum{}, err
	}
	principal, err := spectral.SymEigen(overlap)
	if err != nil {
		return ViewSpectrum{}, fmt.Errorf("images: second moment of the features: %w", err)
	}
	largest := principal.Values[0]
	if !(largest > 0) {
		return ViewSpectrum{}, errors.New("images: all features are zero, so they have no spectrum")
	}
	var turned mat.Dense // M[f,Tf] of the principal directions
	turned.Product(principal.Vectors.T(), projected, principal.Vectors)

	var s ViewSpectrum
	for i, spent := range principal.Values {
		s.Spent = append(s.Spent, max(0, spent)) // no negative rounding error
		if spent <= rounding*largest {
			continue
		}
		quotient := turned.At(i, i) / spent
		s.Quotients = append(s.Quotients, quotient)
		if spent >= leastShare*largest && quotient > deviations/math.Sqrt(float64(images)) {
			s.Alive++
		}
	}
	rank := len(s.Quotients)
	whitened := mat.NewSymDense(rank, nil)
	for i := range rank {
		for j := range i + 1 {
			whitened.SetSym(i, j, turned.At(i, j)/math.Sqrt(s.Spent[i]*s.Spent[j]))
		}
	}
	spectrum, err := spectral.SymEigen(whitened)
	if err != nil {
		return ViewSpectrum{}, fmt.Errorf("images: spectrum of the views: %w", err)
	}
	s.Values = spectrum.Values
	return s, nil
}

// viewMoments returns M[f] and M[f,Tf], k×k, and the number of images.
func viewMoments(first, second *mat.Dense) (overlap, projected *mat.SymDense, images int, err error) {
	n, k := first.Dims()
	if rows, columns := second.Dims(); n == 0 || rows != n || columns != k {
		return nil, nil, 0, fmt.Errorf("images: first view has %d×%d features, second has %d×%d", n, k, rows, columns)
	}
	for _, view := range []*mat.Dense{first, second} {
		for i, v := range view.RawMatrix().Data {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, nil, 0, fmt.Errorf("images: feature %d of image %d is %v", i%k, i/k, v)
			}
		}
	}
	overlap, cross := mat.NewSymDense(k, nil), new(mat.Dense)
	overlap.SymOuterK(0.5/float64(n), first.T())
	var other mat.SymDense
	other.SymOuterK(0.5/float64(n), second.T())
	overlap.AddSym(overlap, &other)
	cross.Mul(first.T(), second)
	cross.Scale(1/float64(n), cross)
	return overlap, spectral.SymmetricPart(cross), n, nil
}
