package augment

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"

	"operator-omm/ommlx/internal/graphtest"
)

// boxWeight is the weight of a pixel at a distance in a box of a radius l + a, before normalisation.
func boxWeight(radius float64, distance int) float64 {
	whole := int(radius)
	switch distance = max(distance, -distance); {
	case distance <= whole:
		return 1
	case distance == whole+1:
		return radius - float64(whole)
	}
	return 0
}

// boxVariance of the weights, in pixels².
func boxVariance(radius float64) float64 {
	sum, squares := 0.0, 0.0
	for d := -int(radius) - 1; d <= int(radius)+1; d++ {
		w := boxWeight(radius, d)
		sum, squares = sum+w, squares+w*float64(d*d)
	}
	return squares / sum
}

var sigmas = []float64{0, 0.1, 0.3, 0.7, 1, 1.4, 1.41421357, 1.7, 2, 3.5, 9}

// TestBoxRadius: three boxes together have the variance σ².
func TestBoxRadius(t *testing.T) {
	radii := evaluate(t, func(in []*Node) []*Node { return []*Node{boxRadius(in[0])} }, column(sigmas...))[0].Data
	for i, sigma := range sigmas {
		assert.InDelta(t, sigma*sigma, 3*boxVariance(radii[i]), 1e-12*(1+sigma*sigma), "σ = %g", sigma)
	}
}

// hostBlur averages three times along rows and three times along columns; the border is repeated outwards.
func hostBlur(p picture, sigma float64) picture {
	low, high := 0.0, 100.0
	for range 100 { // bisection, where the graph has a closed form
		if mid := (low + high) / 2; 3*boxVariance(mid) < sigma*sigma {
			low = mid
		} else {
			high = mid
		}
	}
	radius := (low + high) / 2
	if sigma == 0 {
		radius = 0
	}
	reach := int(radius) + 1
	average := func(p picture, dy, dx int) picture {
		out := newPicture(p.height, p.width, p.channels)
		for y := range p.height {
			for x := range p.width {
				for c := range p.channels {
					sum, weights := 0.0, 0.0
					for d := -reach; d <= reach; d++ {
						at := p.at(min(max(y+d*dy, 0), p.height-1), min(max(x+d*dx, 0), p.width-1), c)
						sum, weights = sum+boxWeight(radius, d)**at, weights+boxWeight(radius, d)
					}
					*out.at(y, x, c) = sum / weights
				}
			}
		}
		return out
	}
	for range 3 {
		p = average(average(p, 0, 1), 1, 0)
	}
	return p
}

func blurred(t *testing.T, images graphtest.Array, sigma ...float64) graphtest.Array {
	t.Helper()
	return evaluate(t, func(in []*Node) []*Node {
		return []*Node{onRows(in[0], func(x *Node) *Node { return blur(x, in[1]) })}
	}, images, column(sigma...))[0]
}

// TestBlur also of images that are smaller than the filter.
func TestBlur(t *testing.T) {
	rng := graphtest.NewRand(10)
	for _, size := range [][3]int{{32, 32, 3}, {8, 8, 1}, {2, 5, 2}} {
		images := testImages(rng, len(sigmas), size[0], size[1], size[2])
		var want []picture
		for i, p := range pictures(images) {
			want = append(want, hostBlur(p, sigmas[i]))
		}
		got := blurred(t, images, sigmas...)
		graphtest.RequireClose(t, join(want), got, 1e-9, "blurred")
		assert.Equal(t, images.Run(0).Data, got.Run(0).Data, "σ = 0 is the identity")
	}
}

// TestBlurredPoint has the variance σ² along both axes, keeps its sum, and differs from a Gaussian by at most a tenth
// of its peak.
func TestBlurredPoint(t *testing.T) {
	const size, centre, sigma = 33, 16, 2.0
	point := newPicture(size, size, 1)
	*point.at(centre, centre, 0) = 1
	got := pictures(blurred(t, join([]picture{point}), sigma))[0]
	sum, rows, columns := 0.0, 0.0, 0.0
	for y := range size {
		for x := range size {
			v := *got.at(y, x, 0)
			dy, dx := float64(y-centre), float64(x-centre)
			sum, rows, columns = sum+v, rows+v*dy*dy, columns+v*dx*dx
			gauss := math.Exp(-(dy*dy+dx*dx)/(2*sigma*sigma)) / (2 * math.Pi * sigma * sigma)
			assert.InDelta(t, gauss, v, 0.004, "at %v, %v", dy, dx)
		}
	}
	assert.InDelta(t, 1, sum, 1e-12)
	assert.InDelta(t, sigma*sigma, rows, 1e-10)
	assert.InDelta(t, sigma*sigma, columns, 1e-10)
}
