package train

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// Random draws one step's random numbers. Every run has its own generator, seeded by its seed, so a run's numbers do
// not depend on which other runs share the program.
type Random struct {
	states []*Node // one generator state for each run
}

// randomStates returns the generators' initial states, [R, 3] uint64.
func randomStates(seeds []int64) (*tensors.Tensor, error) {
	flat := make([]uint64, 0, 3*len(seeds))
	for _, seed := range seeds {
		state, err := RNGStateFromSeed(seed)
		if err != nil {
			return nil, err
		}
		flat = append(flat, tensors.MustCopyFlatData[uint64](state)...)
	}
	return tensors.FromFlatDataAndDimensions(flat, len(seeds), len(flat)/len(seeds)), nil
}

func newRandom(states *Node) *Random {
	r := &Random{}
	for i := range states.Shape().Dim(0) {
		r.states = append(r.states, Reshape(Slice(states, AxisElem(i)), states.Shape().Dim(1)))
	}
	return r
}

func (r *Random) packed() *Node { return Stack(r.states, 0) }

// draw stacks the values that one draws for each run. dims and method are for its panic.
func (r *Random) draw(method string, dims []int, one func(state *Node) (next, values *Node)) *Node {
	if slices.ContainsFunc(dims, func(d int) bool { return d < 1 }) {
		panic(fmt.Errorf("random numbers: %s has shape %v for each run, want every dimension at least 1", method, dims))
	}
	drawn := make([]*Node, len(r.states))
	for i, state := range r.states {
		r.states[i], drawn[i] = one(state)
	}
	return Stack(drawn, 0)
}

// Uniform returns numbers in [0, 1), shape [R, dims…]. Graph building panics if a dimension is below 1.
func (r *Random) Uniform(dtype dtypes.DType, dims ...int) *Node {
	return r.draw("Uniform", dims, func(s *Node) (*Node, *Node) {
		return RandomUniform(s, shapes.Make(dtype, dims...))
	})
}

// Normal returns standard normal numbers, shape [R, dims…]. Graph building panics if a dimension is below 1.
func (r *Random) Normal(dtype dtypes.DType, dims ...int) *Node {
	return r.draw("Normal", dims, func(s *Node) (*Node, *Node) {
		return RandomNormal(s, shapes.Make(dtype, dims...))
	})
}

// IntN returns int32 numbers in [0, n), shape [R, dims…]. Graph building panics if n or a dimension is below 1, or if n
// overflows int32.
func (r *Random) IntN(n int, dims ...int) *Node {
	if n < 1 || n > math.MaxInt32 {
		panic(fmt.Errorf("random numbers: IntN has n = %d, want 1 to %d", n, math.MaxInt32))
	}
	return r.draw("IntN", dims, func(s *Node) (*Node, *Node) {
		return RandomIntN(s, int32(n), shapes.Make(dtypes.Int32, dims...))
	})
}
