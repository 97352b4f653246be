package say

import (
	"fmt"
	"math"
	"time"
)

// Settling is how long a job must be observed before its time left is told: its first pieces may be slower than the
// others.
const Settling = 3 * time.Second

// Timed is a line of progress with the time left.
type Timed struct {
	Line

	began time.Time // of the first call
	first float64   // the fraction that was done then
}

// Show writes how far the job is, as [Line.Show] does, with what is done now and the time left, estimated from what
// was done since the first call, once that is [Settling] ago. The fraction, in [0, 1], is of the whole job.
func (t *Timed) Show(what string, fraction float64) {
	if t.began.IsZero() {
		t.began, t.first = time.Now(), fraction
	}
	t.Line.Show(fraction, false, func() string {
		did, took := fraction-t.first, time.Since(t.began)
		if did <= 0 || took < Settling {
			return what
		}
		return what + "  left " + Left(took.Seconds()*(1-fraction)/did)
	})
}

// Left writes a time left, in seconds, without digits that an estimate has not: 1m37s, 1h37m, 12 h, 491 days.
func Left(seconds float64) string {
	const minute, hour, day, most = 60, 3600, 86400, 1e6
	seconds = math.Ceil(seconds - 1e-6) // which is of rounding
	switch minutes := math.Round(seconds / minute); {
	case seconds < hour:
		return (time.Duration(seconds) * time.Second).String()
	case minutes < 600:
		return fmt.Sprintf("%dh%02dm", int(minutes)/60, int(minutes)%60)
	case seconds < 2*day:
		return fmt.Sprintf("%.0f h", seconds/hour)
	}
	return fmt.Sprintf("%.0f days", min(seconds/day, most))
}
