package testkit

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"
)

// Compare benchmarks ours and the alternative in turns, so that other load affects both. Both return the measured time.
// It reports the median of each in milliseconds and the median ratio.
func Compare(b *testing.B, ours, alternative func() (time.Duration, error)) {
	b.Helper()
	var mine, theirs, ratios []float64
	for b.Loop() {
		m, err := ours()
		require.NoError(b, err)
		t, err := alternative()
		require.NoError(b, err)
		mine, theirs = append(mine, m.Seconds()), append(theirs, t.Seconds())
		ratios = append(ratios, m.Seconds()/t.Seconds())
	}
	b.ReportMetric(0, "ns/op") // of both together
	b.ReportMetric(1e3*median(mine), "ms")
	b.ReportMetric(1e3*median(theirs), "alternative-ms")
	b.ReportMetric(median(ratios), "ratio")
}

// Repeated returns a function for [Compare] that does work n times and returns the mean time.
func Repeated(n int, work func() error) func() (time.Duration, error) {
	return func() (time.Duration, error) {
		began := time.Now()
		for range n {
			if err := work(); err != nil {
				return 0, err
			}
		}
		return time.Since(began) / time.Duration(n), nil
	}
}

// median returns the median of at least one number, of an even count the lower one in the middle.
func median(x []float64) float64 {
	return stat.Quantile(0.5, stat.Empirical, slices.Sorted(slices.Values(x)), nil)
}
