package theory

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
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/losstest"
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

// drawSpectrum draws a d×d matrix of a rank from least to d whose other eigenvalues, often repeated, are in
// [low, high].
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
	rng := graphtest.NewRand(rapid.Uint64().Draw(t, "seed"))
	a, w := losstest.Symmetric(rng, values)
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

// evaluate calls a program of [losstest.OnMatrix]: the loss of V for the matrix A, and its gradient.
func evaluate(t require.TestingT, p graphtest.Program, v, a *mat.Dense) (loss float64, gradient *mat.Dense) {
	out, err := p.TryCall(graphtest.FromMatrix(v), graphtest.FromMatrix(a))
	require.NoError(t, err)
	return out[0].Data[0], out[1].Matrix()
}

// ommPrograms returns the library's OMM-1, OMM-2 and OMM-3 on a matrix; ommPrograms(t)[p−1] is OMM-p.
func ommPrograms(t *testing.T) []graphtest.Program {
	programs := make([]graphtest.Program, 3)
	for i := range programs {
		programs[i] = graphtest.NewProgram(t, losstest.OnMatrix(ommlx.OMM{Orders: losstest.Order(i + 1)}))
	}
	return programs
}

// libraryStates is d wherever the library computes, and drawLibraryModes draws k: few shapes, since each is compiled.
const libraryStates = 6

func drawOrder(t *rapid.T) int { return rapid.IntRange(1, 3).Draw(t, "p") }

func drawLibraryModes(t *rapid.T) int {
	return rapid.SampledFrom([]int{1, 3, libraryStates}).Draw(t, "k")
}
