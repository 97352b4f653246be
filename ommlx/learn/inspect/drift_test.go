package inspect

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// autoregressive returns frames of x' = ρx + √(1−ρ²)n, started at x, or in equilibrium if x is NaN.
func autoregressive(rng *rand.Rand, frames int, rho, x float64) []float64 {
	if math.IsNaN(x) {
		x = rng.NormFloat64()
	}
	all := make([]float64, frames)
	for t := range all {
		all[t] = x
		x = rho*x + math.Sqrt(1-rho*rho)*rng.NormFloat64()
	}
	return all
}

// stationary is autoregressive in equilibrium.
func stationary(rng *rand.Rand, frames int, rho float64) []float64 {
	return autoregressive(rng, frames, rho, math.NaN())
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

// TestStationaryProcessesDoNotDrift: at most one in 400 trajectories of a stationary process is reported, however long
// its memory is, no trajectory whose mean changes between two values often, and no ensemble.
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
		for _, frames := range []int{60, 600} {
			all += alarms(func() Pairs { return of(stationary(rng, frames, rho)) })
		}
		assert.Zero(t, alarms(func() Pairs {
			var ensemble [][]float64
			for range minEnsemble {
				ensemble = append(ensemble, stationary(rng, 100, rho))
			}
			return of(ensemble...)
		}), "ensembles, ρ = %g", rho)
	}
	assert.LessOrEqual(t, all, 12*draws/400)
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

// TestDrift: drifts, jumps, relaxation and trajectories that start out of equilibrium.
func TestDrift(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	decay := func(from, rho float64) []float64 {
		return plus(make([]float64, 50), func(t float64) float64 { return from * math.Pow(rho, t) })
	}
	brief := func(from float64) []float64 { return decay(from, 0.9)[:30] }
	var relaxing, orbits [][]float64
	for range 100 {
		relaxing = append(relaxing, autoregressive(rng, 100, 0.97, 4))
	}
	for range 10 {
		orbits = append(orbits, decay(rng.NormFloat64(), 0.95))
	}
	slowly := func(t float64) float64 { return t / 1_000 }
	jump := func(t float64) float64 { return math.Floor(t / 2_000) }
	start := func(t float64) float64 { return 30 * math.Exp(-t/30) }
	noise := floats.ScaleTo(make([]float64, 3_000), 0.1, stationary(rng, 3_000, 0))
	louder := stationary(rng, 3_000, 0.9)
	floats.Scale(2, louder[2_500:])
	gaps := of(plus(stationary(rng, 2_000, 0), slowly)) // after every tenth frame
	gaps.Parts = slices.Repeat([]Part{{Pairs: 8}}, 222)
	var some []int
	for part := range 222 {
		for pair := range 8 {
			some = append(some, 9*part+pair)
		}
	}
	rows := func(m mat.Matrix) mat.Matrix {
		x := mat.NewDense(len(some), 1, nil)
		x.Apply(func(i, _ int, _ float64) float64 { return m.At(some[i], 0) }, x)
		return x
	}
	gaps.From, gaps.To = rows(gaps.From), rows(gaps.To)
	for name, p := range map[string]Pairs{
		"drift with a memory": of(plus(stationary(rng, 5_000, 0.9), slowly)),
		"fifty memories":      of(plus(stationary(rng, 3_600, 0.99), func(t float64) float64 { return t / 150 })),
		"drift with noise":    of(plus(noise, slowly)),
		"one of four":         of(plus(noise, slowly), noise[:60], noise[:60], noise[:60], noise[:3]),
		"short decays":        of(brief(1), brief(2), brief(-1), brief(3), brief(4)),
		"drift with gaps":     gaps,
		"jump":                of(plus(stationary(rng, 3_000, 0), jump)),
		"louder":              of(louder),
		"start":               of(plus(stationary(rng, 6_000, 0.9), start)),
		"relaxation":          of(relaxing...),
		"decay":               of(decay(1, 0.9)),
		"decays":              of(orbits...),
	} {
		assert.Contains(t, p.drift(), "not stationary", name)
	}
	slow := 0 // starts, at the limit of what is found
	for range 20 {
		start := func(t float64) float64 { return 5 * math.Exp(-t/1_000) }
		if of(plus(stationary(rng, 6_000, 0.9), start)).drift() != "" {
			slow++
		}
	}
	assert.Greater(t, slow, 5)
	for change, matters := range map[float64]bool{0.4: false, 0.65: true} { // in standard deviations
		alone := plus(stationary(rng, 20_000, 0), func(t float64) float64 { return change * t / 20_000 })
		assert.Equal(t, matters, of(alone).drift() != "", "%g alone", change)
		var ensemble [][]float64
		for range 100 {
			ensemble = append(ensemble, plus(stationary(rng, 400, 0), func(t float64) float64 {
				return change / 1.5 * t / 400
			}))
		}
		assert.Equal(t, matters, of(ensemble...).drift() != "", "%g in an ensemble", change/2)
	}
	assert.Empty(t, of(make([]float64, 60)).drift(), "a constant")
	y := plus(line(twentieths), func(t float64) float64 { return 0.15 * math.Sin(t*math.Pi/3) })
	_, errors, related := fit(y, line(twentieths))
	assert.InDelta(t, 0.65, related, 0.1, "of residuals with a period of six")
	assert.Less(t, errors, 3., "a process with a long memory may wander so")
	// Student's t of five changes; 41 has the chance 1e-6.
	for student, sure := range map[float64]bool{30: false, 60: true} {
		var ensemble [][]float64
		for i := range 5 {
			change := 1 + math.Sqrt2/student*float64(i-2)
			ensemble = append(ensemble, []float64{0, 0, 0, 0, 0, 0, change, change})
		}
		assert.Equal(t, sure, changed(means, ensemble) != 0, "t = %g", student)
	}
	for apart, states := range map[float64]bool{5: false, 7: true} { // in standard deviations
		side := func(t float64) float64 { return math.Copysign(apart/2, t-599.5) }
		assert.Equal(t, states, of(plus(stationary(rng, 1_200, 0), side)).drift() == "", "a jump of %g", apart)
	}
}
