package notebook

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/verify"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/spectral"
)

// Where μ_i > 0 the slope of every mode is at the same level, and lower where μ_i = 0.
func TestWaterFilling(t *testing.T) {
	values := []float64{1, 0.7, 0.7, 0.2, 0.01}
	for p, orders := range [][]float64{{1}, {0, 1}, {0, 0, 1}} {
		mu := WaterFilling(values, orders, 1)
		assert.InDelta(t, 1, floats.Sum(mu), 1e-9)
		level := math.Pow(1-mu[0], float64(2*p+1))
		for i, l := range values {
			slope := l * math.Pow(1-mu[i], float64(2*p+1))
			if mu[i] > 1e-9 {
				assert.InDelta(t, level, slope, 1e-9)
			} else {
				assert.LessOrEqual(t, slope, level)
			}
		}
	}
	assert.Zero(t, WaterFilling(values, []float64{1}, 1)[3])
	assert.InDelta(t, 1, floats.Sum(WaterFilling(values, []float64{0.5, 0.5}, 1)), 1e-9)
	assert.InDelta(t, 1, WaterFilling(values, []float64{1}, 5)[4], 1e-9, "there is room for all")
}

// The views of a torus are reversible, with a uniform law, and its eigenfunctions come in groups of 1, 4, 4, … Features
// that are eigenfunctions spend 1 on each.
func TestTorus(t *testing.T) {
	pairs, inputs := Torus(6, 1)
	for i := range 36 {
		assert.InDelta(t, 1.0/36, floats.Sum(mat.Row(nil, i, pairs)), 1e-12)
		assert.InDelta(t, 2, math.Pow(floats.Norm(mat.Row(nil, i, inputs), 2), 2), 1e-12)
	}
	truth := testkit.Must(spectral.SymEigen(spectral.SymmetricPart(linalg.Scaled(36, pairs))))
	spaces := truth.Eigenspaces()
	assert.Equal(t, []int{1, 4, 4}, []int{spaces[0].Dim(), spaces[1].Dim(), spaces[2].Dim()})
	f := linalg.Scaled(6, linalg.Columns(truth.Vectors, 0, 5))
	mu, share := Spent(truth, f)
	assert.InDeltaSlice(t, []float64{1, 1, 1, 1, 1}, mu, 1e-9)
	assert.InDelta(t, 1, share, 1e-3)
	mu, share = Spent(truth, linalg.Product(f, mat.NewDiagDense(5, []float64{1, 2, 0, 0, 0})))
	assert.InDeltaSlice(t, []float64{1, 1, 1, 1, 1}, mu, 1e-9, "the mean over an eigenspace")
	assert.InDelta(t, 0.4, share, 0.02, "two of five")
}

// Descent on OMM-1 along an eigenvector reaches 1; too large steps run away. The least median wins.
func TestFastest(t *testing.T) {
	a, start := mat.NewDense(1, 1, []float64{1}), mat.NewDense(1, 1, []float64{0.5})
	near := func(v *mat.Dense) bool { return math.Abs(v.At(0, 0)-1) < 1e-6 }
	least, best := Fastest([]float64{0.01, 0.1, 3}, func(eta float64, _ int) []float64 {
		return Steps(verify.OMM([]float64{1}), start, a, eta, 500, near, func(*mat.Dense) bool { return false })
	})
	assert.Equal(t, 0.1, best[0])
	assert.Less(t, least[0], 100.)
	assert.True(t, math.IsInf(least[1], 1), "no descent has the second goal")
	assert.True(t, math.IsInf(Steps(verify.OMM([]float64{1}), start, a, 3, 500, near)[0], 1))
	adam := Steps(Adam(verify.OMM([]float64{1})), start, a, 0.02, 500, near)[0]
	assert.True(t, adam > 5 && adam < 500, "%g", adam)
}

// A batch turns a space by about 1/B, and less by the part that is proportional to the gap.
func TestBatchAngle(t *testing.T) {
	values := []float64{1, 0.9, 0.8, 0.1}
	w := linalg.OrthonormalBasis(mat.NewDense(4, 4, []float64{1, 2, 0, 1, 0, 1, 3, 1, 2, 0, 1, 1, 1, 1, 0, 3}))
	angle := func(size int, gapped bool) float64 { return BatchAngle(values, w, 2, size, gapped) }
	assert.InDelta(t, 10, angle(1e5, false)/angle(1e6, false), 1e-3)
	assert.Less(t, angle(1e5, true), angle(1e5, false))
}

func TestSquaredNorms(t *testing.T) {
	assert.InDeltaSlice(t, []float64{25, 5}, SquaredNorms(mat.NewDense(2, 2, []float64{3, 1, 4, 2})), 1e-12)
}
