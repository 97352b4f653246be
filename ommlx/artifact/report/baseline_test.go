package report

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// A row counts as above a baseline by the spread of its runs and by the number of test samples.
func TestAboveBaselines(t *testing.T) {
	base := []Scored{{"low", Spread{50, math.NaN(), 1}}, {"high", Spread{80, 0, 3}}}
	rows := []Scored{{"near", Spread{83, 0, 3}}, {"far", Spread{90, 0, 3}}, {"wide", Spread{90, 20, 3}}}
	require.Equal(t, " Above the best baseline by a probe (high, 80.0) by more than two standard errors: far.",
		AboveBaselines("by a probe", rows, base, 252))
	require.Contains(t, AboveBaselines("", rows, base, 100_000), "errors: all methods but wide.")
	require.Contains(t, AboveBaselines("", rows[:1], base, 252), "errors: none of the methods.")
	require.Contains(t, AboveBaselines("", rows[1:2], base, 252), "errors: all methods.")
	require.Empty(t, AboveBaselines("", rows, nil, 252))
	require.InDelta(t, 1.9, StandardError(90, 252), 0.02)
}
