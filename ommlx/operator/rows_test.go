package operator_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/net"
	"omm-go/ommlx/operator"
	"omm-go/ommlx/train"
)

// TestGatherRowsReplacesEverySample: loss and gradient for the network's parameters agree with evaluating the network
// on every sample of the batch, to 1e-6 of their norm in float32 and to rounding in float64.
func TestGatherRowsReplacesEverySample(t *testing.T) {
	const runs, states, batch, k = 2, 23, 256, 5
	network := net.MLP{In: 2, Hidden: []int{32, 32}, Out: k}
	rng := rand.New(rand.NewPCG(3, 4))
	params := network.Init([]int64{1, 2})
	coordinates := train.Table(testkit.Gaussian(rng, states, 2).Matrix())
	index := make([]int32, runs*4*batch) // s, s', and two further batches for M[f]
	for i := range index {
		index[i] = int32(rng.IntN(states - 2)) // the last two states are never sampled
	}
	for _, objective := range []ommlx.Objective{ommlx.OMM{Nesting: ommlx.Sequential}, ommlx.OMM{Nesting: ommlx.Joint},
		ommlx.LoRA{Nesting: ommlx.Sequential}, ommlx.ALLO{}} {
		for dtype, tolerance := range map[dtypes.DType]float64{dtypes.Float32: 1e-5, dtypes.Float64: 1e-12} {
			t.Run(fmt.Sprint(objective.Name(), "/", dtype), func(t *testing.T) {
				engine := testkit.PureGo(t)
				if dtype == dtypes.Float32 {
					engine = testkit.XLA(t)
				}
				exec := testkit.CompileFor(t, engine, func(in []*Node) []*Node {
					for i := range in[:len(in)-1] {
						in[i] = ConvertDType(in[i], dtype)
					}
					params, x, index := in[:len(params)], in[len(params)], in[len(in)-1]
					duals := in[len(params)+1 : len(in)-1]
					loss := func(rows *Node) *Node {
						part := func(i int) *Node {
							return Slice(rows, AxisRange(), AxisRange(i*batch, (i+1)*batch), AxisRange())
						}
						b := ommlx.Batch{F: part(0), TF: part(1), Overlap: []*Node{part(2), part(3)}}
						value, _ := objective.Loss(b, duals)
						return value
					}
					distinct := loss(operator.GatherRows(network.Apply(params, x), index))
					all := Gather(x, InsertAxes(index, -1)) // the input of every sample, [R, 4B, 2]
					every := loss(network.Apply(params, all))
					out := []*Node{distinct, every}
					for _, l := range out[:2] {
						out = append(out, Gradient(ReduceAllSum(l), params...)...)
					}
					return out
				})
				out := exec.Numbers(t, arguments(params, coordinates, objective.InitState(runs, k), index)...)
				require.Len(t, out[0], runs)
				assertClose(t, out[0], out[1], tolerance)
				n := len(params)
				for i := range n {
					require.Greater(t, floats.Norm(out[2+n+i], 2), 1e-6)
					assertClose(t, out[2+i], out[2+n+i], tolerance)
				}
			})
		}
	}
}

// arguments lists the arguments of the program above, with nonzero dual variables.
func arguments(params []*tensors.Tensor, x *tensors.Tensor, state []*tensors.Tensor, index []int32) (args []any) {
	for _, p := range append(slices.Clone(params), x) {
		flat := tensors.MustCopyFlatData[float32](p) // for no engine yet
		args = append(args, tensors.FromFlatDataAndDimensions(flat, p.Shape().Dimensions...))
	}
	for _, s := range state {
		seen := make([]float32, s.Size())
		for i := range seen {
			seen[i] = float32(0.5 + 0.3*math.Cos(float64(i)))
		}
		args = append(args, tensors.FromFlatDataAndDimensions(seen, s.Shape().Dimensions...))
	}
	const runs = 2
	return append(args, tensors.FromFlatDataAndDimensions(index, runs, len(index)/runs))
}

func assertClose(t *testing.T, got, want []float64, relative float64) {
	t.Helper()
	require.Len(t, got, len(want))
	assert.LessOrEqual(t, floats.Distance(got, want, 2)/floats.Norm(want, 2), relative)
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
