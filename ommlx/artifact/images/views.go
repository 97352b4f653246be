package images

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/spectral"
)

// What [Views] counts.
const (
	// rounding is the share of the largest eigenvalue of M[f] below which one is taken for zero: features that were
	// computed with the 10 bits of TF32 have directions of rounding alone, of relative length 2⁻¹¹, squared 2e-7.
	rounding = 1e-6
	// unspent is the share below which a direction is not alive, though it is there.
	unspent = 0.01
	// deviations is how many standard deviations of chance, 1/√N, the quotient of a mode that is alive is above 0.
	deviations = 3
)

// ViewSpectrum is what features of two views of N images show of the canonical dependence kernel T (paper, Section
// 3.3), from
//
//	M[f] = 1/2N Σ_n {f(t₁)f(t₁)ᵀ + f(t₂)f(t₂)ᵀ},   M[f,Tf] = 1/2N Σ_n {f(t₁)f(t₂)ᵀ + f(t₂)f(t₁)ᵀ}.
type ViewSpectrum struct {
	// Spent are the k eigenvalues of M[f], descending: how much of the mean of |f|², which is their sum, goes to each
	// of the principal directions of f. At OMM's optimum these directions are eigenfunctions of T, with 1 for each if
	// norms are free.
	Spent []float64 `json:"spent"`
	// Quotients are the Rayleigh quotients of these directions, in the order of Spent: E[φ(t₁)φ(t₂)]
	// for φ of norm 1, in [−1, 1]. There are none for the last ones, on which nothing is spent but rounding.
	Quotients []float64 `json:"quotients"`
	// Values are the eigenvalues θ of M[f,Tf] c = θ M[f] c, descending, in [−1, 1]: the spectrum of T in the span of
	// the features, with 1 for the constant if that is in it. Directions on which nothing is spent but rounding (1e-6
	// of the largest of Spent) are left out, so that there are as many as M[f] has rank.
	//
	// They are fitted to the samples: where views share nothing, the largest of k is not near 0 but near
	// √(2k/N (1 − k/2N)), the edge of the spectrum of such noise. Give many more images than features.
	Values []float64 `json:"values"`
	// Alive counts the modes that were learned: the principal directions on which at least 1 % of the largest of Spent
	// is spent, and whose quotient is more than 3/√N, three standard deviations of that of a direction that views do
	// not share. These directions are found from M[f], without a look at what views share, and so there is no edge.
	Alive int `json:"alive"`
}

// Views computes the spectrum from features (N×k) of the first and of the second view of the same N images, one row for
// each image.
func Views(first, second *mat.Dense) (ViewSpectrum, error) {
	overlap, projected, images, err := viewMoments(first, second)
	if err != nil {
		return ViewSpectrum{}, err
	}
	principal, err := spectral.SymEigen(overlap)
	if err != nil {
		return ViewSpectrum{}, fmt.Errorf("the second moment of the features: %w", err)
	}
	largest := principal.Values[0]
	if !(largest > 0) {
		return ViewSpectrum{}, errors.New("all features are zero; they have no spectrum")
	}
	var turned mat.Dense // M[f,Tf] of the principal directions
	turned.Product(principal.Vectors.T(), projected, principal.Vectors)

	var s ViewSpectrum
	for i, spent := range principal.Values {
		s.Spent = append(s.Spent, max(0, spent)) // not the rounding of zero
		if spent <= rounding*largest {
			continue
		}
		quotient := turned.At(i, i) / spent
		s.Quotients = append(s.Quotients, quotient)
		if spent >= unspent*largest && quotient > deviations/math.Sqrt(float64(images)) {
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
		return ViewSpectrum{}, fmt.Errorf("what the views share: %w", err)
	}
	s.Values = spectrum.Values
	return s, nil
}

// viewMoments returns M[f] and M[f,Tf], k×k, and the number of images.
func viewMoments(first, second *mat.Dense) (overlap, projected *mat.SymDense, images int, err error) {
	n, k := first.Dims()
	if rows, columns := second.Dims(); n == 0 || rows != n || columns != k {
		return nil, nil, 0, fmt.Errorf("views: the first has %d×%d features and the second %d×%d", n, k, rows, columns)
	}
	for _, view := range []*mat.Dense{first, second} {
		for i, v := range view.RawMatrix().Data {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, nil, 0, fmt.Errorf("views: feature %d of image %d is %v", i%k, i/k, v)
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
