package representation

import (
	"math"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/train"
)

// Blocks give the same outputs as one call. The running statistics are the last tensors of a state. A run that is not
// finite gives zeros and does not change the others.
func TestExtractorMatchesTheEncoder(t *testing.T) {
	projector := Projector{In: 4, Hidden: 5, Layers: 1, Out: 2}
	e := Encoder{Backbone: ResidualMLP{In: 3, Width: 4, Layers: 3}, Projector: &projector}
	params, state := e.Init([]int64{1, 2})
	x := []float32{1, -2, 3, 0, 5, 1, -1, 2, 2, 4, 0, -3, 2, 2, 2}
	want := testkit.CompileFor(t, testkit.Backend(t), func(in []*Node) []*Node {
		features, f := e.Apply(in[1:1+len(params)], in[1+len(params):], MulScalar(in[0], 0.5))
		return []*Node{features, f}
	}).Numbers(t, tensors.FromFlatDataAndDimensions(x, 5, 3), params, state)
	v := NewExtractor(testkit.Backend(t), e, func(x *Node) *Node { return MulScalar(x, 0.5) }, 2, 3)
	defer v.Close()
	now := train.Snapshot{Params: params, State: append([]*tensors.Tensor{tensors.FromScalar(float32(7))}, state...)}
	labels := []int{0, 1, 2, 1, 0}
	both := testkit.Must(Extract(v, now, x, labels))
	for i, runs := range both {
		require.InDeltaSlice(t, want[i], slices.Concat(runs[0].X, runs[1].X), 1e-6)
		require.Equal(t, []int{4, 2}[i], runs[0].Dim)
		require.Equal(t, labels, runs[1].Labels)
	}
	flat := tensors.MustCopyFlatData[float32](params[len(params)-1])
	flat[0] = float32(math.NaN()) // of the first run's last bias
	params[len(params)-1] = tensors.FromFlatDataAndDimensions(flat, 2, 2)
	damaged := testkit.Must(Extract(v, now, x, labels))
	require.Equal(t, both[0], damaged[0])
	require.Equal(t, make([]float32, 10), damaged[1][0].X)
	require.Equal(t, both[1][1], damaged[1][1])
}
