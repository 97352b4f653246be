package images

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/spectral"
)

// pairs returns 80 pairs of views with the joint distribution, its eigenvalues, descending, and its eigenfunctions,
// [5, 5], of norm 1 under p(t).
func (l viewDistribution) pairs(t *testing.T) (pairs [][2]int, values []float64, functions *mat.Dense) {
	t.Helper()
	whitened := mat.NewSymDense(5, nil)
	for i := range 5 {
		for j := range 5 {
			whitened.SetSym(min(i, j), max(i, j), l.joint.At(i, j)/math.Sqrt(l.p[i]*l.p[j]))
			for range int(math.Round(80 * l.joint.At(i, j))) {
				pairs = append(pairs, [2]int{i, j})
			}
		}
	}
	truth := testkit.Must(spectral.SymEigen(whitened))
	functions = mat.DenseCopyOf(truth.Vectors)
	functions.Apply(func(i, _ int, v float64) float64 { return v / math.Sqrt(l.p[i]) }, functions)
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

// An eigenfunction counts as alive if its squared norm μ is large enough and views share it.
func TestModesAlive(t *testing.T) {
	pairs, values, functions := newViewDistribution().pairs(t)
	chance := 3 / math.Sqrt(float64(len(pairs)))
	require.Greater(t, values[2], chance)
	require.Less(t, values[3], chance)
	spent := []float64{1, 0.005, 0.3, 0.5, 0.2} // the second is too small; views hardly share the last two
	roots := make([]float64, 5)
	for i, mu := range spent {
		roots[i] = math.Sqrt(mu)
	}
	// A rotation of the features and three that are zero change nothing.
	var turned mat.Dense
	turned.Product(functions, mat.NewDiagDense(5, roots),
		linalg.RandomOrthonormal(rand.New(rand.NewPCG(32, 0)), 8, 5).T())
	first, second := onPairs(pairs, &turned)
	s := testkit.Must(spectrumOf(first, second))
	assert.InDeltaSlice(t, []float64{1, 0.5, 0.3, 0.2, 0.005, 0, 0, 0}, s.Spent, 1e-12)
	assert.InDeltaSlice(t, []float64{values[0], values[3], values[2], values[4], values[1]}, s.Quotients, 1e-10)
	assert.Equal(t, 2, s.Alive)
}

func TestViewsThatShareNothingHaveNoModes(t *testing.T) {
	const n, k = 4000, 80
	rng := rand.New(rand.NewPCG(33, 0))
	s := testkit.Must(spectrumOf(linalg.RandomGaussian(rng, n, k), linalg.RandomGaussian(rng, n, k)))
	require.Len(t, s.Quotients, k)
	assert.LessOrEqual(t, s.Alive, 1) // one in 740 by chance
}

func TestFeaturesWithoutASpectrum(t *testing.T) {
	zero := mat.NewDense(3, 2, nil)
	for _, bad := range []float64{0, math.NaN(), math.Inf(1)} {
		_, err := spectrumOf(zero, mat.NewDense(3, 2, []float64{0, 0, 0, bad, 0, 0}))
		require.ErrorContains(t, err, "mean square")
	}
}
