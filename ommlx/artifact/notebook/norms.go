package notebook

import (
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/linalg"
)

// SquaredNorms returns the squared norms of the columns of V.
func SquaredNorms(v mat.Matrix) (mu []float64) {
	gram := linalg.Gram(v)
	_, k := v.Dims()
	for i := range k {
		mu = append(mu, gram.At(i, i))
	}
	return mu
}
