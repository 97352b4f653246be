package testkit

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// RequireLaw requires counts of outcomes to follow a distribution, by Pearson's χ² test with an error probability of
// 10⁻⁶ on either side. Outcomes of probability 0 must not occur; those with an expected count below 5 are merged.
func RequireLaw(t testing.TB, law, counts []float64, what string) {
	t.Helper()
	total := floats.Sum(counts)
	var seen, expected []float64
	var rarely, rare float64
	for i, p := range law {
		switch {
		case p == 0:
			require.Zero(t, counts[i], "%s: outcome %d is impossible", what, i)
		case p*total < 5:
			rarely, rare = rarely+counts[i], rare+p*total
		default:
			seen, expected = append(seen, counts[i]), append(expected, p*total)
		}
	}
	if rare > 0 {
		seen, expected = append(seen, rarely), append(expected, rare)
	}
	require.Greater(t, len(seen), 1, what)
	chi2, of := stat.ChiSquare(seen, expected), distuv.ChiSquared{K: float64(len(seen) - 1)}
	require.Less(t, chi2, of.Quantile(1-1e-6), "%s: χ² of %d outcomes", what, len(seen))
	require.Greater(t, chi2, of.Quantile(1e-6), "%s: χ² of %d outcomes", what, len(seen))
}

// Must returns the value, and panics if there is an error.
func Must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// Must2 is [Must] for two values.
func Must2[A, B any](a A, b B, err error) (A, B) {
	if err != nil {
		panic(err)
	}
	return a, b
}
