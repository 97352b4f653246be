package spectral

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"omm-go/ommlx/internal/testkit"
)

// Gram–Schmidt undoes a triangular mixture of orthonormal functions.
func TestPropertyGramSchmidt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := learnings().Draw(t, "learning")
		_, k := l.learned.Dims()
		require.True(t, mat.EqualApprox(identity(k), testkit.Must(GramSchmidt(l.learned, l.weights)), 1e-12))
		mixture := mat.NewTriDense(k, mat.Upper, nil) // with a positive diagonal, so that C is its inverse
		for i := range k {
			for j := i; j < k; j++ {
				mixture.SetTri(i, j, 0.3*l.rng.NormFloat64()/math.Sqrt(float64(k)))
			}
			mixture.SetTri(i, i, 0.5+l.rng.Float64())
		}
		var f, product mat.Dense
		f.Mul(l.learned, mixture)
		product.Mul(mixture, testkit.Must(GramSchmidt(&f, l.weights)))
		require.True(t, mat.EqualApprox(identity(k), &product, 1e-9))
	})
}
