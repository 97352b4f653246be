package spectral

import (
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
)

// requireEigenpairs checks A V = V Λ, the order and VᵀV = I, with errors relative to the scale of A.
func requireEigenpairs(t require.TestingT, a mat.Matrix, pairs Eigenpairs, scale float64) {
	v, vl := pairs.Vectors, scaleColumns(pairs.Vectors, pairs.Values...)
	require.True(t, mat.EqualApprox(linalg.Product(a, v), vl, 1e-9*scale), "A V = V Λ")
	require.True(t, mat.EqualApprox(linalg.Gram(v), linalg.IdentityMatrix(len(pairs.Values)), 1e-12), "VᵀV = I")
	require.IsNonIncreasing(t, pairs.Values)
}

// The eigenvalues of the lattice are (cos(πa/side) + cos(πb/side))/2 (see the tests of package gridworld). At 3,600
// states a dense matrix would take 100 MB.
func TestLanczosOnALargeLattice(t *testing.T) {
	const side, k = 60, 20
	var want []float64
	for a := range side {
		for b := range side {
			want = append(want, (math.Cos(math.Pi*float64(a)/side)+math.Cos(math.Pi*float64(b)/side))/2)
		}
	}
	slices.Sort(want)
	slices.Reverse(want)
	pairs := testkit.Must(Lanczos{K: k}.Solve(side*side, lattice(side)))
	assert.InDeltaSlice(t, want[:k], pairs.Values, 1e-12)
	assert.LessOrEqual(t, slices.Max(pairs.Residuals), 1e-10)
	assert.Less(t, pairs.Applications, side*side/2, "far fewer applications than states")
	assert.Equal(t, pairs, testkit.Must(Lanczos{K: k}.Solve(side*side, lattice(side))), "the starts are the same")
}

// lattice is the random walk on side×side cells that stays in place when it hits a wall.
func lattice(side int) func(dst, src []float64) {
	return func(dst, src []float64) {
		for row := range side {
			for col := range side {
				var sum float64
				for _, move := range [4][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
					r := min(max(row+move[0], 0), side-1)
					c := min(max(col+move[1], 0), side-1)
					sum += src[r*side+c]
				}
				dst[row*side+col] = sum / 4
			}
		}
	}
}

// separated is a diagonal operator: the leading eigenvalues given, and a bulk in [0, 1], which converges slowly.
func separated(n int, leading ...float64) func(dst, src []float64) {
	return func(dst, src []float64) {
		for i, v := range src {
			value := float64(i) / float64(n)
			if i < len(leading) {
				value = leading[i]
			}
			dst[i] = value * v
		}
	}
}

// TestNothingAbove: the answer is no while the space is small, with an eigenvalue above, and with one at the value; it
// becomes yes.
func TestNothingAbove(t *testing.T) {
	const n = 1_000
	s := newKrylov(n, 1, 60, separated(n, 2), rand.New(rand.NewPCG(1, 2)))
	s.start()
	yes := map[float64]bool{}
	for !s.complete() {
		require.NoError(t, s.extend())
		for _, value := range []float64{1.9, 2, 2.5} {
			nothing := s.nothingAbove(value)
			assert.False(t, nothing && s.dim < 10, "known from %d directions", s.dim)
			yes[value] = yes[value] || nothing
		}
	}
	assert.Equal(t, map[float64]bool{1.9: false, 2: false, 2.5: true}, yes)
}

func TestLanczosRefuses(t *testing.T) {
	walk := lattice(4)
	for want, l := range map[string]Lanczos{"K is 0": {}, "K is 17": {K: 17}, "Tolerance is 2": {K: 1, Tolerance: 2},
		"Tolerance is NaN": {K: 1, Tolerance: math.NaN()}, "Space is 5": {K: 4, Space: 5}} {
		_, err := l.Solve(16, walk)
		assert.ErrorContains(t, err, want)
	}
	_, err := Lanczos{K: 1}.Solve(1, func(dst, _ []float64) { dst[0] = math.Inf(1) })
	assert.ErrorContains(t, err, "not finite")
	_, err = Lanczos{K: 1}.Solve(9, func(dst, src []float64) { // a shift to the right
		dst[0] = 0
		copy(dst[1:], src)
	})
	assert.ErrorContains(t, err, "operator is not symmetr")
	// Settings at the limits.
	_, err = Lanczos{K: 4, Space: 6}.Solve(16, walk)
	assert.NoError(t, err)
	_, err = Lanczos{K: 16, Space: 16}.Solve(16, walk)
	assert.NoError(t, err)
}

func TestLanczosReportsIncompleteConvergence(t *testing.T) {
	pairs := testkit.Must(Lanczos{K: 2}.Solve(900, lattice(30)))
	for word, applications := range map[string]int{"0 of 2": 40, "2 of 2": pairs.Applications - 30} {
		_, err := Lanczos{K: 2, MaxApplications: applications}.Solve(900, lattice(30))
		assert.ErrorContains(t, err, word)
	}
}

func TestLanczosNoticesAnOperatorThatChanges(t *testing.T) {
	pairs := testkit.Must(Lanczos{K: 2}.Solve(16, lattice(4)))
	calls := 0
	_, err := Lanczos{K: 2}.Solve(16, func(dst, src []float64) {
		lattice(4)(dst, src)
		if calls++; calls == pairs.Applications {
			floats.Scale(0.5, dst)
		}
	})
	assert.ErrorContains(t, err, "call")
}

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

func TestSymEigenRefuses(t *testing.T) {
	for word, a := range map[string]*mat.SymDense{"empty": {}, "(0, 0)": mat.NewSymDense(1, []float64{math.Inf(1)}),
		"(0, 1)": mat.NewSymDense(2, []float64{1, math.NaN(), math.NaN(), 1})} {
		_, err := SymEigen(a)
		assert.ErrorContains(t, err, word)
	}
}

func TestEigenspacesOfKnownMultiplicities(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	// Scaled, because the tolerance must follow the spectral radius.
	for _, scale := range []float64{1e-3, 1, 1e6} {
		values := []float64{1, 0.7, 0.7, 0.7, 0.7 - 1e-6, 0.2, 0.2, -1}
		floats.Scale(scale, values)
		truth := testkit.Must(SymEigen(symmetric(rng, values)))
		assert.Equal(t, []Eigenspace{{0, 1}, {1, 4}, {4, 5}, {5, 7}, {7, 8}}, truth.Eigenspaces())
		assert.Equal(t, 3, truth.Eigenspaces()[1].Dim())
	}
}
