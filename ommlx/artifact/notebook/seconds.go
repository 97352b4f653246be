package notebook

import (
	"math"
	"time"
)

// Seconds calls fn repeatedly for at least 0.2 s and returns the shortest time of a call, in seconds.
func Seconds(fn func()) float64 {
	best := math.Inf(1)
	for total := 0.; total < 0.2; {
		start := time.Now()
		fn()
		took := time.Since(start).Seconds()
		best, total = min(best, took), total+took
	}
	return best
}
