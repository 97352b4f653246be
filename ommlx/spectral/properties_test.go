package spectral

import (
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
)

// Every run draws the same cases, so that a commit that passed once passes again; -rapid.seed=0 draws new ones.
func init() {
	if err := flag.Set("rapid.seed", "1"); err != nil {
		panic(err)
	}
}

// problem is a symmetric matrix with a known spectrum.
type problem struct {
	a      *mat.SymDense
	values []float64 // descending
}

func (p problem) radius() float64 {
	return max(math.Abs(p.values[0]), math.Abs(p.values[len(p.values)-1]))
}

// problems draws matrices of 1 to 60 states, of any rank, with eigenvalues repeated any number of times, of one sign or
// both, with condition numbers up to 10¹² and norms from 10⁻⁶ to 10⁶.
func problems() *rapid.Generator[problem] {
	return rapid.Custom(func(t *rapid.T) problem {
		n := rapid.IntRange(1, 60).Draw(t, "n")
		rank := rapid.IntRange(0, n).Draw(t, "rank")
		smallest := rapid.Float64Range(-12, 0).Draw(t, "log10 of the inverse condition number")
		scale := math.Pow(10, rapid.Float64Range(-6, 6).Draw(t, "log10 of the norm"))
		signs := rapid.SampledFrom([][]float64{{1}, {-1}, {1, -1}}).Draw(t, "signs")
		values := make([]float64, 0, n)
		for len(values) < rank {
			exponent := rapid.Float64Range(smallest, 0).Draw(t, "log10 of an eigenvalue")
			sign := rapid.SampledFrom(signs).Draw(t, "sign")
			copies := rapid.IntRange(1, rank-len(values)).Draw(t, "multiplicity")
			for range copies {
				values = append(values, sign*scale*math.Pow(10, exponent))
			}
		}
		values = append(values, make([]float64, n-rank)...)
		slices.Sort(values)
		slices.Reverse(values)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		return problem{symmetric(rng, values), values}
	})
}

// symmetric returns a matrix with the given eigenvalues.
func symmetric(rng *rand.Rand, eigenvalues []float64) *mat.SymDense {
	a, _ := linalg.RandomSymmetric(rng, eigenvalues)
	return SymmetricPart(a)
}

// modes draws k from 1 to n, often one of these.
func modes(t *rapid.T, n int) int {
	return rapid.OneOf(rapid.Just(1), rapid.Just(n), rapid.IntRange(1, n)).Draw(t, "k")
}

// Every copy of a multiple eigenvalue is found, including zero.
func TestPropertyLanczosSolvesAnySymmetricMatrix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := problems().Draw(t, "problem")
		n := len(p.values)
		k := modes(t, n)
		space := rapid.IntRange(min(n, 2*k+10), n+2).Draw(t, "space")
		pairs, err := Lanczos{K: k, Space: space}.Solve(n, linalg.Times(p.a))
		require.NoError(t, err)
		requireEigenpairs(t, p.a, pairs, p.radius())
		require.InDeltaSlice(t, p.values[:k], pairs.Values, 1e-9*p.radius())
		require.LessOrEqual(t, slices.Max(pairs.Residuals), 1e-10*p.radius())
	})
}

func TestPropertyDenseSolverSolvesAnySymmetricMatrix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := problems().Draw(t, "problem")
		truth := testkit.Must(SymEigen(p.a))
		requireEigenpairs(t, p.a, truth, p.radius())
		require.InDeltaSlice(t, p.values, truth.Values, 1e-12*p.radius())
		next := 0
		for _, space := range truth.Eigenspaces() {
			require.Equal(t, next, space.First)
			require.Positive(t, space.Dim())
			next = space.End
		}
		require.Equal(t, len(p.values), next, "eigenspaces partition the modes")
	})
}
