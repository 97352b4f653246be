package theory

import (
	"math"
)

// printed is a number of the paper with its printed standard deviation.
type printed struct{ mean, std float64 }

// sigmas returns how many standard deviations a is above b.
func (a printed) sigmas(b printed) float64 { return (a.mean - b.mean) / math.Hypot(a.std, b.std) }
