package theory

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Angles returns the angle of each column of V, d×k, to the column of its number of W, whose columns have length 1: in
// radians, from 0 to π/2 since signs do not count. Small angles keep their digits.
func Angles(v, w *mat.Dense) []float64 {
	_, k := v.Dims()
	angles := make([]float64, k)
	for i := range angles {
		vi, wi := mat.Col(nil, i, v), mat.Col(nil, i, w)
		along := floats.Dot(vi, wi)
		floats.AddScaled(vi, -along, wi)
		angles[i] = math.Atan2(floats.Norm(vi, 2), math.Abs(along))
	}
	return angles
}

// LargestSine returns the largest sine of an angle between a vector of the span of W's orthonormal columns and the span
// of V's columns; it is NaN where V is not finite.
func LargestSine(v, w *mat.Dense) float64 {
	if !finite(v) {
		return math.NaN()
	}
	q := Basis(v)
	return SingularValues(Combine(1, w, -1, Product(q, q.T(), w)))[0]
}
