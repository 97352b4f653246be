package spectral

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
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

func TestLanczosAgreesWithTheDenseSolver(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 0))
	for _, n := range []int{1, 2, 7, 60, 200} {
		values := make([]float64, n)
		for i := range values {
			values[i] = rng.NormFloat64()
		}
		a := symmetric(randomOrthogonal(rng, n), values)
		truth := testkit.Must(SymEigen(a))
		for _, k := range []int{1, min(n, 5), n} {
			for _, smallest := range []bool{false, true} {
				pairs := testkit.Must(Lanczos{K: k, Smallest: smallest, Seed: uint64(n)}.Solve(n, multiplyBy(a)))
				requireEigenpairs(t, a, pairs, 1)
				want := slices.Clone(truth.Values)
				if smallest {
					slices.Reverse(want)
				}
				require.InDeltaSlice(t, want[:k], pairs.Values, 1e-12, "n = %d, k = %d, smallest %v", n, k, smallest)
				radius := max(math.Abs(truth.Values[0]), math.Abs(truth.Values[n-1]))
				assert.LessOrEqual(t, slices.Max(pairs.Residuals), 1e-10*radius)
				assert.InEpsilon(t, radius, pairs.Radius, 0.02)
			}
		}
	}
}

func TestLanczosFindsEveryCopyOfAMultipleEigenvalue(t *testing.T) {
	rng := rand.New(rand.NewPCG(42, 0))
	const n = 90
	q := randomOrthogonal(rng, n)
	for name, multiplicities := range map[string]map[float64]int{
		"several spaces":     {3: 4, 2: 1, 1.9: 7, 0: 30},
		"zero":               {},
		"identity":           {1: n},
		"rank one":           {5: 1},
		"top space is large": {1: 40},
		"both signs":         {1: 3, -1: 20},
	} {
		var values []float64
		for value, count := range multiplicities {
			for range count {
				values = append(values, value)
			}
		}
		for len(values) < n { // what is not named is zero or, where zero is named, a spread below
			if _, named := multiplicities[0]; named {
				values = append(values, -rng.Float64())
			} else {
				values = append(values, 0)
			}
		}
		slices.Sort(values)
		slices.Reverse(values)
		a := symmetric(q, values)
		for _, k := range []int{1, 3, 6, 12, n} {
			pairs, err := Lanczos{K: k}.Solve(n, multiplyBy(a))
			require.NoError(t, err, name)
			requireEigenpairs(t, a, pairs, 5)
			require.InDeltaSlice(t, values[:k], pairs.Values, 1e-10, "%s, k = %d", name, k)
		}
	}
}

// oscillator is the finite-difference Hamiltonian −½ d²/dx² + ½x² on points x_i = (i − (n−1)/2) h, i = 0…n−1.
func oscillator(n int, h float64) func(dst, src []float64) {
	return func(dst, src []float64) {
		for i, v := range src {
			x := (float64(i) - float64(n-1)/2) * h
			dst[i] = v/(h*h) + x*x/2*v
			if i > 0 {
				dst[i] -= src[i-1] / (2 * h * h)
			}
			if i < n-1 {
				dst[i] -= src[i+1] / (2 * h * h)
			}
		}
	}
}

// The energies are j + ½, less (2j² + 2j + 1) h²/32: the differences are −½p² + h²p⁴/24 in the negative, and ⟨p⁴⟩ of
// state j is ¾(2j² + 2j + 1). What is left falls as h⁴.
func TestLanczosOnTheOscillator(t *testing.T) {
	const k, reach = 6, 8.
	left := func(n int) []float64 {
		h := 2 * reach / float64(n-1)
		pairs := testkit.Must(Lanczos{K: k, Smallest: true}.Solve(n, oscillator(n, h)))
		rest := make([]float64, k)
		for j, energy := range pairs.Values {
			level := float64(j)
			rest[j] = math.Abs(energy - (level + 0.5) + (2*level*level+2*level+1)*h*h/32)
		}
		return rest
	}
	coarse, fine := left(101), left(201)
	for j := range k {
		assert.InDelta(t, 4, math.Log2(coarse[j]/fine[j]), 0.1, "order of convergence in h of state %d", j)
	}
	assert.Less(t, floats.Max(fine), 1e-4)
}

// In two dimensions the energies are sums of those in one: every state with two different numbers has a twin.
func TestLanczosOnTheOscillatorInTwoDimensions(t *testing.T) {
	const n, h, k = 41, 0.3, 15
	line := oscillator(n, h)
	one := testkit.Must(Lanczos{K: k, Smallest: true}.Solve(n, line))
	var want []float64
	for _, a := range one.Values {
		for _, b := range one.Values {
			want = append(want, a+b)
		}
	}
	slices.Sort(want)

	column, image := make([]float64, n), make([]float64, n)
	plane := func(dst, src []float64) {
		for row := range n {
			line(dst[row*n:(row+1)*n], src[row*n:(row+1)*n])
		}
		for c := range n {
			for row := range n {
				column[row] = src[row*n+c]
			}
			line(image, column)
			for row := range n {
				dst[row*n+c] += image[row]
			}
		}
	}
	pairs := testkit.Must(Lanczos{K: k, Smallest: true}.Solve(n*n, plane))
	assert.InDeltaSlice(t, want[:k], pairs.Values, 1e-10*pairs.Radius)
	// Of the three states of energy near 3, (1, 1) is less lowered by the differences, by h²/4, than the twins (0, 2).
	assert.Equal(t, []Eigenspace{{0, 1}, {1, 3}, {3, 5}, {5, 6}, {6, 8}, {8, 10}}, pairs.Truth().Eigenspaces()[:6])
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
	pairs := testkit.Must(Lanczos{K: 4, Smallest: true}.Solve(30, oscillator(30, 0.4)))
	truth := pairs.Truth()
	for i, value := range pairs.Values {
		assert.Equal(t, -value, truth.Values[i])
	}
	assert.Len(t, truth.Eigenspaces(), 4)
	assert.Equal(t, DegeneracyTolerance*pairs.Radius, truth.Tolerance)
}
