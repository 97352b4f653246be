package net_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/stat"

	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/net"
)

// TestInitialWeights: a normal cut off at two standard deviations has mean 0 and variance 1 − 2·2φ(2)/(2Φ(2)−1).
func TestInitialWeights(t *testing.T) {
	m := net.MLP{In: 400, Hidden: []int{100}, Out: 50}
	params := m.Init([]int64{7, 8})
	density := math.Exp(-2) / math.Sqrt(2*math.Pi)
	std := math.Sqrt(1 - 4*density/math.Erf(math.Sqrt2))
	for i, in := range []int{400, 100} {
		w := graphtest.Flat(params[2*i])
		for j := range w {
			w[j] *= math.Sqrt(float64(in))
		}
		n := float64(len(w))
		assert.InDelta(t, 0, stat.Mean(w, nil), 4*std/math.Sqrt(n))
		assert.InDelta(t, std, stat.StdDev(w, nil), 4*std/math.Sqrt(2*n))
		largest := 0.0
		for _, v := range w {
			largest = max(largest, math.Abs(v))
		}
		assert.LessOrEqual(t, largest, 2+1e-6)
		assert.Greater(t, largest, 1.98, "the law reaches to its cut-off")
		for _, b := range graphtest.Flat(params[2*i+1]) {
			assert.Zero(t, b)
		}
	}
}

func TestRunDependsOnItsSeedOnly(t *testing.T) {
	a, b := small.Init([]int64{3, 4, 5}), small.Init([]int64{4, 3})
	for i := range a {
		x, y := graphtest.Flat(a[i]), graphtest.Flat(b[i])
		n := len(y) / 2
		assert.Equal(t, x[:n], y[n:], "seed 3")
		assert.Equal(t, x[n:2*n], y[:n], "seed 4")
		if i%2 == 0 {
			assert.NotEqual(t, x[:n], x[n:2*n])
		}
	}
}
