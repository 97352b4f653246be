package schrodinger

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/net"
	"omm-go/ommlx/spectral"
)

// Numerical contains states by finite differences: Values are energies, ascending, and Vectors, N×k, are the functions
// on the lattice Points, N×D, whose last coordinate changes fastest.
type Numerical struct {
	spectral.Eigenpairs
	Points *mat.Dense
}

// residual is the tolerance of the eigensolver, relative to the spectral radius.
const residual = 1e-8

// Differences returns the k lowest states of H = −∇² + V on n^D points of a box, with ψ = 0 on its faces. The error of
// an energy falls as the square of the spacing where V is smooth; time and memory grow as n^D.
//
// V is [System.PotentialAt], or else Potential on the backend, which may otherwise be nil. It returns an error if box,
// n or k is out of range.
func (s System) Differences(b compute.Backend, box net.Box, n, k int) (Numerical, error) {
	if err := box.Validate(); err != nil {
		return Numerical{}, err
	}
	if len(box.Lower) != s.Dim || n < 1 || s.PotentialAt == nil && s.Potential == nil {
		return Numerical{}, fmt.Errorf("schrodinger: differences of the %s: dimension %d, %d points per axis, box of "+
			"dimension %d; want a potential, equal dimensions and at least 1 point", s.Name, s.Dim, n, len(box.Lower))
	}
	size, strides := 1, make([]int, s.Dim)
	for d := range slices.Backward(strides) {
		strides[d], size = size, size*n
	}
	h := floats.SubTo(make([]float64, s.Dim), box.Upper, box.Lower)
	floats.Scale(1/float64(n+1), h)
	points := mat.NewDense(size, s.Dim, nil)
	points.Apply(func(p, d int, _ float64) float64 { return box.Lower[d] + float64(p/strides[d]%n+1)*h[d] }, points)
	at, free := s.evaluator(b)
	defer free()
	diagonal, err := at(slices.Collect(slices.Chunk(points.RawMatrix().Data, s.Dim)))
	if err != nil {
		return Numerical{}, err
	}
	for _, h := range h {
		floats.AddConst(2/(h*h), diagonal)
	}
	floats.Scale(-1, diagonal) // the operator is −H
	pairs, err := spectral.Lanczos{K: k, Tolerance: residual}.Solve(size, func(dst, src []float64) {
		floats.MulTo(dst, diagonal, src)
		for d, stride := range slices.Backward(strides) {
			c, block := 1/(h[d]*h[d]), stride*n
			for first := 0; first < size; first += block {
				floats.AddScaled(dst[first:first+block-stride], c, src[first+stride:first+block])
				floats.AddScaled(dst[first+stride:first+block], c, src[first:first+block-stride])
			}
		}
	})
	floats.Scale(-1, pairs.Values)
	return Numerical{pairs, points}, err
}

// Extrapolated is [System.Differences] with energies extrapolated to zero spacing from lattices of n and 2n + 1 points
// per axis: their error falls as the fourth power of the spacing. Functions and residuals are on the coarser lattice.
func (s System) Extrapolated(b compute.Backend, box net.Box, n, k int) (Numerical, error) {
	wide, err := s.Differences(b, box, n, k)
	if err != nil {
		return Numerical{}, err
	}
	narrow, err := s.Differences(b, box, 2*n+1, k)
	if err != nil {
		return Numerical{}, err
	}
	for i, e := range narrow.Values {
		wide.Values[i] = e + (e-wide.Values[i])/3
	}
	return wide, nil
}
