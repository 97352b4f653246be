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

	"omm-go/ommlx/internal/testkit"
)

// The same cases in every run, so that a commit that passed once passes again; -rapid.seed=0 draws new ones.
func init() {
	if err := flag.Set("rapid.seed", "1"); err != nil {
		panic(err)
	}
}

// problem is a symmetric matrix of known spectrum.
type problem struct {
	a      *mat.SymDense
	values []float64 // descending
	rng    *rand.Rand
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
		return problem{symmetric(randomOrthogonal(rng, n), values), values, rng}
	})
}

// modes draws k from 1 to n, often one of the two.
func modes(t *rapid.T, n int) int {
	return rapid.OneOf(rapid.Just(1), rapid.Just(n), rapid.IntRange(1, n)).Draw(t, "k")
}

// Every copy of a multiple eigenvalue is found, of zero too.
func TestPropertyLanczosSolvesAnySymmetricMatrix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := problems().Draw(t, "problem")
		n := len(p.values)
		k := modes(t, n)
		smallest := rapid.Bool().Draw(t, "smallest")
		space := rapid.IntRange(min(n, 2*k+10), n+2).Draw(t, "space")
		pairs, err := Lanczos{K: k, Smallest: smallest, Space: space, Seed: p.rng.Uint64()}.Solve(n, multiplyBy(p.a))
		require.NoError(t, err)
		requireEigenpairs(t, p.a, pairs, p.radius())
		want := slices.Clone(p.values)
		if smallest {
			slices.Reverse(want)
		}
		require.InDeltaSlice(t, want[:k], pairs.Values, 1e-9*p.radius())
		require.LessOrEqual(t, pairs.Radius, p.radius()*(1+1e-12))
		require.LessOrEqual(t, slices.Max(pairs.Residuals), 1e-10*p.radius())
	})
}

func TestPropertyDenseSolverSolvesAnySymmetricMatrix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := problems().Draw(t, "problem")
		truth := testkit.Must(SymEigen(p.a))
		requireEigenpairs(t, p.a, Eigenpairs{Values: truth.Values, Vectors: truth.Vectors}, p.radius())
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

// stream draws d-dimensional samples of up to 30 steps.
func stream(t *rapid.T) (d int, samples [][]float64, rng *rand.Rand) {
	d = rapid.IntRange(1, 12).Draw(t, "d")
	steps := rapid.IntRange(0, 30).Draw(t, "steps")
	rng = rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	for range steps {
		x := make([]float64, d)
		for j := range x {
			x[j] = rng.NormFloat64()
		}
		samples = append(samples, x)
	}
	return d, samples, rng
}

func follow(t *rapid.T, pca *StreamingPCA, samples [][]float64) {
	for _, x := range samples {
		require.NoError(t, pca.Update(x))
	}
}

func TestPropertyOjaStaysOrthonormalAtAnyRate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, samples, rng := stream(t)
		k := modes(t, d)
		rate := math.Pow(10, rapid.Float64Range(-6, 6).Draw(t, "log10 of the rate"))
		pca := testkit.Must(NewStreamingPCA(Oja, d, k, func(int) float64 { return rate }, rng.Uint64()))
		follow(t, pca, samples)
		v := pca.Components()
		var gram mat.Dense
		gram.Mul(v.T(), v)
		require.True(t, mat.EqualApprox(&gram, mat.NewDiagDense(k, ones(k)), 1e-12))
	})
}

// Both rules are nested: what the first columns learn does not depend on how many follow.
func TestPropertyStreamingPCAIsNested(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, samples, rng := stream(t)
		k := modes(t, d)
		rule := rapid.SampledFrom([]StreamRule{Oja, Sanger}).Draw(t, "rule")
		first := rapid.IntRange(1, k).Draw(t, "first")
		seed := rng.Uint64()
		var learned [2]*mat.Dense
		for i, columns := range []int{first, k} {
			pca := testkit.Must(NewStreamingPCA(rule, d, columns, InverseTime(0.1, 10), seed))
			follow(t, pca, samples)
			learned[i] = pca.Components()
		}
		require.True(t, mat.Equal(learned[0], columns(learned[1], 0, first)), "the same bits")
	})
}

// Both rules know no coordinates: turned samples, from a turned start, give turned components.
func TestPropertyStreamingPCATurnsWithItsSamples(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, samples, rng := stream(t)
		k := modes(t, d)
		rule := rapid.SampledFrom([]StreamRule{Oja, Sanger}).Draw(t, "rule")
		rate, seed := InverseTime(0.1, 10), rng.Uint64()
		plain := testkit.Must(NewStreamingPCA(rule, d, k, rate, seed))
		turned := testkit.Must(NewStreamingPCA(rule, d, k, rate, seed))
		q := randomOrthogonal(rng, d)
		turned.rows.Mul(plain.rows, q.T())
		follow(t, plain, samples)
		for i, x := range samples {
			var qx mat.VecDense
			qx.MulVec(q, mat.NewVecDense(d, x))
			samples[i] = qx.RawVector().Data
		}
		follow(t, turned, samples)
		var want mat.Dense
		want.Mul(q, plain.Components())
		require.True(t, mat.EqualApprox(&want, turned.Components(), 1e-10))
	})
}
