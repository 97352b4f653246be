package rl

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
	"operator-omm/ommlx/internal/testkit"
	"operator-omm/ommlx/train"
)

// drawn returns what the first step of e draws, as the numbers of the states: F and TF shifted by κ, and the batches
// for M[f].
func drawn(t *testing.T, e Experiment, batches int) [][]float32 {
	t.Helper()
	p := testkit.Must(e.Problem())
	p.State = nil
	for range 2 + batches {
		p.State = append(p.State, tensors.FromShape(shapes.Make(dtypes.Float32, len(e.Seeds), e.Batch, 1)))
	}
	p.Loss = func(in train.Inputs) (*Node, []*Node) {
		numbers := shapes.Make(dtypes.Float32, len(e.Seeds), in.Data[0].Shape().Dim(0), 1)
		b := e.batch(Iota(in.Data[0].Graph(), numbers, 1), in).Shift(e.Shift)
		require.Len(t, b.Overlap, batches)
		return ReduceSum(Square(in.Params[0]), 1, 2), append([]*Node{b.F, b.TF}, b.Overlap...)
	}
	r := testkit.Must(train.Run(t.Context(), p, train.Config{Steps: 1}, train.Options{Backend: graphtest.PureGo(t)}))
	var parts [][]float32
	for _, s := range r.State {
		parts = append(parts, tensors.MustCopyFlatData[float32](s))
	}
	return parts
}

// Batches of states for M[f] leave the pairs as they are, one batch is the first of two, and the shift is by f at the
// first ends of the pairs. ALLO draws two batches without being asked.
func TestStatesForTheOverlapLeaveThePairs(t *testing.T) {
	e := tiny()
	e.Shift, e.Overlap = 0, OverlapPairs
	plain := drawn(t, e, 0)
	e.Overlap = OverlapStates
	apart := drawn(t, e, 2)
	assert.Equal(t, plain, apart[:2])
	for i, part := range apart {
		assert.NotContains(t, apart[:i], part)
	}
	e.Overlap, e.Method = OverlapPairs, ommlx.ALLO{}.Name()
	assert.Equal(t, apart, drawn(t, e, 2))

	e.Shift, e.Overlap, e.Method = 1, OverlapState, tiny().Method
	one := drawn(t, e, 1)
	e.Overlap = OverlapStates
	shifted := drawn(t, e, 2)
	assert.Equal(t, shifted[:3], one)
	assert.Equal(t, apart[0], shifted[0])
	assert.Equal(t, apart[2:], shifted[2:])
	for i, s := range apart[0] {
		assert.InDelta(t, apart[1][i]+s, shifted[1][i], 0)
	}
}

// Grid worlds train over several devices as on one, by minibatches and by exact expectations: two runs are divided over
// two devices, and the samples of each over four.
func TestGridWorldsOverSeveralDevices(t *testing.T) {
	var all []train.Problem
	for _, expectation := range []Expectation{Minibatch, AllPairs, Exact} {
		e := Paper("GridMaze-7", "omm_seq", 5, 2).smoke(2).Expecting(expectation)
		all = append(all, testkit.Must(e.Problem()))
	}
	ommtest.AsOnOne(t, ommtest.Together(all...), 1e-4, 2, 4)
}
