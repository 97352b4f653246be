package net_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/net"
)

var oblong = net.Box{Lower: []float64{-0.3, 1, -20}, Upper: []float64{0.4, 7, -19.5}}

// streams lists value, Laplacian and gradient.
func streams(j jet.Jet) []*Node { return append([]*Node{j.Value, j.Laplacian}, j.Gradient...) }

// within draws n points in the box whose distance from the faces is at least margin times the width.
func within(rng *rand.Rand, b net.Box, n int, margin float64) (points []float64) {
	for range n {
		for d, lower := range b.Lower {
			points = append(points, lower+(b.Upper[d]-lower)*(margin+(1-2*margin)*rng.Float64()))
		}
	}
	return points
}

// TestBoxIsTheClosedForm: values agree with the closed form, gradients and Laplacians with its finite differences, and
// a centred cube with [net.BoxMask].
func TestBoxIsTheClosedForm(t *testing.T) {
	const n, step = 50, 1e-4
	require.NoError(t, oblong.Validate())
	rng := rand.New(rand.NewPCG(8, 9))
	points := within(rng, oblong, n, 0.05)
	out := testkit.CompileFor(t, testkit.Backend(t), func(in []*Node) []*Node {
		return streams(oblong.Mask(jet.Inputs(in[0])))
	}).Numbers(t, tensors.FromFlatDataAndDimensions(points, n, 3))
	closed := func(x []float64) float64 {
		product := 1.0
		for d, lower := range oblong.Lower {
			half, x := (oblong.Upper[d]-lower)/2, x[d]-(oblong.Upper[d]+lower)/2
			product *= (math.Sqrt(2*half*half-x*x) - half) / half
		}
		return product
	}
	for p := range n {
		x := points[3*p : 3*p+3]
		assert.InDelta(t, closed(x), out[0][p], 1e-13)
		assert.InDelta(t, fd.Laplacian(closed, x, &fd.Settings{Formula: fd.Central2nd, Step: step}), out[1][p], 1e-4)
		for d, slope := range fd.Gradient(nil, closed, x, &fd.Settings{Formula: fd.Central, Step: step}) {
			assert.InDelta(t, slope, out[2+d][p], 1e-5)
		}
	}

	const a = 2.5
	cube := net.Box{Lower: []float64{-a, -a}, Upper: []float64{a, a}}
	out = testkit.CompileFor(t, testkit.Backend(t), func(in []*Node) []*Node {
		x := jet.Inputs(in[0])
		return append(streams(cube.Mask(x)), streams(net.BoxMask(x, a))...)
	}).Numbers(t, tensors.FromFlatDataAndDimensions(within(rng, cube, n, 0.01), n, 2))
	for i := range 4 {
		assert.InDeltaSlice(t, out[4+i], out[i], 1e-11)
	}
}

// TestBoxOnItsFaces: a mask is exactly zero on every face and outside, with finite derivatives, and positive inside, in
// both precisions.
func TestBoxOnItsFaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 11))
	const each, a = 20, 5
	cube := net.Box{Lower: []float64{-a, -a}, Upper: []float64{a, a}}
	for _, c := range []struct {
		box  net.Box
		mask func(x jet.Jet) jet.Jet
	}{
		{oblong, oblong.Mask},
		{cube, func(x jet.Jet) jet.Jet { return net.BoxMask(x, a) }},
	} {
		dims := len(c.box.Lower)
		var points []float64
		for d := range dims {
			lower, upper := c.box.Lower[d], c.box.Upper[d]
			for _, at := range []float64{lower, upper, lower - 1, upper + 100} {
				face := within(rng, c.box, each, 0.01)
				for p := range each {
					face[dims*p+d] = at
				}
				points = append(points, face...)
			}
		}
		zero := len(points) / dims
		points = append(points, within(rng, c.box, each, 0.01)...)
		for _, dtype := range []dtypes.DType{dtypes.Float32, dtypes.Float64} {
			out := testkit.CompileFor(t, testkit.Backend(t), func(in []*Node) []*Node {
				return streams(c.mask(jet.Inputs(ConvertDType(in[0], dtype))))
			}).Numbers(t, tensors.FromFlatDataAndDimensions(points, len(points)/dims, dims))
			assert.Equal(t, make([]float64, zero), out[0][:zero])
			for _, v := range out[0][zero:] {
				assert.Positive(t, v)
			}
			for _, v := range slices.Concat(out...) {
				assert.False(t, math.IsNaN(v) || math.IsInf(v, 0))
			}
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
