package theory

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// PowerLaw fits y ∝ xˢ to positive numbers, by least squares in the logarithms, and returns s.
func PowerLaw(x, y []float64) (s float64) {
	_, s = stat.LinearRegression(logarithms(x), logarithms(y), nil, false)
	return s
}

// DecayRate fits y ∝ e^{−rt} to positive y, by least squares in the logarithm, and returns r.
func DecayRate(t, y []float64) (r float64) {
	_, slope := stat.LinearRegression(t, logarithms(y), nil, false)
	return -slope
}

func logarithms(x []float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = math.Log(v)
	}
	return y
}
