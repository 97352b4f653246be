package progress

import "time"

// Timed is a line of progress with the time left.
type Timed struct {
	Line

	began time.Time // of the first call
	first float64   // the fraction that was done then
}

// Show writes how far the job is, as [Line.Show] does, with what is done now and the time left, estimated from what
// was done since the first call. The fraction, in [0, 1], is of the whole job.
func (t *Timed) Show(what string, fraction float64) {
	if t.began.IsZero() {
		t.began, t.first = time.Now(), fraction
	}
	t.Line.Show(fraction, func() string {
		did := fraction - t.first
		if did <= 0 {
			return what
		}
		left := time.Duration(float64(time.Since(t.began)) * (1 - fraction) / did)
		return what + "  left " + (left + time.Second).Truncate(time.Second).String()
	})
}
