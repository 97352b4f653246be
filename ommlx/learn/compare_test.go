package learn

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/spectral"
)

// TestSimplerFunctionsAreCompared: at most one of 10 right results is reported; at least 6 of 10 that miss an
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
	ar := func(frames int, rho ...float64) func(rng *rand.Rand) *mat.Dense {
		return func(rng *rand.Rand) *mat.Dense { return testkit.Autoregressive(rng, frames, rho...) }
	}
	for name, c := range map[string]struct {
		draw        func(rng *rand.Rand) *mat.Dense
		degree, k   int
		least, most int
	}{
		"two coordinates":  {ar(1_000, 0.9, 0.5), 3, 3, 0, 1},
		"numbers in order": {ring(func(state int) int { return min(state, 50-state) }), 8, 3, 0, 1},
		"missed":           {ar(20_000, 0.95, 0.8), 2, 4, 6, 10},
		"labels":           {ring(func(state int) int { return shuffled[state] }), 4, 3, 10, 10},
	} {
		rng, reported := testkit.NewRand(1), 0
		for range 10 {
			learned := testkit.Must(testkit.Must(Trajectories(1, c.draw(rng))).EDMD(c.degree, c.k))
			if learned.compare() != "" {
				reported++
			}
		}
		assert.GreaterOrEqual(t, reported, c.least, name)
		assert.LessOrEqual(t, reported, c.most, name)
	}
}

// TestBehind: a value is reported if it is behind that from polynomials by more than a share of 1 − λ, standard errors,
// and 0.001, unless held-out pairs contradict that.
func TestBehind(t *testing.T) {
	rng := testkit.NewRand(2)
	for _, c := range []struct {
		pairs int
		rho   float64
	}{{100_000, 0.5}, {260, 0.9}, {20_000, 0.9999}} { // each with another term that decides
		x, y := testkit.Gaussian(rng, c.pairs, 1).Matrix(), mat.NewDense(c.pairs, 1, nil)
		y.Apply(func(i, _ int, _ float64) float64 {
			return c.rho*x.At(i, 0) + math.Sqrt(1-c.rho*c.rho)*rng.NormFloat64()
		}, y)
		l := testkit.Must(Pairs{From: x, To: y}.EDMD(maxDegree, 2))
		best, held := l.Values[1], l.HeldOut.Values[1]
		most := max(1e-3, 0.1*(1-best)+2*math.Sqrt((1-best*best)/float64(l.Task.rows)))
		compared := func(gain, errors float64) bool {
			l.Values[1] = best - gain*most
			l.HeldOut = &spectral.PairScores{Values: []float64{1, held + errors}, Errors: []float64{0, 1}}
			return l.compare() != ""
		}
		assert.True(t, compared(1.1, 0.9), "%v", c)
		assert.False(t, compared(0.9, 0.9), "%v", c)
		assert.False(t, compared(1.1, 1.1), "%v", c)
	}
}

// TestWhatIsCompared: polynomials of as high a degree as the pairs and a second allow, and up to 100 labels.
func TestWhatIsCompared(t *testing.T) {
	for _, c := range []struct{ pairs, coordinates, degree int }{
		{1_000, 1, 4}, {240, 1, 3}, {260, 1, 4}, // of 50 pairs per function
		{6_100, 6, 3}, {6_100, 7, 2}, // of 84 and 120 monomials
		{650_000, 2, 4}, {680_000, 2, 3}, // of 10⁷ numbers
	} {
		o := Pairs{From: mat.NewDense(c.pairs, c.coordinates, nil)}
		assert.Equal(t, c.degree, o.polynomials()[0].degree, "%v", c)
	}
	for _, c := range []struct{ pairs, labels, columns int }{{6_000, 99, 1}, {6_000, 101, 0}, {500, 9, 1}, {500, 11, 0},
		{500, 2, 0}} {
		x := mat.NewDense(c.pairs, 1, nil)
		x.Apply(func(i, _ int, _ float64) float64 { return float64(i % c.labels) }, x)
		assert.Len(t, Pairs{From: x, To: x}.labelled(), c.columns, "%v", c)
	}
}
