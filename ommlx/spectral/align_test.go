package spectral

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
)

// learning is a truth with eigenspaces of any multiplicities and learned functions of its first k modes.
type learning struct {
	truth, learned *mat.Dense // n×K, n×k
	weights        []float64
	spaces         []Eigenspace // for the K modes
	rng            *rand.Rand
}

// learnings draws 1 to 12 true functions on up to 30 points, with weights over four decades, and orthonormal learned
// functions: rotated within eigenspaces, and out of them by so little that each still belongs to one space.
func learnings() *rapid.Generator[learning] {
	return rapid.Custom(func(t *rapid.T) learning {
		known := rapid.IntRange(1, 12).Draw(t, "K")
		n := rapid.IntRange(known, 30).Draw(t, "n")
		k := modes(t, known)
		noise := math.Pow(10, rapid.Float64Range(-9, -0.5).Draw(t, "log10 of the noise"))
		var spaces []Eigenspace
		for first := 0; first < known; {
			end := first + rapid.IntRange(1, min(5, known-first)).Draw(t, "multiplicity")
			spaces = append(spaces, Eigenspace{first, end})
			first = end
		}
		l := learning{spaces: spaces, rng: rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))}
		for range n {
			l.weights = append(l.weights, math.Pow(10, 4*l.rng.Float64()-2))
		}
		plain := linalg.RandomOrthonormal(l.rng, n, known)
		turned := rotateWithin(l.rng, plain, spaces, known)
		away := linalg.RandomGaussian(l.rng, n, k)
		away = linalg.Sum(linalg.Columns(turned, 0, k), linalg.Scaled(noise/mat.Norm(away, 2), away))
		q := testkit.Must(nearestOrthogonal(linalg.IdentityMatrix(n), away))
		l.truth, l.learned = unweighted(plain, l.weights), unweighted(q, l.weights)
		return l
	})
}

// mixWithin multiplies the functions of each space by a matrix. Columns from k on and columns of a space that k cuts do
// not change.
func mixWithin(f *mat.Dense, spaces []Eigenspace, k int, by func(m int) *mat.Dense) *mat.Dense {
	rows, _ := f.Dims()
	out := mat.DenseCopyOf(f)
	for _, s := range spaces {
		if s.End <= k {
			out.Slice(0, rows, s.First, s.End).(*mat.Dense).Mul(f.Slice(0, rows, s.First, s.End), by(s.Dim()))
		}
	}
	return out
}

// rotateWithin multiplies the functions of each space by a random orthogonal matrix.
func rotateWithin(rng *rand.Rand, f *mat.Dense, spaces []Eigenspace, k int) *mat.Dense {
	return mixWithin(f, spaces, k, func(m int) *mat.Dense { return linalg.RandomOrthonormal(rng, m, m) })
}

// scales returns signs and magnitudes for k columns, up to where squares overflow float64.
func scales(rng *rand.Rand, k int) []float64 {
	s := make([]float64, k)
	for i := range s {
		s[i] = math.Pow(10, 300*rng.Float64()-150) * float64(1-2*rng.IntN(2))
	}
	return s
}

// distances returns both metrics and checks their ranges.
func distances(t *rapid.T, truth, learned *mat.Dense, weights []float64, spaces []Eigenspace) (
	angles, subspaces []float64) {
	angles = testkit.Must(AngleDistances(truth, learned, weights, spaces))
	subspaces = testkit.Must(SubspaceDistances(truth, learned, weights, spaces))
	require.True(t, floats.Min(angles) >= 0 && floats.Max(angles) <= math.Pi/2)
	require.True(t, floats.Min(subspaces) >= 0 && floats.Max(subspaces) <= 1)
	return angles, subspaces
}

// requireSameDistances compares; a subspace distance is the square of a sine.
func requireSameDistances(t *rapid.T, wantAngles, angles, wantSubspaces, subspaces []float64) {
	require.InDeltaSlice(t, wantAngles, angles, 1e-11)
	require.Len(t, subspaces, len(wantSubspaces))
	for i, want := range wantSubspaces {
		require.InDelta(t, math.Sqrt(want), math.Sqrt(subspaces[i]), 1e-11)
	}
}

// Learned and true functions may have any signs and scales, and learned ones may be rotated within whole eigenspaces;
// for the subspace distance they may be mixed in any way.
func TestPropertyDistancesIgnoreScalesAndRotationsWithinEigenspaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := learnings().Draw(t, "learning")
		_, k := l.learned.Dims()
		angles, subspaces := distances(t, l.truth, l.learned, l.weights, l.spaces)
		_, known := l.truth.Dims()
		againAngles, againSubspaces := distances(t, scaleColumns(l.truth, scales(l.rng, known)...),
			scaleColumns(l.learned, scales(l.rng, k)...), l.weights, l.spaces)
		requireSameDistances(t, angles, againAngles, subspaces, againSubspaces)
		turned := rotateWithin(l.rng, l.learned, l.spaces, k)
		againAngles, againSubspaces = distances(t, l.truth, turned, l.weights, l.spaces)
		requireSameDistances(t, angles, againAngles, subspaces, againSubspaces)

		anyhow := mixWithin(l.learned, l.spaces, k, func(m int) *mat.Dense {
			values := make([]float64, m) // condition number at most 10
			for j := range values {
				values[j] = math.Pow(10, -float64(j)/float64(m))
			}
			return linalg.Product(linalg.RandomOrthonormal(l.rng, m, m), mat.NewDiagDense(m, values),
				linalg.RandomOrthonormal(l.rng, m, m))
		})
		_, againSubspaces = distances(t, l.truth, anyhow, l.weights, l.spaces)
		requireSameDistances(t, nil, nil, subspaces, againSubspaces)

		// Aligned functions do not depend on the learned basis of the space.
		first, _ := testkit.Must2(Align(l.truth, l.learned, l.weights, l.spaces))
		second, _ := testkit.Must2(Align(l.truth, turned, l.weights, l.spaces))
		require.True(t, mat.EqualApprox(first, second, 1e-10))
	})
}

