package learn_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/spectral"
)

// lattice are finite differences of H = −∇² + V on n^D points of the box [lower, upper], ψ = 0 on its faces.
type lattice struct {
	v            func(x []float64) float64
	lower, upper []float64
	n            int
}

func (l lattice) size() int {
	size := 1
	for range l.lower {
		size *= l.n
	}
	return size
}

func (l lattice) spacing(d int) float64 { return (l.upper[d] - l.lower[d]) / float64(l.n+1) }

// points are in the order of states, the last coordinate running fastest.
func (l lattice) points() *mat.Dense {
	points := mat.NewDense(l.size(), len(l.lower), nil)
	for p := range l.size() {
		for d, rest := len(l.lower)-1, p; d >= 0; d, rest = d-1, rest/l.n {
			points.Set(p, d, l.lower[d]+float64(rest%l.n+1)*l.spacing(d))
		}
	}
	return points
}

// solve returns the k lowest eigenpairs.
func (l lattice) solve(t *testing.T, k int) spectral.Eigenpairs {
	t.Helper()
	points, diagonal := l.points(), make([]float64, l.size())
	for p := range diagonal {
		diagonal[p] = l.v(points.RawRowView(p))
		for d := range l.lower {
			diagonal[p] += 2 / (l.spacing(d) * l.spacing(d))
		}
	}
	pairs, err := spectral.Lanczos{K: k, Smallest: true, Tolerance: 1e-8}.Solve(l.size(), func(dst, src []float64) {
		floats.MulTo(dst, diagonal, src)
		stride := 1
		for d := len(l.lower) - 1; d >= 0; d-- {
			c, block := -1/(l.spacing(d)*l.spacing(d)), stride*l.n
			for first := 0; first < len(dst); first += block {
				floats.AddScaled(dst[first:first+block-stride], c, src[first+stride:first+block])
				floats.AddScaled(dst[first+stride:first+block], c, src[first:first+block-stride])
			}
			stride = block
		}
	})
	require.NoError(t, err)
	return pairs
}

// extrapolated returns the k lowest energies for h → 0 from two spacings, and the eigenfunctions of the coarser
// lattice.
func (l lattice) extrapolated(t *testing.T, k int) (energies []float64, vectors *mat.Dense) {
	t.Helper()
	fine := l
	fine.n = 2*l.n + 1
	wide, narrow := l.solve(t, k), fine.solve(t, k)
	for i, e := range narrow.Values {
		energies = append(energies, e+(e-wide.Values[i])/3)
	}
	return energies, wide.Vectors
}

// sine is that of the angle between two vectors.
func sine(a, b mat.Vector) float64 {
	cosine := mat.Dot(a, b) / (mat.Norm(a, 2) * mat.Norm(b, 2))
	return math.Sqrt(1 - cosine*cosine)
}
