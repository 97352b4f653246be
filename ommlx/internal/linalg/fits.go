package linalg

import (
	"math"
	"slices"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// FitPower fits y ∝ xˢ to positive numbers by least squares in the logarithms and returns s.
func FitPower(x, y []float64) float64 { return -FitDecay(xslices.Map(x, math.Log), y) }

// FitDecay fits y ∝ e^{−rt} to positive y by least squares in the logarithm and returns r.
func FitDecay(t, y []float64) (r float64) {
	_, slope := stat.LinearRegression(t, xslices.Map(y, math.Log), nil, false)
	return -slope
}

// Median returns the median of at least one number, of an even count the lower one in the middle.
func Median(x []float64) float64 {
	return stat.Quantile(0.5, stat.Empirical, slices.Sorted(slices.Values(x)), nil)
}

// EffectiveCount returns the number of n samples with weights, (Σw)²/Σw², or n if weights is nil.
func EffectiveCount(n int, weights []float64) float64 {
	if weights == nil {
		return float64(n)
	}
	return math.Pow(floats.Sum(weights), 2) / floats.Dot(weights, weights)
}

// FitShape fits a constant plus a change times a shape, which rises from 0 to 1, to y by least squares. It returns the
// change, its size in standard errors, and the correlation of successive residuals.
func FitShape(y, shape []float64) (change, errors, related float64) {
	first, change := stat.LinearRegression(shape, y, nil, false)
	n, rest := float64(len(y)), slices.Clone(y)
	floats.AddConst(-first, rest)
	floats.AddScaled(rest, -change, shape)
	squares := floats.Dot(rest, rest) + 1e-24
	c := floats.Dot(rest[1:], rest[:len(rest)-1]) / squares
	c = max(0, c+(2+4*c)/n) // the fit lowers it
	variance := squares / (n - 2) * (1 + c) / (1 - c) / (n * stat.PopVariance(shape, nil))
	return change, math.Abs(change) / math.Sqrt(variance), c
}

// Ranks returns the ranks of numbers, with mean 0 and a variance of about 1. Equal numbers have equal ranks.
func Ranks(x []float64) []float64 {
	sorted, n := slices.Sorted(slices.Values(x)), float64(len(x))
	return xslices.Map(x, func(v float64) float64 {
		first, _ := slices.BinarySearch(sorted, v)
		last, _ := slices.BinarySearch(sorted, math.Nextafter(v, math.Inf(1)))
		return math.Sqrt(12) * (float64(first+last)/(2*n) - 0.5)
	})
}

// Standardise returns (x − mean)/deviation for samples with weights, or nil, and zeros if the deviation is 0.
func Standardise(x, weights []float64) []float64 {
	mean, deviation := stat.PopMeanStdDev(x, weights)
	x = slices.Clone(x)
	if floats.AddConst(-mean, x); deviation > 0 {
		floats.Scale(1/deviation, x)
	}
	return x
}
