package schrodinger_test

import (
	"math"
	"math/cmplx"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/net"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/train"
)

// draw returns a matrix [1, n, D] of random numbers.
func draw(t *testing.T, matrix func(random *train.Random) *Node) *mat.Dense {
	t.Helper()
	return testkit.Must(train.Compute(testkit.PureGo(t), nil, func(in train.Inputs) *Node { return matrix(in.Random) }))
}

// samplers are tested with a box that contains all but 1e-15 of their mass.
var samplers = []struct {
	schrodinger.Sampler
	dim   int
	reach float64
}{
	{schrodinger.Gaussian{Dim: 1, Sigma: 16}, 1, 128},
	{schrodinger.Gaussian{Dim: 2, Sigma: 2}, 2, 16},
	{schrodinger.Uniform{Dim: 1, HalfWidth: 0.3}, 1, 0.3},
	{schrodinger.Uniform{Dim: 2, HalfWidth: 5}, 2, 5},
}

// Averages of e^{ik·x} over samples are ∫ρ e^{ik·x}, k from coarse to fine, within five
// standard errors; ρ, from its jet, has integral 1.
func TestSamplesFollowTheDensity(t *testing.T) {
	const n = 100_000
	for _, s := range samplers {
		require.NoError(t, s.Validate())
		points, w := midpoint(s.dim, 200, s.reach)
		samples := draw(t, func(random *train.Random) *Node { return s.Sample(random, dtypes.Float64, n) })
		require.Equal(t, []int{n, s.dim}, []int{samples.RawMatrix().Rows, samples.RawMatrix().Cols})
		out := testkit.Compile(t, func(in []*Node) []*Node {
			return []*Node{s.LogDensity(jet.Inputs(in[0])).Value}
		}).Call(t, testkit.FromMatrix(points))
		logRho := out[0].Data

		var mass float64
		for _, u := range logRho {
			mass += w * math.Exp(u)
		}
		assert.InDelta(t, 1, mass, 1e-11, "%+v", s.Sampler)

		for _, waves := range []float64{0.5, 1, 3, 6} {
			k := make([]float64, s.dim)
			for d := range k {
				k[d] = waves * math.Pi / s.reach * float64(1+d) // a different wave number along every axis
			}
			var want, got complex128
			for p := range logRho {
				want += cmplx.Rect(w*math.Exp(logRho[p]), floats.Dot(k, points.RawRowView(p)))
			}
			for i := range n {
				got += cmplx.Rect(1./n, floats.Dot(k, samples.RawRowView(i)))
			}
			assert.Less(t, cmplx.Abs(want-got), 5/math.Sqrt(n)+1e-4, "%+v at wave %v", s.Sampler, waves)
		}
	}
}

var oblong = schrodinger.Lattice{Box: net.Box{Lower: []float64{-1, 2}, Upper: []float64{3, 2.5}}}

// drawn returns batches of the oblong lattice, one after the other, in units of the box from 0 to 1.
func drawn(t *testing.T, n, batches int) *mat.Dense {
	t.Helper()
	points := draw(t, func(random *train.Random) *Node {
		var all []*Node
		for range batches {
			all = append(all, oblong.Sample(random, dtypes.Float64, n))
		}
		return Concatenate(all, 1)
	})
	points.Apply(func(_, d int, x float64) float64 {
		return (x - oblong.Lower[d]) / (oblong.Upper[d] - oblong.Lower[d])
	}, points)
	return points
}

// A batch is the lattice plus one vector, modulo the box.
func TestLatticeShiftsAsAWhole(t *testing.T) {
	const n = 100
	x := drawn(t, n, 1)
	for i, p := range oblong.Points(n) {
		for d, c := range []float64{(p[0] + 1) / 4, (p[1] - 2) / 0.5} {
			assert.True(t, x.At(i, d) >= 0 && x.At(i, d) < 1)
			moved := x.At(i, d) - c - (x.At(0, d) - 0.5/n)
			assert.InDelta(t, 0, moved-math.Round(moved), 1e-12)
		}
	}
}

// The mean of a smooth function that vanishes on the faces is right in every batch, where independent samples have
// errors of 1/√N. For a function that does not vanish, the mean over shifts is right.
func TestLatticeHasLittleNoise(t *testing.T) {
	const n, batches = 512, 40
	smooth := func(u []float64) float64 {
		return math.Pow(math.Sin(math.Pi*u[0]), 2) * (math.Pi / 2 * math.Sin(math.Pi*u[1]))
	}
	worst, slope := 0.0, 0.0
	points := drawn(t, n, batches)
	for b := range batches {
		mean := 0.0
		for i := range n {
			u := points.RawRowView(b*n + i)
			mean += smooth(u) / n
			slope += u[0] * u[1] / n / batches
		}
		worst = max(worst, math.Abs(mean-0.5))
	}
	assert.Less(t, worst, 1e-4, "1/√N is 0.04")
	assert.InDelta(t, 0.25, slope, 0.005)
}
