package jet_test

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"

	"omm-go/ommlx/internal/graphtest"
	"omm-go/ommlx/internal/stopwatch"
	"omm-go/ommlx/jet"
)

// BenchmarkLaplacian: the Laplacian of a function of two variables, a layer of 128, at 512 points, and the gradient of
// a loss of it for the weights, forward beside reverse mode of reverse mode.
func BenchmarkLaplacian(b *testing.B) {
	rng := graphtest.NewRand(1)
	points, first := graphtest.Gaussian(rng, 1, 512, 2), graphtest.Gaussian(rng, 1, 128, 2)
	second := graphtest.Gaussian(rng, 1, 1, 128)
	network := func(x *Node, in []*Node) jet.Jet {
		return jet.Dense(jet.Softplus(jet.Dense(jet.Inputs(x), in[1], nil)), in[2], nil)
	}
	round := func(laplacian func(in []*Node) *Node) stopwatch.Round {
		p := graphtest.NewProgramOn(b, graphtest.Backend(b), dtypes.Float32, func(in []*Node) []*Node {
			return Gradient(ReduceAllSum(Square(laplacian(in))), in[1:]...)
		})
		return stopwatch.Repeated(5, func() error {
			_, err := p.TryCall(points, first, second)
			return err
		})
	}
	forward := round(func(in []*Node) *Node { return network(in[0], in).Laplacian })
	stopwatch.Beside(b, forward, round(func(in []*Node) *Node {
		_, laplacian := jet.NestedReverse(func(x *Node) *Node { return network(x, in).Value }, in[0])
		return laplacian
	}))
}
