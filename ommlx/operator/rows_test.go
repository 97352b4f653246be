package operator_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/xslices"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/net"
	"omm-go/ommlx/operator"
)

// TestGatherRowsReplacesEverySample: loss and gradient for the network's parameters agree with evaluating the network
// on every sample of the batch, to 1e-6 of their norm in float32 and to rounding in float64.
func TestGatherRowsReplacesEverySample(t *testing.T) {
	const runs, states, batch, k = 2, 23, 256, 5
	network := net.MLP{In: 2, Hidden: []int{32, 32}, Out: k}
	params := xslices.Map(network.Init([]int64{1, 2}), testkit.FromTensor)
	rng := testkit.NewRand(3)
	coordinates, sampled := testkit.Gaussian(rng, states, 2), make([]int32, runs*4*batch)
	for i := range sampled { // s, s', and two further batches for M[f]
		sampled[i] = int32(rng.IntN(states - 2)) // the last two states are never sampled
	}
	for _, objective := range []ommlx.Objective{ommlx.OMM{Nesting: ommlx.Sequential}, ommlx.OMM{Nesting: ommlx.Joint},
		ommlx.LoRA{Nesting: ommlx.Sequential}, ommlx.ALLO{}} {
		for dtype, tolerance := range map[dtypes.DType]float64{dtypes.Float32: 1e-5, dtypes.Float64: 1e-12} {
			t.Run(fmt.Sprint(objective.Name(), "/", dtype), func(t *testing.T) {
				engine := testkit.PureGo(t)
				if dtype == dtypes.Float32 {
					engine = testkit.XLA(t)
				}
				out := testkit.CompileFor(t, engine, func(in []*Node) []*Node {
					index := in[0]
					in = xslices.Map(in[1:], func(x *Node) *Node { return ConvertDType(x, dtype) })
					params, x, duals := in[:len(params)], in[len(params)], in[len(params)+1:]
					loss := func(rows *Node) *Node {
						part := func(i int) *Node {
							return Slice(rows, AxisRange(), AxisRange(i*batch, (i+1)*batch), AxisRange())
						}
						b := ommlx.Batch{F: part(0), TF: part(1), Overlap: []*Node{part(2), part(3)}}
						value, _ := objective.Loss(b, duals)
						return value
					}
					with := func(l *Node) []*Node { return append(Gradient(ReduceAllSum(l), params...), l) }
					distinct := operator.GatherRows(network.Apply(params, x), index)
					every := network.Apply(params, Gather(x, InsertAxes(index, -1))) // at each sample, [R, 4B, 2]
					return append(with(loss(distinct)), with(loss(every))...)
				}).Call(t, tensors.FromFlatDataAndDimensions(sampled, runs, 4*batch), params, coordinates,
					testkit.LateState(objective, runs, k))
				distinct, every := out[:len(out)/2], out[len(out)/2:]
				testkit.RequireAllClose(t, every, distinct, tolerance, "gradients and loss")
				for _, a := range every {
					require.Greater(t, floats.Norm(a.Data, 2), 1e-6)
				}
			})
		}
	}
}

// TestGatherRowsOutOfRange: the rows of indices outside [0, N) are NaN, and so is the loss of their run. Other rows and
// the other run keep their values and gradients.
func TestGatherRowsOutOfRange(t *testing.T) {
	table := []float64{1, 2, 3, 4, 5, 6} // two runs of three states
	for _, wrong := range []int32{-1, 3, math.MaxInt32, math.MinInt32} {
		index := tensors.FromFlatDataAndDimensions([]int32{0, 2, 2, 0, wrong, 1}, 2, 3)
		out := testkit.CompileFor(t, testkit.Backend(t), func(in []*Node) []*Node {
			rows := operator.GatherRows(in[0], in[1])
			loss := ReduceSum(Square(rows), 1, 2)
			return []*Node{rows, loss, Gradient(ReduceAllSum(loss), in[0])[0]}
		}).Numbers(t, tensors.FromFlatDataAndDimensions(table, 2, 3, 1), index)
		require.True(t, math.IsNaN(out[0][4]), "index %d", wrong)
		out[0][4] = 0
		assert.Equal(t, []float64{1, 3, 3, 4, 0, 5}, out[0])
		assert.Equal(t, 19.0, out[1][0])
		assert.True(t, math.IsNaN(out[1][1]))
		assert.Equal(t, []float64{2, 0, 12}, out[2][:3])
	}
}
