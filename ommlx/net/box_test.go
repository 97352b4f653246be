package net_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/net"
)

var oblong = net.Box{Lower: []float64{-0.3, 1, -20}, Upper: []float64{0.4, 7, -19.5}}

// masks are masks of a box and of a centred cube.
var masks = []struct {
	net.Box
	mask func(x jet.Jet) jet.Jet
}{
	{oblong, oblong.Mask},
	{net.Box{Lower: []float64{-5, -5}, Upper: []float64{5, 5}}, func(x jet.Jet) jet.Jet { return net.BoxMask(x, 5) }},
}

// streams lists value, Laplacian and gradient.
func streams(j jet.Jet) []*Node { return append([]*Node{j.Value, j.Laplacian}, j.Gradient...) }

// within draws n points in the box whose distance from the faces is at least margin times the width.
func within(rng *rand.Rand, b net.Box, n int, margin float64) testkit.Array {
	points := testkit.NewArray(n, len(b.Lower))
	for i := range points.Data {
		d := i % len(b.Lower)
		points.Data[i] = b.Lower[d] + (b.Upper[d]-b.Lower[d])*(margin+(1-2*margin)*rng.Float64())
	}
	return points
}

// TestBoxIsTheClosedForm: values agree with the closed form, gradients and Laplacians with its finite differences.
func TestBoxIsTheClosedForm(t *testing.T) {
	for _, c := range masks {
		require.NoError(t, c.Validate())
		points := within(testkit.NewRand(8), c.Box, 50, 0.05)
		out := testkit.CompileFor(t, testkit.Backend(t), func(in []*Node) []*Node {
			return streams(c.mask(jet.Inputs(in[0])))
		}).Numbers(t, points)
		closed := func(x []float64) float64 {
			product := 1.0
			for d, lower := range c.Lower {
				half, x := (c.Upper[d]-lower)/2, x[d]-(c.Upper[d]+lower)/2
				product *= (math.Sqrt(2*half*half-x*x) - half) / half
			}
			return product
		}
		for p := range points.Dims[0] {
			x := points.Matrix().RawRowView(p)
			assert.InDelta(t, closed(x), out[0][p], 1e-13)
			laplacian := fd.Laplacian(closed, x, &fd.Settings{Formula: fd.Central2nd, Step: 1e-4})
			assert.InDelta(t, laplacian, out[1][p], 1e-4)
			for d, slope := range fd.Gradient(nil, closed, x, &fd.Settings{Formula: fd.Central, Step: 1e-4}) {
				assert.InDelta(t, slope, out[2+d][p], 1e-5)
			}
		}
	}
}

// TestBoxOnItsFaces: a mask is exactly zero on every face and outside, with finite derivatives, and positive inside, in
// both precisions.
func TestBoxOnItsFaces(t *testing.T) {
	rng := testkit.NewRand(10)
	for _, c := range masks {
		dims, points := len(c.Lower), []float64(nil)
		for d, lower := range c.Lower {
			for _, at := range []float64{lower, c.Upper[d], lower - 1, c.Upper[d] + 100} {
				face := within(rng, c.Box, 20, 0.01)
				face.Matrix().SetCol(d, slices.Repeat([]float64{at}, 20))
				points = append(points, face.Data...)
			}
		}
		zero := len(points) / dims
		points = append(points, within(rng, c.Box, 20, 0.01).Data...)
		for _, dtype := range []dtypes.DType{dtypes.Float32, dtypes.Float64} {
			out := testkit.CompileFor(t, testkit.Backend(t), testkit.In(dtype, func(in []*Node) []*Node {
				return streams(c.mask(jet.Inputs(in[0])))
			})).Numbers(t, testkit.Array{Dims: []int{len(points) / dims, dims}, Data: points})
			assert.Equal(t, make([]float64, zero), out[0][:zero])
			assert.Positive(t, floats.Min(out[0][zero:]))
			all := floats.Norm(slices.Concat(out...), 1)
			assert.False(t, math.IsNaN(all) || math.IsInf(all, 0))
		}
	}
}

func TestBoxErrorsNameTheAxis(t *testing.T) {
	for word, b := range map[string]net.Box{
		"Lower has 0":        {},
		"Lower has 2":        {Lower: []float64{0, 0}, Upper: []float64{1}},
		"axis 1 is (2, 1)":   {Lower: []float64{0, 2}, Upper: []float64{1, 1}},
		"axis 0 is (1, 1)":   {Lower: []float64{1}, Upper: []float64{1}},
		"axis 0 is (NaN, 1)": {Lower: []float64{math.NaN()}, Upper: []float64{1}},
		"(0, +Inf)":          {Lower: []float64{0}, Upper: []float64{math.Inf(1)}},
		"dimension 2":        oblong,
	} {
		if word != "dimension 2" {
			assert.ErrorContains(t, b.Validate(), word)
		}
		exec := testkit.Compile(t, func(in []*Node) []*Node {
			return []*Node{b.Mask(jet.Inputs(in[0])).Value}
		})
		_, err := exec.Try([][]float32{{1, 2}})
		assert.ErrorContains(t, err, word)
	}
}
