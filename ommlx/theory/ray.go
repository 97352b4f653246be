package theory

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// JointEquationRay returns V, 2×2, for A = diag(1, 1/q) and uniform joint nesting of two functions, m = (1, ½): the
// equation printed in section 2.3.1, read literally ([operator-omm/ommlx.JointEquation]), falls along sV as −s⁴ for
// every q > 4,614. Rows of V are (cos θ, sin θ) and t (cos θ, −sin θ) with tan²θ = √2, and the t that is worst.
func JointEquationRay(q float64) *mat.Dense {
	square := func(x float64) float64 { return x * x }
	theta := math.Atan(math.Pow(2, 0.25))
	cos, sin := math.Cos(theta), math.Sin(theta)
	inner, weighted, weight := math.Cos(2*theta), square(cos)-square(sin)/2, square(cos)+square(sin)/2
	t := math.Sqrt(-(q + 1) * inner * weighted / (2 * weight))
	return mat.NewDense(2, 2, []float64{cos, sin, t * cos, -t * sin})
}
