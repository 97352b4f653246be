package graphs

import (
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/testkit"
)

// irregular is a graph of seven nodes with degrees from 1 to 4; nodes 3 and 6 have no neighbour.
func irregular(t *testing.T) (Adjacency, EdgeTable) {
	a := FromEdges(7, []uint32{0, 1, 0, 2, 1, 2, 2, 4, 2, 5, 1, 5})
	table := testkit.Must(NewEdgeTable(a))
	require.InDelta(t, 2.0*6/5, table.MeanDegree, 1e-15)
	return a, table
}

// everyEntry returns uniform numbers that draw each entry of the rows once, in order.
func everyEntry(a Adjacency) *tensors.Tensor {
	var u []float64
	for e := range a.Neighbours {
		u = append(u, (float64(e)+0.5)/float64(len(a.Neighbours)))
	}
	return tensors.FromFlatDataAndDimensions(u, 1, len(u))
}

func TestSampleEdgesReturnsEndsAndWeights(t *testing.T) {
	a, table := irregular(t)
	draw := testkit.CompileFor(t, testkit.Backend(t), func(in []*Node) []*Node {
		ends, weights := SampleEdges(in[0], in[1], in[2], table.MeanDegree)
		return []*Node{ends, weights}
	})
	out := draw.Numbers(t, table.Offsets, table.Neighbours, everyEntry(a))
	at := 0
	for i := range a.Nodes() {
		for _, j := range a.Row(i) {
			for end, node := range []int{i, int(j)} {
				require.EqualValues(t, node, out[0][end*len(a.Neighbours)+at])
				weight := out[1][end*len(a.Neighbours)+at]
				require.InDelta(t, table.MeanDegree/float64(a.Degree(node)), weight*weight, 1e-14)
			}
			at++
		}
	}
	edge := tensors.FromFlatDataAndDimensions([]float64{0, 0.9999999999999999}, 1, 2)
	require.Equal(t, []float64{0, 5}, draw.Numbers(t, table.Offsets, table.Neighbours, edge)[0][:2])
}

// The moments over all edges equal the moments over all nodes with a neighbour, so both estimates are unbiased.
func TestGraphEdgesAreUnbiased(t *testing.T) {
	const k = 3
	a, table := irregular(t)
	rng := testkit.NewRand(12)
	f := testkit.Gaussian(rng, a.Nodes(), k)
	moments := testkit.CompileFor(t, testkit.Backend(t), func(in []*Node) []*Node {
		ends, weights := SampleEdges(in[0], in[1], in[2], table.MeanDegree)
		b := GraphEdges(Gather(in[3], InsertAxes(ends, -1)), weights)
		return []*Node{ommlx.SecondMoment(b.F, b.F), ommlx.SecondMoment(b.F, b.TF)}
	})
	out := moments.Numbers(t, table.Offsets, table.Neighbours, everyEntry(a), f)
	sf := testkit.NewArray(f.Dims...)
	Multiply(a.Symmetric(), sf.Data, f.Data, k)
	for i := range a.Nodes() {
		if a.Degree(i) == 0 {
			clear(f.Run(i).Data)
		}
	}
	for i, with := range []testkit.Array{f, sf} {
		want := testkit.SecondMoment(f, with).Scaled(7. / 5) // five of seven nodes have a neighbour
		require.InDeltaSlice(t, want.Data, out[i], 1e-13)
	}
}

func TestEdgeErrors(t *testing.T) {
	_, err := NewEdgeTable(Adjacency{Offsets: make([]uint64, 3)})
	require.ErrorContains(t, err, "0 edges")
	exec := testkit.Must(NewExec(testkit.PureGo(t), func(in []*Node) *Node {
		ends, _ := SampleEdges(in[0], in[1], in[2], 1)
		return ends
	}))
	many := tensors.FromFlatDataAndDimensions(make([]int32, 1<<24+1), 1<<24+1)
	_, err = exec.Call(tensors.FromValue([]int32{0, 1}), many, tensors.FromValue([][]float32{{0.5}}))
	require.ErrorContains(t, err, "float64")
}
