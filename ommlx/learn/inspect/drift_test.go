package inspect

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/gomlx/support/xslices"
	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
)

// stationary returns frames of x' = ρx + √(1−ρ²)n in equilibrium.
func stationary(rng *rand.Rand, frames int, rho float64) []float64 {
	return testkit.Autoregressive(rng, frames, rho).RawMatrix().Data
}

// plus adds a function of the frame.
func plus(x []float64, f func(t float64) float64) []float64 {
	x = slices.Clone(x)
	for t := range x {
		x[t] += f(float64(t))
	}
	return x
}

// of returns the pairs of trajectories with one coordinate at a lag of one frame.
func of(trajectories ...[]float64) Pairs {
	p := Pairs{Lag: 1}
	var from, to []float64
	for i, x := range trajectories {
		from, to = append(from, x[:len(x)-1]...), append(to, x[1:]...)
		p.Parts = append(p.Parts, Part{Trajectory: i, Pairs: len(x) - 1})
	}
	p.From, p.To = mat.NewDense(len(from), 1, from), mat.NewDense(len(to), 1, to)
	return p
}

// TestStationaryProcessesDoNotDrift: at most one in 400 data sets of a stationary process is reported, however long its
// memory is, at most one in 100 with heavy tails, and none whose mean changes between two values often.
func TestStationaryProcessesDoNotDrift(t *testing.T) {
	const draws = 200
	rng := rand.New(rand.NewPCG(1, 2))
	alarms := func(draw func() Pairs) (reported int) {
		for range draws {
			if draw().drift() != "" {
				reported++
			}
		}
		return reported
	}
	all := 0
	for _, rho := range []float64{0, 0.9, 0.99, 0.999, 0.99999, -0.9} {
		for _, parts := range [][]int{{60}, {600}, {100, 100, 100, 100, 100}} {
			all += alarms(func() Pairs {
				return of(xslices.Map(parts, func(frames int) []float64 { return stationary(rng, frames, rho) })...)
			})
		}
	}
	assert.LessOrEqual(t, all, 18*draws/400)
	all = 0
	for _, tail := range []float64{1, 2, 3} {
		for _, rho := range []float64{0, 0.9, -0.9} {
			for _, frames := range []int{60, 600, 3_000} {
				all += alarms(func() Pairs {
					x := stationary(rng, frames, rho)
					return of(xslices.Map(x, func(v float64) float64 { return math.Sinh(tail * v) }))
				})
			}
		}
	}
	assert.LessOrEqual(t, all, 27*draws/100, "heavy tails")
	assert.Zero(t, alarms(func() Pairs {
		mean := 1.0
		return of(plus(stationary(rng, 3_000, 0), func(float64) float64 {
			if rng.IntN(100) == 0 {
				mean = -mean
			}
			return mean
		}))
	}), "hidden states")
}

// TestDrift: drifts, jumps and trajectories that start out of equilibrium.
func TestDrift(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 10))
	slowly := func(t float64) float64 { return t / 1_000 }
	jump := func(t float64) float64 { return math.Floor(t / 2_000) }
	start := func(t float64) float64 { return 60 * math.Exp(-t/30) }
	slow := func(t float64) float64 { return 5 * math.Exp(-t/1_000) }
	noise := floats.ScaleTo(make([]float64, 3_000), 0.1, stationary(rng, 3_000, 0))
	gaps := of(slices.Collect(slices.Chunk(plus(stationary(rng, 2_000, 0), slowly), 9))...) // in one trajectory
	for i := range gaps.Parts {
		gaps.Parts[i].Trajectory = 0
	}
	var many [][]float64
	for range 100 {
		many = append(many, plus(stationary(rng, 100, 0), func(t float64) float64 { return t / 100 }))
	}
	for name, p := range map[string]Pairs{
		"drift with a memory": of(plus(stationary(rng, 5_000, 0.9), slowly)),
		"drift with noise":    of(plus(noise, slowly)),
		"one of four":         of(plus(noise, slowly), noise[:60], noise[:60], noise[:60], noise[:3]),
		"drift with gaps":     gaps,
		"jump":                of(plus(stationary(rng, 3_000, 0), jump)),
		"start":               of(plus(stationary(rng, 6_000, 0.9), start)),
		"relaxation":          of(plus(stationary(rng, 6_000, 0.9), slow)),
		"hundred":             of(many...),
	} {
		assert.Contains(t, p.drift(), "not stationary", name)
	}
	for change, matters := range map[float64]bool{0.4: false, 0.65: true} { // in standard deviations
		small := plus(stationary(rng, 20_000, 0), func(t float64) float64 { return change * t / 20_000 })
		assert.Equal(t, matters, of(small).drift() != "", "%g", change)
	}
	for frames, enough := range map[int]bool{1_920: false, 2_560: true} { // 31 and 44 memories of the oscillation
		x := plus(make([]float64, frames), func(t float64) float64 { return t/100 + math.Sin(t*math.Pi/16) })
		assert.Equal(t, enough, of(x).drift() != "", "%d frames", frames)
	}
	for amplitude, least := range map[float64]int{7: 15, 10: 48} { // the first of 20 blocks is 2.7 and 4 errors off
		reported := 0
		for range 50 {
			x := plus(stationary(rng, 6_000, 0.9), func(t float64) float64 { return amplitude * math.Exp(-t/30) })
			if of(x).drift() != "" {
				reported++
			}
		}
		assert.GreaterOrEqual(t, reported, least, "a start of %g standard deviations", amplitude)
	}
	alternating := func(t float64) float64 { return math.Cos(t * math.Pi) }
	for rise, certain := range map[float64]bool{4.7: false, 6.6: true} { // 6 and 8.5 errors
		x := plus(make([]float64, blocks), func(t float64) float64 { return rise*t/(blocks-1) + alternating(t) })
		assert.Equal(t, certain, of(x).drift() != "", "a rise of %g", rise)
	}
	for period, wander := range map[float64]bool{5: false, 5.5: true} { // correlations of 0.47 and 0.6
		x := plus(make([]float64, 10*blocks), func(t float64) float64 {
			return t/10 + 3*alternating(t) + math.Sin(2*math.Pi/period*math.Floor(t/10))
		})
		assert.Equal(t, wander, of(x).drift() == "", "a period of %g blocks", period)
	}
	for _, c := range []struct {
		first, amplitude float64
		reported         bool
	}{{2.2, 1, false}, {2.8, 1, true}, {4, 4.1, false}, {4, 3.5, true}} { // the last have 4 and 6 % of the variance
		x := plus(make([]float64, 10*blocks), func(t float64) float64 {
			if t < 10 {
				return c.first + c.amplitude*alternating(t)
			}
			return c.amplitude*alternating(t) + alternating(math.Floor(t/10))
		})
		assert.Equal(t, c.reported, of(x).drift() != "", "%v", c)
	}
	assert.Empty(t, of(make([]float64, 60)).drift(), "a constant")
	assert.Empty(t, of([]float64{1, 2, 3}).drift(), "three frames")
}
