package jet_test

import (
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/jet"
)

// BenchmarkLaplacian compares forward Laplacians with nested reverse mode: a function of two variables with a layer of
// 128 at 512 points, and the gradient of a loss of its Laplacian for the weights.
func BenchmarkLaplacian(b *testing.B) {
	rng := testkit.NewRand(1)
	points, first := testkit.Gaussian(rng, 1, 512, 2), testkit.Gaussian(rng, 1, 128, 2)
	second := testkit.Gaussian(rng, 1, 1, 128)
	network := func(x *Node, in []*Node) jet.Jet {
		return jet.Dense(jet.Softplus(jet.Dense(jet.Inputs(x), in[1], nil)), in[2], nil)
	}
	round := func(laplacian func(in []*Node) *Node) func() (time.Duration, error) {
		p := testkit.NewProgramOn(b, testkit.Backend(b), dtypes.Float32, func(in []*Node) []*Node {
			return Gradient(ReduceAllSum(Square(laplacian(in))), in[1:]...)
		})
		return testkit.Repeated(5, func() error {
			_, err := p.TryCall(points, first, second)
			return err
		})
	}
	forward := round(func(in []*Node) *Node { return network(in[0], in).Laplacian })
	testkit.Compare(b, forward, round(func(in []*Node) *Node {
		_, laplacian := jet.NestedReverse(func(x *Node) *Node { return network(x, in).Value }, in[0])
		return laplacian
	}))
}
