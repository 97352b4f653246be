package learn_test

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// sine is that of the angle between two vectors.
func sine(a, b mat.Vector) float64 {
	cosine := mat.Dot(a, b) / (mat.Norm(a, 2) * mat.Norm(b, 2))
	return math.Sqrt(1 - cosine*cosine)
}
