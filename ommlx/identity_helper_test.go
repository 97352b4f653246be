package ommlx_test

import (
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"operator-omm/ommlx"
)

// The same cases in every run, so that a commit that passed once passes again; -rapid.seed=0 draws new ones.
func init() {
	if err := flag.Set("rapid.seed", "1"); err != nil {
		panic(err)
	}
}

// spectrum is a symmetric matrix A = WΛWᵀ with the columns of w in the order of the eigenvalues, the largest first.
type spectrum struct {
	a, w   *mat.Dense
	values []float64
	rng    *rand.Rand
}

// drawSpectrum draws a d×d matrix of a rank from least to d whose other eigenvalues, often repeated, are in [low, high].
func drawSpectrum(t *rapid.T, d, least int, low, high float64) spectrum {
	rank := rapid.OneOf(rapid.Just(d), rapid.IntRange(least, d)).Draw(t, "rank")
	values := make([]float64, 0, d)
	for len(values) < rank {
		value := rapid.Float64Range(low, high).Draw(t, "eigenvalue")
		for range rapid.IntRange(1, min(3, rank-len(values))).Draw(t, "multiplicity") {
			values = append(values, value)
		}
	}
	values = append(values, make([]float64, d-rank)...)
	slices.Sort(values)
	slices.Reverse(values)
	rng := newRand(rapid.Uint64().Draw(t, "seed"))
	a, w := symmetric(rng, values)
	return spectrum{a, w, values, rng}
}

// top returns Σ_{i≤k} λ_i.
func (s spectrum) top(k int) float64 { return floats.Sum(s.values[:min(k, len(s.values))]) }

// leading returns W_{1:k}.
func (s spectrum) leading(k int) *mat.Dense { return columns(s.w, 0, k) }

// drawModes draws k from 1 to d, often one of the two.
func drawModes(t *rapid.T, d int) int {
	return rapid.OneOf(rapid.Just(1), rapid.Just(d), rapid.IntRange(1, d)).Draw(t, "k")
}

func columns(m *mat.Dense, from, to int) *mat.Dense {
	d, _ := m.Dims()
	return mat.DenseCopyOf(m.Slice(0, d, from, to))
}

func beside(a, b mat.Matrix) *mat.Dense {
	var m mat.Dense
	m.Augment(a, b)
	return &m
}

func eye(n int) *mat.Dense { return mat.DenseCopyOf(mat.NewDiagDense(n, ones(n))) }

func prod(factors ...mat.Matrix) *mat.Dense {
	var m mat.Dense
	m.Product(factors...)
	return &m
}

// combine returns αa + βb.
func combine(alpha float64, a mat.Matrix, beta float64, b mat.Matrix) *mat.Dense {
	var x, y mat.Dense
	x.Scale(alpha, a)
	y.Scale(beta, b)
	x.Add(&x, &y)
	return &x
}

func gram(v *mat.Dense) *mat.Dense { return prod(v.T(), v) }

func power(m *mat.Dense, n int) *mat.Dense {
	var p mat.Dense
	p.Pow(m, n)
	return &p
}

func inverse(t require.TestingT, m mat.Matrix) *mat.Dense {
	var inv mat.Dense
	require.NoError(t, inv.Inverse(m))
	return &inv
}

func square(x float64) float64 { return x * x }

// eigenvaluesOf returns those of the symmetric part of m, the smallest first.
func eigenvaluesOf(t require.TestingT, m *mat.Dense) []float64 {
	n, _ := m.Dims()
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			s.SetSym(i, j, (m.At(i, j)+m.At(j, i))/2)
		}
	}
	var eigen mat.EigenSym
	require.True(t, eigen.Factorize(s, false))
	return eigen.Values(nil)
}

// orthogonal returns a d×k matrix of orthonormal columns.
func orthogonal(rng *rand.Rand, d, k int) *mat.Dense {
	_, w := symmetric(rng, make([]float64, d))
	return columns(w, 0, k)
}

// requireSame compares to a tolerance relative to the largest number wanted, or to 1.
func requireSame(t require.TestingT, want, got mat.Matrix, tolerance float64, what string) {
	require.LessOrEqual(t, matrixDifference(want, got), tolerance, what)
}

// at evaluates a program of onMatrix: the loss of V for the matrix A, and its gradient.
func (p program) at(t require.TestingT, v, a *mat.Dense) (loss float64, gradient *mat.Dense) {
	out, err := p.tryCall(fromMatrix(v), fromMatrix(a))
	require.NoError(t, err)
	return out[0].Data[0], out[1].matrix()
}

// ommPrograms returns the library's OMM-1, OMM-2 and OMM-3 on a matrix; ommPrograms(t)[p−1] is OMM-p.
func ommPrograms(t *testing.T) []program {
	programs := make([]program, 3)
	for i := range programs {
		programs[i] = newProgram(t, onMatrix(ommlx.OMM{Orders: order(i + 1)}))
	}
	return programs
}

// libraryStates is d wherever the library computes, and drawLibraryModes draws k: few shapes, since each is compiled.
const libraryStates = 6

func drawOrder(t *rapid.T) int { return rapid.IntRange(1, 3).Draw(t, "p") }

func drawLibraryModes(t *rapid.T) int {
	return rapid.SampledFrom([]int{1, 3, libraryStates}).Draw(t, "k")
}
