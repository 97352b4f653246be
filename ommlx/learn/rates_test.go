package learn

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
)

// TestRightSamplesHaveNoRemark: EDMD finds the values of 13 stationary, reversible processes. Of 100 draws of each, at
// most one has a remark, and of all at most one in 200.
func TestRightSamplesHaveNoRemark(t *testing.T) {
	trajectory := func(lag int, frames int, rho ...float64) func(rng *rand.Rand) Pairs {
		return func(rng *rand.Rand) Pairs {
			return testkit.Must(Trajectories(lag, testkit.Autoregressive(rng, frames, rho...)))
		}
	}
	all := 0
	for name, c := range map[string]struct {
		k, degree int
		draw      func(rng *rand.Rand) Pairs
	}{
		"AR .5":            {2, 3, trajectory(1, 2_000, .5)},
		"AR .9":            {3, 3, trajectory(1, 5_000, .9)},
		"AR .9 short":      {2, 2, trajectory(1, 500, .9)},
		"AR .99":           {2, 2, trajectory(1, 20_000, .99)},
		"AR .9 lag 5":      {2, 3, trajectory(5, 5_000, .9)},
		"two coordinates":  {3, 3, trajectory(1, 5_000, .95, .8)},
		"five coordinates": {3, 2, trajectory(1, 5_000, .95, .8, .6, .3, 0)},
		"noise":            {1, 2, trajectory(1, 2_000, 0)},
		"many trajectories": {2, 2, func(rng *rand.Rand) Pairs {
			var parts []mat.Matrix
			for range 50 {
				parts = append(parts, testkit.Autoregressive(rng, 100, .9))
			}
			return testkit.Must(Trajectories(1, parts...))
		}},
		"independent pairs": {3, 3, func(rng *rand.Rand) Pairs {
			x, y := mat.NewDense(3_000, 1, nil), mat.NewDense(3_000, 1, nil)
			for i := range 3_000 {
				x.Set(i, 0, rng.NormFloat64())
				y.Set(i, 0, .8*x.At(i, 0)+.6*rng.NormFloat64())
			}
			return Pairs{From: x, To: y}
		}},
		"heavy tails": {2, 1, func(rng *rand.Rand) Pairs {
			x := testkit.Autoregressive(rng, 5_000, .9)
			x.Apply(func(_, _ int, v float64) float64 { return math.Sinh(v) }, x)
			return testkit.Must(Trajectories(1, x))
		}},
		"circle": {3, 2, func(rng *rand.Rand) Pairs {
			x, a := mat.NewDense(5_000, 2, nil), 0.
			for i := range 5_000 {
				x.SetRow(i, []float64{math.Cos(a), math.Sin(a)})
				a += .4 * rng.NormFloat64()
			}
			return testkit.Must(Trajectories(1, x))
		}},
		"jumps between two states": {2, 3, func(rng *rand.Rand) Pairs {
			x, s := mat.NewDense(5_000, 1, nil), 1.
			for i := range 5_000 {
				if rng.Float64() < .02 {
					s = -s
				}
				x.Set(i, 0, s+.3*rng.NormFloat64())
			}
			return testkit.Must(Trajectories(1, x))
		}},
	} {
		rng, reported := rand.New(rand.NewPCG(7, 8)), 0
		for range 100 {
			if advice := testkit.Must(c.draw(rng).EDMD(c.degree, c.k)).Advice(); len(advice) > 0 {
				reported++
				t.Log(name, advice)
			}
		}
		assert.LessOrEqual(t, reported, 1, name)
		all += reported
	}
	assert.LessOrEqual(t, all, 6)
}
