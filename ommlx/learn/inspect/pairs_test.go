package inspect

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
)

// remarks returns what there is to remark on pairs.
func remarks(p Pairs) string {
	changing, others := p.Remarks()
	return strings.TrimSpace(changing + "\n" + strings.Join(others, "\n"))
}

// normal returns n points with standard normal coordinates.
func normal(n, d int, seed uint64) *mat.Dense {
	return testkit.Gaussian(rand.New(rand.NewPCG(seed, 0)), n, d).Matrix()
}

// turning returns pairs of x' = ρRx + drift + noise for a rotation R in the plane.
func turning(rho, angle, drift float64) Pairs {
	const n = 3_000
	x, z, y := normal(n, 2, 1), normal(n, 2, 2), mat.NewDense(n, 2, nil)
	sin, cos := math.Sincos(angle)
	for p := range n {
		a, b, noise := x.At(p, 0), x.At(p, 1), math.Sqrt(1-rho*rho)
		y.SetRow(p, []float64{drift + rho*(cos*a-sin*b) + noise*z.At(p, 0),
			drift + rho*(sin*a+cos*b) + noise*z.At(p, 1)})
	}
	return Pairs{From: x, To: y, Lag: 1}
}

// walk returns pairs of a walk on a ring of states that steps forwards with a probability, otherwise backwards, from a
// random state or from state 0.
func walk(states int, forwards float64, anywhere bool) Pairs {
	const n = 3_000
	rng := rand.New(rand.NewPCG(1, 2))
	from, to := mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
	for p := range n {
		s, step := 0, states-1
		if anywhere {
			s = rng.IntN(states)
		}
		if rng.Float64() < forwards {
			step = 1
		}
		from.Set(p, 0, float64(s))
		to.Set(p, 0, float64((s+step)%states))
	}
	return Pairs{From: from, To: to, Lag: 1, States: true}
}

// TestPremises: pairs that are not stationary, not reversible or that alternate are reported, a little above what
// matters and not a little below.
func TestPremises(t *testing.T) {
	const moved, turned, opposed = "not stationary", "not reversible", "least eigenvalue"
	cubed := turning(0.9, 0, 0) // the moments of x and x² in reverse differ
	cubed.To.(*mat.Dense).Apply(func(i, j int, v float64) float64 {
		if x := cubed.From.At(i, j); j == 0 {
			return v + 0.25*(x*x-1)
		}
		return v
	}, cubed.To)
	weighted := turning(-0.9, 0, 0)
	for p := range 3_000 {
		kept := 1.0 // without the pairs that alternate
		for j := range 2 {
			kept *= max(0, math.Copysign(1, weighted.From.At(p, j)*weighted.To.At(p, j)))
		}
		weighted.Weights = append(weighted.Weights, kept)
	}
	for i, c := range []struct {
		p    Pairs
		want string // empty: nothing
	}{
		{turning(0.9, 0, 0), ""}, {turning(0.9, 0, 0.08), ""}, {turning(0.9, 0, 0.15), moved},
		{turning(0.9, math.Pi/6, 0), turned}, {turning(1, 0.02, 0), ""}, {turning(1, 0.03, 0), turned}, {cubed, turned},
		{turning(-0.45, 0, 0), ""}, {turning(-0.6, 0, 0), opposed}, {weighted, ""},
		{walk(5, 0.5, true), ""}, {walk(5, 0.5, false), moved}, {walk(5, 0.9, true), turned},
		{walk(40, 0.95, true), turned},
	} {
		if got := remarks(c.p); c.want == "" {
			assert.Empty(t, got, "case %d", i)
		} else {
			assert.Contains(t, got, c.want, "case %d", i)
		}
	}
}

// TestMaxColumns: only the first 24 coordinates are examined.
func TestMaxColumns(t *testing.T) {
	for moved, examined := range map[int]bool{23: true, 24: false} {
		from, to := normal(100, 25, 1), normal(100, 25, 1)
		for row := range 100 {
			to.Set(row, moved, from.At(row, moved)+3)
		}
		assert.Equal(t, examined, remarks(Pairs{From: from, To: to, Lag: 1}) != "", "coordinate %d", moved)
	}
}

