package images

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/verify"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/spectral"
)

// pairsOfViews returns 80 pairs of five views with the joint distribution p(t₁,t₂) = Σ_x p(x) p(t₁|x) p(t₂|x), its
// eigenvalues, descending, and its eigenfunctions, [5, 5], of norm 1 under p(t).
func pairsOfViews(t *testing.T) (pairs [][2]int, values []float64, functions *mat.Dense) {
	t.Helper()
	given := mat.NewDense(5, 5, []float64{ // 4 p(t|x) in row x
		4, 0, 0, 0, 0,
		0, 3, 1, 0, 0,
		0, 1, 2, 1, 0,
		0, 0, 1, 2, 1,
		1, 0, 0, 1, 2,
	})
	var counts mat.Dense
	counts.Mul(given.T(), given)
	total := make([]float64, 5)
	for i := range 5 {
		total[i] = floats.Sum(mat.Row(nil, i, &counts))
		for j := range 5 {
			for range int(counts.At(i, j)) {
				pairs = append(pairs, [2]int{i, j})
			}
		}
	}
	whitened := mat.NewSymDense(5, nil)
	for i := range 5 {
		for j := range i + 1 {
			whitened.SetSym(i, j, counts.At(i, j)/math.Sqrt(total[i]*total[j]))
		}
	}
	truth := testkit.Must(spectral.SymEigen(whitened))
	functions = mat.DenseCopyOf(truth.Vectors)
	functions.Apply(func(i, _ int, v float64) float64 { return v / math.Sqrt(total[i]/80) }, functions)
	return pairs, truth.Values, functions
}

// onPairs evaluates a table of functions [5, k] on the first and second views.
func onPairs(pairs [][2]int, table *mat.Dense) (first, second *mat.Dense) {
	_, k := table.Dims()
	first, second = mat.NewDense(len(pairs), k, nil), mat.NewDense(len(pairs), k, nil)
	for n, pair := range pairs {
		first.SetRow(n, table.RawRowView(pair[0]))
		second.SetRow(n, table.RawRowView(pair[1]))
	}
	return first, second
}

// In any basis of features the values are the eigenvalues of the distribution, also if features are dependent or zero.
func TestViewsOfKnownDistribution(t *testing.T) {
	pairs, values, _ := pairsOfViews(t)
	require.InDelta(t, 1, values[0], 1e-14, "the constant")
	rng := rand.New(rand.NewPCG(31, 0))
	for _, k := range []int{5, 8} { // M[f] of eight features has rank 5
		table := verify.Gaussian(rng, 5, k)
		if k > 5 {
			table.SetCol(2, make([]float64, 5))
		}
		first, second := onPairs(pairs, table)
		s := testkit.Must(Views(first, second))
		assert.InDeltaSlice(t, values, s.Values, 1e-9)
		require.Len(t, s.Spent, k)
		size := 0.0
		for _, view := range []*mat.Dense{first, second} {
			norm := mat.Norm(view, 2)
			size += norm * norm / float64(2*len(pairs))
		}
		assert.InDelta(t, size, floats.Sum(s.Spent), 1e-12, "the mean of |f|²")
		assert.Len(t, s.Quotients, 5)
		exchanged := testkit.Must(Views(second, first))
		assert.InDeltaSlice(t, s.Values, exchanged.Values, 1e-12)
	}
}

// An eigenfunction counts as alive if its squared norm μ is large enough and views share it.
func TestModesAlive(t *testing.T) {
	pairs, values, functions := pairsOfViews(t)
	chance := 3 / math.Sqrt(float64(len(pairs)))
	require.Greater(t, values[2], chance)
	require.Less(t, values[3], chance)
	spent := []float64{1, 0.005, 0.3, 0.5, 0.2} // the second is too small; views hardly share the last two
	roots := make([]float64, 5)
	for i, mu := range spent {
		roots[i] = math.Sqrt(mu)
	}
	// A rotation of the features changes nothing.
	turned := new(mat.Dense)
	turned.Mul(scaled(functions, roots...), verify.Orthonormal(rand.New(rand.NewPCG(32, 0)), 5, 5))
	first, second := onPairs(pairs, turned)
	s := testkit.Must(Views(first, second))
	assert.InDeltaSlice(t, []float64{1, 0.5, 0.3, 0.2, 0.005}, s.Spent, 1e-12)
	assert.InDeltaSlice(t, []float64{values[0], values[3], values[2], values[4], values[1]}, s.Quotients, 1e-10)
	assert.InDeltaSlice(t, values, s.Values, 1e-10)
	assert.Equal(t, 2, s.Alive)
}

func TestViewsThatShareNothing(t *testing.T) {
	const n, k = 4000, 80
	rng := rand.New(rand.NewPCG(33, 0))
	s := testkit.Must(Views(verify.Gaussian(rng, n, k), verify.Gaussian(rng, n, k)))
	edge := math.Sqrt(2 * k / float64(n) * (1 - k/float64(2*n)))
	assert.InEpsilon(t, edge, s.Values[0], 0.1)
	assert.InEpsilon(t, edge, -s.Values[k-1], 0.1)
	assert.LessOrEqual(t, s.Alive, 1) // one in 740 by chance
}

func TestViewsValuesAreCorrelations(t *testing.T) {
	rng := rand.New(rand.NewPCG(34, 0))
	for range 20 {
		s := testkit.Must(Views(verify.Gaussian(rng, 6, 4), verify.Gaussian(rng, 6, 4)))
		assert.LessOrEqual(t, s.Values[0], 1+1e-9)
		assert.GreaterOrEqual(t, s.Values[3], -1-1e-9)
	}
	f := mat.NewDense(2, 2, []float64{1, 0, 0, 1})
	s := testkit.Must(Views(f, scaled(f, 1, -1)))
	assert.InDeltaSlice(t, []float64{1, -1}, s.Values, 1e-14)
}

func TestViewsRejectsInvalidFeatures(t *testing.T) {
	f := mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6})
	for word, second := range map[string]*mat.Dense{"3×1": mat.NewDense(3, 1, nil),
		"NaN": mat.NewDense(3, 2, []float64{1, 2, 3, math.NaN(), 5, 6})} {
		_, err := Views(f, second)
		require.ErrorContains(t, err, word)
	}
	_, err := Views(mat.NewDense(3, 2, nil), mat.NewDense(3, 2, nil))
	require.ErrorContains(t, err, "zero")
}

func scaled(f *mat.Dense, factors ...float64) *mat.Dense {
	var all mat.Dense
	all.Mul(f, mat.NewDiagDense(len(factors), factors))
	return &all
}
