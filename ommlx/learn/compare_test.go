package learn

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
)

// autoregressive returns frames of x' = ρx + √(1−ρ²)z in each coordinate, in equilibrium.
func autoregressive(rng *rand.Rand, frames int, rho ...float64) *mat.Dense {
	x := mat.NewDense(frames, len(rho), nil)
	for j, r := range rho {
		v := rng.NormFloat64()
		for i := range frames {
			x.Set(i, j, v)
			v = r*v + math.Sqrt(1-r*r)*rng.NormFloat64()
		}
	}
	return x
}

// compared returns in how many of 100 draws simpler functions are ahead of polynomials up to a degree.
func compared(draw func(rng *rand.Rand) *mat.Dense, degree, k int) (reported int) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		learned := testkit.Must(testkit.Must(Trajectories(1, draw(rng))).EDMD(degree, k))
		if learned.compare() != "" {
			reported++
		}
	}
	return reported
}

// TestSimplerFunctionsAreCompared: at most one of 100 right results is reported, and at least 95 of 100 that miss an
// eigenvalue, of .857 with a value of .8, or take labels of states as a coordinate.
func TestSimplerFunctionsAreCompared(t *testing.T) {
	ring := func(label func(state int) int) func(rng *rand.Rand) *mat.Dense {
		return func(rng *rand.Rand) *mat.Dense {
			x, state := mat.NewDense(2_000, 1, nil), 0
			x.Apply(func(_, _ int, _ float64) float64 {
				state = (state + 49 + rng.IntN(3)) % 50
				return float64(label(state))
			}, x)
			return x
		}
	}
	shuffled := rand.New(rand.NewPCG(3, 4)).Perm(50)
	inOrder := func(state int) int { return min(state, 50-state) }
	ar := func(frames int, rho ...float64) func(rng *rand.Rand) *mat.Dense {
		return func(rng *rand.Rand) *mat.Dense { return autoregressive(rng, frames, rho...) }
	}
	for name, c := range map[string]struct {
		draw        func(rng *rand.Rand) *mat.Dense
		degree, k   int
		least, most int
	}{
		"two coordinates":  {ar(1_000, 0.9, 0.5), 3, 3, 0, 1},
		"slow":             {ar(1_000, 0.99), 3, 3, 0, 1},
		"more functions":   {ar(1_000, 0.9), 6, 3, 0, 1},
		"numbers in order": {ring(inOrder), 8, 3, 0, 1},
		"missed":           {ar(20_000, 0.95, 0.8), 2, 4, 80, 100},
		"labels":           {ring(func(state int) int { return shuffled[state] }), 4, 3, 99, 100},
	} {
		reported := compared(c.draw, c.degree, c.k)
		t.Logf("%s: %d of 100", name, reported)
		assert.GreaterOrEqual(t, reported, c.least, name)
		assert.LessOrEqual(t, reported, c.most, name)
	}
}
