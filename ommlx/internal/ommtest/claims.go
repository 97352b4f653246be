package ommtest

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/internal/testkit"
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

// Protocol records how many of the paper's sentences on a protocol our configuration does not follow, and fails the
// test if there is one. Where the paper's source is beside the checkout it has those words, but for line breaks.
func Protocol(t *testing.T, claim *claims.Record, follows map[string]bool) {
	t.Helper()
	source := strings.Join(strings.Fields(testkit.PaperIfThere(t)), " ")
	not := 0
	for _, words := range slices.Sorted(maps.Keys(follows)) {
		if source != "" {
			require.Contains(t, source, words)
		}
		if !follows[words] {
			not++
			t.Errorf("the configuration of the paper profile is not %q", words)
		}
	}
	claim.Corrected("sentences of the printed protocol that the configuration does not follow", float64(not), 0)
	claim.Note("%d sentences of the paper", len(follows))
}
