package spectral

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// turnedWithin returns the truth with every eigenspace of the degenerate example rotated, scaled and reflected.
func turnedWithin(truth Truth, rng *rand.Rand) *mat.Dense {
	n, _ := truth.Vectors.Dims()
	learned := mat.NewDense(n, n, nil)
	for _, space := range truth.Eigenspaces() {
		var turned mat.Dense
		turned.Mul(columns(truth.Vectors, space.First, space.End), randomOrthogonal(rng, space.Dim()))
		turned.Scale(-3, &turned)
		learned.Slice(0, n, space.First, space.End).(*mat.Dense).Copy(&turned)
	}
	return learned
}

// A rotation within whole eigenspaces costs nothing; where k cuts one, what is compared is a matter of the basis.
func TestRotatedCosineSimilaritySeesWholeEigenspacesOnly(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 0))
	truth := degenerate(t, rng) // spaces {0}, {1,2,3}, {4}, {5,6}, {7}
	learned := turnedWithin(truth, rng)
	perMode, mean, err := RotatedCosineSimilarity(truth, learned)
	require.NoError(t, err)
	assert.InDelta(t, 1, mean, 1e-12)
	assert.Len(t, perMode, 8)

	cut, _, err := RotatedCosineSimilarity(truth, columns(learned, 0, 6))
	require.NoError(t, err)
	require.Len(t, cut, 6)
	f, v := learned.ColView(5), truth.Vectors.ColView(5)
	assert.InDelta(t, math.Abs(mat.Dot(v, f))/mat.Norm(f, 2), cut[5], 1e-12)
	assert.Less(t, cut[5], 0.999)
	ours, _, err := CosineSimilarity(truth, columns(learned, 0, 6))
	require.NoError(t, err)
	assert.InDelta(t, 1, ours[5], 1e-12, "ours takes the whole space")
}

// Simple eigenvalues are judged alike, whatever the functions are.
func TestRotatedCosineSimilarityOfSimpleEigenvalues(t *testing.T) {
	rng := rand.New(rand.NewPCG(22, 0))
	truth, err := SymEigen(symmetric(randomOrthogonal(rng, 5), []float64{5, 4, 3, 2, 1}))
	require.NoError(t, err)
	learned := mat.NewDense(5, 4, nil)
	for i := range 5 {
		for j := range 4 {
			learned.Set(i, j, rng.NormFloat64())
		}
	}
	learned.SetCol(2, make([]float64, 5))
	learned.Set(1, 3, math.NaN())
	want, average, err := CosineSimilarity(truth, learned)
	require.NoError(t, err)
	got, mean, err := RotatedCosineSimilarity(truth, learned)
	require.NoError(t, err)
	assert.InDeltaSlice(t, want, got, 1e-14)
	assert.InDelta(t, average, mean, 1e-14)
	assert.Zero(t, got[2], "a zero column")
	assert.Zero(t, got[3], "a column that is not finite")
}

// Two columns that repeat one direction u_1 of a two-dimensional space leave nothing for u_2. CosineSimilarity, which
// judges each on its own, does not mind. Of an orthonormal pair that is tilted out of the space, the first score is
// that of the projection of u_1 onto it.
func TestRotatedCosineSimilarityByHand(t *testing.T) {
	truth, err := SymEigen(mat.NewSymDense(4, []float64{2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0}))
	require.NoError(t, err)
	u := truth.Vectors
	repeated := mat.NewDense(4, 2, nil)
	for i := range 4 {
		repeated.SetRow(i, []float64{u.At(i, 0), 2 * u.At(i, 0)})
	}
	got, _, err := RotatedCosineSimilarity(truth, repeated)
	require.NoError(t, err)
	assert.InDeltaSlice(t, []float64{1, 0}, got, 1e-12)
	ours, _, err := CosineSimilarity(truth, repeated)
	require.NoError(t, err)
	assert.InDeltaSlice(t, []float64{1, 1}, ours, 1e-12)

	const angle = 0.4
	tilted := mat.NewDense(4, 2, nil)
	for i := range 4 {
		tilted.SetRow(i, []float64{math.Cos(angle)*u.At(i, 0) + math.Sin(angle)*u.At(i, 2), u.At(i, 1)})
	}
	var turned mat.Dense
	turned.Mul(tilted, mat.NewDense(2, 2, []float64{0.6, -0.8, 0.8, 0.6}))
	got, _, err = RotatedCosineSimilarity(truth, &turned)
	require.NoError(t, err)
	assert.InDeltaSlice(t, []float64{math.Cos(angle), 1}, got, 1e-12)
}

func TestRotatedCosineSimilarityRefusesOtherShapes(t *testing.T) {
	truth := degenerate(t, rand.New(rand.NewPCG(23, 0)))
	_, _, err := RotatedCosineSimilarity(truth, mat.NewDense(3, 2, nil))
	assert.ErrorContains(t, err, "3×2")
	_, _, err = RotatedCosineSimilarity(truth, nil)
	assert.ErrorContains(t, err, "got none")
}
