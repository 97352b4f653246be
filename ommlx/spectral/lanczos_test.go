package spectral

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/internal/testkit"
)

// multiplyBy returns a as an operator.
func multiplyBy(a mat.Matrix) func(dst, src []float64) {
	return func(dst, src []float64) { mat.NewVecDense(len(dst), dst).MulVec(a, mat.NewVecDense(len(src), src)) }
}

// requireEigenpairs checks A V = V Λ, the order and VᵀV = I, with errors relative to the scale of A.
func requireEigenpairs(t require.TestingT, a mat.Matrix, pairs Eigenpairs, scale float64) {
	var av, vl, gram mat.Dense
	av.Mul(a, pairs.Vectors)
	k := len(pairs.Values)
	vl.Mul(pairs.Vectors, mat.NewDiagDense(k, pairs.Values))
	require.True(t, mat.EqualApprox(&av, &vl, 1e-9*scale), "A V = V Λ")
	gram.Mul(pairs.Vectors.T(), pairs.Vectors)
	require.True(t, mat.EqualApprox(&gram, mat.NewDiagDense(k, ones(k)), 1e-12), "VᵀV = I")
	inOrder := slices.IsSortedFunc(pairs.Values, func(a, b float64) int {
		if pairs.Smallest {
			return cmp.Compare(a, b)
		}
		return cmp.Compare(b, a)
	})
	require.True(t, inOrder, "in order: %v", pairs.Values)
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
	assert.InEpsilon(t, 1, pairs.Radius, 0.02)
	assert.Less(t, pairs.Applications, side*side/2, "far fewer applications than states")
}

// lattice is the walk on side×side cells that stays where it is when it runs into the wall.
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

func TestLanczosIsTheSameForTheSameSeed(t *testing.T) {
	first := testkit.Must(Lanczos{K: 3, Seed: 5}.Solve(100, lattice(10)))
	again := testkit.Must(Lanczos{K: 3, Seed: 5}.Solve(100, lattice(10)))
	assert.Equal(t, first, again)
	other := testkit.Must(Lanczos{K: 3, Seed: 6}.Solve(100, lattice(10)))
	assert.InDeltaSlice(t, first.Values, other.Values, 1e-12)
	assert.NotEqual(t, first.Vectors, other.Vectors)
}

func TestTruthOfTheSmallestDescends(t *testing.T) {
	pairs := testkit.Must(Lanczos{K: 4, Smallest: true}.Solve(25, lattice(5)))
	truth := pairs.Truth()
	for i, value := range pairs.Values {
		assert.Equal(t, -value, truth.Values[i])
	}
	assert.Equal(t, []Eigenspace{{0, 1}, {1, 3}, {3, 4}}, truth.Eigenspaces())
	assert.Equal(t, DegeneracyTolerance*pairs.Radius, truth.Tolerance)
}
