// Package claimtest records what a test measures of a claim, and fails the test if that is not as it ought to be.
package claimtest

import (
	"math"

	"github.com/stretchr/testify/require"
)

// Measure is the method Printed or Corrected of a claims.Record.
type Measure func(what string, deviation, tolerance float64)

// Within records a deviation, which must not be above the tolerance.
func Within(t require.TestingT, record Measure, what string, deviation, tolerance float64) {
	record(what, deviation, tolerance)
	require.LessOrEqual(t, deviation, tolerance, what)
}

// Beyond records the deviation that a counterexample has from a printed statement: it must be above the tolerance.
func Beyond(t require.TestingT, record Measure, what string, deviation, tolerance float64) {
	record(what, deviation, tolerance)
	require.Greater(t, deviation, tolerance, what)
}

// Every records for several claims at once.
func Every(records ...Measure) Measure {
	return func(what string, deviation, tolerance float64) {
		for _, record := range records {
			record(what, deviation, tolerance)
		}
	}
}

// Difference is |want − got| relative to 1 + |want|.
func Difference(want, got float64) float64 { return math.Abs(want-got) / (1 + math.Abs(want)) }

// Excess is how far x is above a bound.
func Excess(x, bound float64) float64 { return max(0, x-bound) }
