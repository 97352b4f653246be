package gridworld

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
)

func load(t testing.TB, name string) *Grid {
	return testkit.Must(Load(name))
}

func collect(t testing.TB, g *Grid, transitions, length int, seed int64) *Episodes {
	return testkit.Must(Collect(g, transitions, length, seed))
}

func TestCollectIsReproducible(t *testing.T) {
	g := load(t, "GridRoom-4")
	e := collect(t, g, 99_999, 50, 7)
	assert.Equal(t, 2_000, e.Count, "rounded up to whole episodes")
	require.Len(t, e.States, 2_000*51)
	assert.Equal(t, e, collect(t, g, 99_999, 50, 7))
	assert.NotEqual(t, e.States, collect(t, g, 99_999, 50, 8).States)

	for _, bad := range [][2]int{{0, 50}, {50, 0}, {-1, 5}} {
		_, err := Collect(g, bad[0], bad[1], 1)
		assert.ErrorContains(t, err, "at least 1")
	}
}

// Starts are uniform and P doubly stochastic, so states are uniform at every time of an episode.
func TestVisitsAndMovesFollowTheLaw(t *testing.T) {
	g := load(t, "GridMaze-7")
	e := collect(t, g, 1_000_000, 50, 3)
	n := g.N()
	for _, at := range []int{0, 1, 25, 50} {
		counts := make([]float64, n)
		for i := range e.Count {
			counts[e.Episode(i)[at]]++
		}
		testkit.RequireLaw(t, slices.Repeat([]float64{1 / float64(n)}, n), counts, fmt.Sprint("visits at time ", at))
	}
	w := e.PairMatrix(0)
	p := g.Transition()
	for i := range n {
		visits := mat.Sum(w.Slice(i, i+1, 0, n))
		for j := range n {
			// Given s_t, moves are independent: six standard deviations of at most ½/√90,000 each.
			assert.InDelta(t, p.At(i, j), w.At(i, j)/visits, 0.01, "move from %d to %d", i, j)
		}
	}
}

func TestDiscountOutsideItsRangePanics(t *testing.T) {
	for _, gamma := range []float64{-0.1, 1, math.NaN()} {
		assert.Panics(t, func() { GeometricEigenvalue(1, gamma, 5) })
	}
}

// On one data set, the frequencies of sampled pairs converge to PairMatrix; the mean of PairMatrix over data sets is
// the exact mixture.
func TestSampledPairsPairMatrixAndExactMixtureAgree(t *testing.T) {
	g := load(t, "GridMaze-7")
	n := g.N()
	for _, gamma := range []float64{0, 0.9} {
		small := collect(t, g, 60, 6, 5)
		w := small.PairMatrix(gamma)
		assert.InDelta(t, 1, mat.Sum(w), 1e-12)
		assertFrequencies(t, small, gamma, w)

		const length = 12
		large := collect(t, g, 2_000_000, length, 6)
		w = large.PairMatrix(gamma)
		exact := GeometricTransition(g.Transition(), gamma, length)
		for i := range n {
			for j := range n {
				assert.InDelta(t, exact.At(i, j)/float64(n), w.At(i, j), 0.001, "γ = %v, pair (%d, %d)", gamma, i, j)
			}
		}
	}
}

// assertFrequencies samples pairs and compares their frequencies with w by a χ² test.
func assertFrequencies(t *testing.T, e *Episodes, gamma float64, w *mat.Dense) {
	const draws = 400_000
	from, to := make([]int32, draws), make([]int32, draws)
	e.SamplePairs(rand.New(rand.NewPCG(9, 0)), gamma, from, to)
	counts := make([]float64, e.N*e.N)
	for b := range from {
		counts[int(from[b])*e.N+int(to[b])]++
	}
	testkit.RequireLaw(t, w.RawMatrix().Data, counts, fmt.Sprint("pairs, γ = ", gamma))
}