// TestOutliers: marks of missing numbers are reported, unless they are many, near or hardly matter.
func TestOutliers(t *testing.T) {
	const n = 500
	outliers := func(count int, mark float64) string {
		x := normal(n, 1, 1)
		for i := range count {
			x.Set(n/count*i, 0, mark)
		}
		return Outliers(x, func(row int) string { return fmt.Sprint("row ", row) })
	}
	assert.Contains(t, outliers(5, -9999), "row 0")
	assert.Contains(t, outliers(5, -9999), "5 values")
	for _, count := range []int{1, 10} { // up to 2 % and one more
		assert.NotEmpty(t, outliers(count, 1e4))
	}
	assert.Empty(t, outliers(13, 1e4))
	assert.NotEmpty(t, outliers(1, 270))
	assert.Empty(t, outliers(1, 190), "the deviation is hardly larger")
	assert.NotEmpty(t, outliers(10, 80))
	assert.Empty(t, Outliers(mat.NewDense(9, 1, []float64{0, 0, 0, 0, 0, 0, 0, 0, 1}), nil), "a rare state")
}

// TestScales: float32 rounds coordinates that are far from 0, and functions of large ones may diverge.
func TestScales(t *testing.T) {
	at := func(mean, deviation float64) *mat.Dense {
		return mat.NewDense(2, 1, []float64{mean - deviation, mean + deviation})
	}
	assert.Empty(t, Coarse(at(1e4, 1.4)))
	assert.NotEmpty(t, Coarse(at(1e4, 1)))
	assert.Empty(t, Unscaled(at(-90, 90)))
	assert.NotEmpty(t, Unscaled(at(-110, 1)))
	assert.NotEmpty(t, Unscaled(at(1, 110)))
}

// TestMonotone: columns that number frames or trajectories are named in all of 100 draws, also with noise on the times;
// none of 1,000 stationary processes, with a memory of up to 10⁵ frames, is.
func TestMonotone(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 100 {
		jittered := plus(make([]float64, 60), func(t float64) float64 { return 5 + t + 0.3*rng.NormFloat64() })
		assert.Contains(t, of(jittered).monotone(), "coordinate 0 only rises")
		count, total := make([]float64, 100), 0.
		for i := range count {
			total += float64(rng.IntN(2))
			count[i] = -total
		}
		assert.Contains(t, of(count).monotone(), "only rises or only falls")
		ones := slices.Repeat([]float64{1}, 30)
		assert.Contains(t, of(ones, make([]float64, 30)).monotone(), "constant in each trajectory")
		assert.Empty(t, of(ones).monotone(), "a constant")
		assert.Empty(t, of(slices.Concat(make([]float64, 30), ones)).monotone(), "one transition")
	}
	reported := 0
	for _, rho := range []float64{-0.9, 0, 0.9, 0.99, 0.99999} {
		for range 200 {
			if of(stationary(rng, 60, rho)).monotone() != "" {
				reported++
			}
		}
	}
	assert.Zero(t, reported)
	counter := plus(make([]float64, 3_000), func(t float64) float64 { return math.Mod(t, 500) })
	assert.Empty(t, of(counter).monotone(), "falls back in 6 pairs")
}

// TestMomentsFarFromZero: the square of a coordinate is that of its distance from the mean.
func TestMomentsFarFromZero(t *testing.T) {
	at := func(deviation float64, seed uint64) *mat.Dense {
		x := normal(2_000, 1, seed)
		x.Apply(func(_, _ int, v float64) float64 { return 1_000 + deviation*v }, x)
		return x
	}
	changing, _ := Pairs{From: at(1, 1), To: at(2, 2)}.Remarks()
	assert.Contains(t, changing, "the mean of coordinate 0 squared changes")
}
