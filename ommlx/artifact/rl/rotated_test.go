package rl

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/spectral"
)

// Two columns that repeat u_1 of a two-dimensional space score 0 for u_2, unlike in CosineSimilarity. For an
// orthonormal pair tilted out of the space, the first score is the cosine of u_1 and its projection. If k cuts through
// the space, only u_1 counts.
func TestRotatedCosineSimilarityByHand(t *testing.T) {
	diagonal := []float64{2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0}
	truth := testkit.Must(spectral.SymEigen(mat.NewSymDense(4, diagonal)))
	u := truth.Vectors
	repeated := mat.NewDense(4, 2, nil)
	for i := range 4 {
		repeated.SetRow(i, []float64{u.At(i, 0), 2 * u.At(i, 0)})
	}
	got, _ := testkit.Must2(rotatedCosineSimilarity(truth, repeated))
	assert.InDeltaSlice(t, []float64{1, 0}, got, 1e-12)
	ours, _ := testkit.Must2(spectral.CosineSimilarity(truth, repeated))
	assert.InDeltaSlice(t, []float64{1, 1}, ours, 1e-12)

	const angle = 0.4
	tilted := mat.NewDense(4, 2, nil)
	for i := range 4 {
		tilted.SetRow(i, []float64{math.Cos(angle)*u.At(i, 0) + math.Sin(angle)*u.At(i, 2), u.At(i, 1)})
	}
	var turned mat.Dense
	turned.Mul(tilted, mat.NewDense(2, 2, []float64{0.6, -0.8, 0.8, 0.6}))
	got, _ = testkit.Must2(rotatedCosineSimilarity(truth, &turned))
	assert.InDeltaSlice(t, []float64{math.Cos(angle), 1}, got, 1e-12)

	cut, _ := testkit.Must2(rotatedCosineSimilarity(truth, mat.DenseCopyOf(u.Slice(0, 4, 1, 2)))) // u_2 only
	assert.InDeltaSlice(t, []float64{0}, cut, 1e-12)
	simple := testkit.Must(spectral.SymEigen(mat.NewDiagDense(4, []float64{5, 4, 3, 2})))
	learned := mat.NewDense(4, 3, []float64{3, 1, 0, 4, 1, 0, 0, 1, 0, 0, 1, 0})
	want, _ := testkit.Must2(spectral.CosineSimilarity(simple, learned))
	got, _ = testkit.Must2(rotatedCosineSimilarity(simple, learned))
	assert.InDeltaSlice(t, want, got, 1e-14)
}
