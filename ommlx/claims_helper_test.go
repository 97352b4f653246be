package ommlx_test

import (
	"math"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// measure is the method Printed or Corrected of a claims.Record.
type measure func(what string, deviation, tolerance float64)

// within records a deviation, which must not be above the tolerance.
func within(t require.TestingT, record measure, what string, deviation, tolerance float64) {
	record(what, deviation, tolerance)
	require.LessOrEqual(t, deviation, tolerance, what)
}

// beyond records the deviation that a counterexample has from a printed statement: it must be above the tolerance.
func beyond(t require.TestingT, record measure, what string, deviation, tolerance float64) {
	record(what, deviation, tolerance)
	require.Greater(t, deviation, tolerance, what)
}

// every records for several claims at once.
func every(records ...measure) measure {
	return func(what string, deviation, tolerance float64) {
		for _, record := range records {
			record(what, deviation, tolerance)
		}
	}
}

// difference is |want − got| relative to 1 + |want|, matrixDifference likewise in the Frobenius norm, and arrayDifference
// that of the entries relative to the largest one wanted.
func difference(want, got float64) float64 { return math.Abs(want-got) / (1 + math.Abs(want)) }

func matrixDifference(want, got mat.Matrix) float64 {
	return mat.Norm(combine(1, want, -1, got), 2) / (1 + mat.Norm(want, 2))
}

func arrayDifference(want, got array) float64 {
	scale, largest := 1e-3, 0.0
	for i, v := range want.Data {
		scale = max(scale, math.Abs(v))
		largest = max(largest, math.Abs(v-got.Data[i])) // max keeps NaN
	}
	return largest / scale
}

// excess is how far x is above a bound.
func excess(x, bound float64) float64 { return max(0, x-bound) }
