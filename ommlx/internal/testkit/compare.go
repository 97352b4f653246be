package testkit

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/linalg"
)

// Compare benchmarks ours and the alternative in turns, so that other load affects both. It reports the median of each
// in milliseconds and the median ratio.
func Compare(b *testing.B, ours, alternative func() error) {
	b.Helper()
	seconds := func(work func() error) float64 {
		began := time.Now()
		require.NoError(b, work())
		return time.Since(began).Seconds()
	}
	var mine, theirs, ratios []float64
	for b.Loop() {
		m, t := seconds(ours), seconds(alternative)
		mine, theirs, ratios = append(mine, m), append(theirs, t), append(ratios, m/t)
	}
	b.ReportMetric(0, "ns/op") // of both together
	b.ReportMetric(1e3*linalg.Median(mine), "ms")
	b.ReportMetric(1e3*linalg.Median(theirs), "alternative-ms")
	b.ReportMetric(linalg.Median(ratios), "ratio")
}