// One function's subspace distance is sin²θ of its angle. For several orthonormal functions f, m(1 − d) = Σ ‖Pf‖².
func TestPropertyMetricsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := learnings().Draw(t, "learning")
		angles, subspaces := distances(t, l.truth, l.learned, l.weights, l.spaces)
		n, k := l.learned.Dims()
		distances(t, l.truth, linalg.RandomGaussian(l.rng, n, k), l.weights, l.spaces) // of arbitrary functions

		overlap := linalg.Product(testkit.Must(weigh("function", l.truth, l.weights)).T(),
			testkit.Must(weigh("function", l.learned, l.weights)))
		for i, s := range l.spaces[:len(subspaces)] {
			end := min(s.End, k)
			captured := math.Pow(mat.Norm(overlap.Slice(s.First, s.End, s.First, end), 2), 2)
			require.InDelta(t, float64(end-s.First)*(1-subspaces[i]), captured, 1e-12)
			if s.Dim() == 1 {
				require.InDelta(t, math.Sin(angles[s.First]), math.Sqrt(subspaces[i]), 1e-12)
				require.InDelta(t, math.Cos(angles[s.First]), math.Sqrt(captured), 1e-12)
			}
		}
	})
}

// TestModesThatCutThroughAnEigenspace: any functions inside the last space are right; the truth is rotated instead.
func TestModesThatCutThroughAnEigenspace(t *testing.T) {
	rng := rand.New(rand.NewPCG(24, 0))
	f, weights := basis(t, rng, 30, 12)
	spaces := []Eigenspace{{0, 1}, {1, 4}, {4, 6}}
	truth := linalg.Columns(f, 0, 6)
	whole := rotateWithin(rng, truth, spaces, 6)
	for k, first := range map[int]int{2: 1, 3: 1, 5: 4} { // first: start of the space that k cuts
		learned := linalg.Columns(whole, 0, k)
		aligned, target := testkit.Must2(Align(truth, learned, weights, spaces))
		assert.True(t, mat.EqualApprox(aligned, target, 1e-12), "k = %d", k)
		own, same := linalg.Columns(learned, first, k), linalg.Columns(aligned, first, k)
		assert.True(t, mat.EqualApprox(own, same, 1e-14), "k = %d", k)
		angles := testkit.Must(AngleDistances(truth, learned, weights, spaces))
		assert.InDeltaSlice(t, make([]float64, k), angles, 1e-12)
		distances := testkit.Must(SubspaceDistances(truth, learned, weights, spaces))
		assert.InDeltaSlice(t, make([]float64, len(distances)), distances, 1e-25)

		// Tilted by an angle of 0.3 out of every eigenspace.
		away := linalg.Columns(f, 6, 6+k)
		out := linalg.Sum(linalg.Scaled(math.Cos(0.3), learned), linalg.Scaled(math.Sin(0.3), away))
		angles = testkit.Must(AngleDistances(truth, out, weights, spaces))
		for _, angle := range angles {
			assert.InDelta(t, 0.3, angle, 1e-12)
		}
	}
}

// TestModesThatRepeatADirection: a cosine per mode would accept both.
func TestModesThatRepeatADirection(t *testing.T) {
	truth, weights := basis(t, rand.New(rand.NewPCG(25, 0)), 10, 2)
	repeated := mat.DenseCopyOf(truth)
	repeated.SetCol(1, mat.Col(nil, 0, truth))
	space := []Eigenspace{{0, 2}}
	angles := testkit.Must(AngleDistances(truth, repeated, weights, space))
	assert.InDelta(t, math.Pi/2, angles[0]+angles[1], 1e-12)
	distances := testkit.Must(SubspaceDistances(truth, repeated, weights, space))
	assert.InDelta(t, 0.5, distances[0], 1e-12)
}

func TestComparisonsRefuseEigenspacesThatDoNotFit(t *testing.T) {
	f, weights := basis(t, rand.New(rand.NewPCG(26, 0)), 10, 4)
	for message, spaces := range map[string][]Eigenspace{
		"2 modes":      {{0, 2}},
		"0 modes":      nil,
		"eigenspace 0": {{1, 4}},
		"eigenspace 1": {{0, 2}, {2, 2}, {2, 4}},
		"mode 4":       {{0, 2}, {2, 5}},
	} {
		_, err := AngleDistances(f, f, weights, spaces) // by Align
		assert.ErrorContains(t, err, message)
		_, err = SubspaceDistances(f, f, weights, spaces)
		assert.ErrorContains(t, err, message)
	}
	_, err := SubspaceDistances(f, linalg.Columns(f, 0, 2), weights, []Eigenspace{{0, 2}, {7, 9}})
	assert.NoError(t, err, "spaces beyond the learned modes do not matter")
}
