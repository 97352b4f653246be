package schrodinger_test

import (
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/net"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/train"
)

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
