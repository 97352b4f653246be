package learn

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
)

// compared returns in how many draws simpler functions are ahead of polynomials up to a degree.
func compared(draws int, draw func(rng *rand.Rand) *mat.Dense, degree, k int) (reported int) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range draws {
		learned := testkit.Must(testkit.Must(Trajectories(1, draw(rng))).EDMD(degree, k))
		if learned.compare() != "" {
			reported++
		}
	}
	return reported
}

// TestSimplerFunctionsAreCompared: at most one of 100 right results is reported; at least 23 of 30 that miss an
// eigenvalue, of .857 with a value of .8; and all that take labels of states as a coordinate.
func TestSimplerFunctionsAreCompared(t *testing.T) {
	ring := func(label func(state int) int) func(rng *rand.Rand) *mat.Dense {
		return func(rng *rand.Rand) *mat.Dense {
			x, state := mat.NewDense(3_000, 1, nil), 0
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
		return func(rng *rand.Rand) *mat.Dense { return testkit.Autoregressive(rng, frames, rho...) }
	}
	for name, c := range map[string]struct {
		draw        func(rng *rand.Rand) *mat.Dense
		degree, k   int
		least, most int
	}{
		"two coordinates":  {ar(1_000, 0.9, 0.5), 3, 3, 0, 1},
		"slow":             {ar(1_000, 0.99), 3, 3, 0, 1},
		"more functions":   {ar(1_000, 0.9), 6, 3, 0, 1},
		"few pairs":        {ar(1_100, 0.9, 0.5, 0.5, 0.5, 0.5), 1, 2, 0, 1},
		"numbers in order": {ring(inOrder), 8, 3, 0, 1},
		"missed":           {ar(20_000, 0.95, 0.8), 2, 4, 23, 30},
		"labels":           {ring(func(state int) int { return shuffled[state] }), 4, 3, 30, 30},
	} {
		draws := 100
		if c.least > 0 {
			draws = c.most
		}
		reported := compared(draws, c.draw, c.degree, c.k)
		t.Logf("%s: %d of %d", name, reported, draws)
		assert.GreaterOrEqual(t, reported, c.least, name)
		assert.LessOrEqual(t, reported, c.most, name)
	}
}
