package probe

import (
	"math"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/train"
)

func TestEncoderComposesItsParts(t *testing.T) {
	projector := Projector{In: 4, Hidden: 5, Layers: 1, Out: 2}
	back, front := Encoder{Backbone: ResidualMLP{In: 3, Width: 4, Layers: 3}}, Encoder{Backbone: projector}
	whole, top := back, back
	whole.Projector, top.Top = &projector, 3
	seeds := []int64{1, 2}
	params, state := whole.Init(seeds)
	first, firstState := back.Init(seeds)
	second, secondState := front.Init(seeds)
	require.Equal(t, slices.Concat(first, second, firstState, secondState), slices.Concat(params, state))
	in := []any{tensors.FromFlatDataAndDimensions([]float32{1, -2, 3, 0, 5, 1, -1, 2, 2, 4, 0, -3}, 4, 3)}
	for _, p := range append(params, state...) {
		in = append(in, p)
	}
	out := testkit.Evaluate(t, func(in []*Node) []*Node {
		x, p, s := in[0], in[1:1+len(params)], in[1+len(params):]
		p1, s1, p2, s2 := p[:len(first)], s[:len(firstState)], p[len(first):], s[len(firstState):]
		f, next := whole.Train(p, s, x)
		h, want := back.Train(p1, s1, x)
		g, after := front.Train(p2, s2, h...)
		features, applied := whole.Apply(p, s, x)
		alone, same := back.Apply(p1, s1, x)
		_, composed := front.Apply(p2, s2, alone)
		both := [][2]*Node{{f[0], g[0]}, {features, alone}, {features, same}, {applied, composed}}
		for i, n := range append(want, after...) {
			both = append(both, [2]*Node{next[i], n})
		}
		f, next = top.Train(p1, s1, x)
		_, applied = top.Apply(p1, s1, x)
		cut := func(x *Node) *Node { return Slice(x, AxisRange(), AxisRange(), AxisRange(0, 3)) }
		both = append(both, [2]*Node{f[0], cut(h[0])}, [2]*Node{applied, cut(alone)}, [2]*Node{next[0], want[0]})
		var nodes []*Node
		for _, pair := range both {
			nodes = append(nodes, pair[0], pair[1])
		}
		return nodes
	}, in...)
	for i := 0; i < len(out); i += 2 {
		require.NotEmpty(t, out[i])
		assert.InDeltaSlice(t, out[i+1], out[i], 1e-6, i/2)
	}
}

// A plain projector is Linear-ReLU-Linear, as in solo-learn's SimCLR.
func TestPlainProjectorHasNoNormalisation(t *testing.T) {
	p := Encoder{Backbone: Projector{In: 2, Hidden: 3, Layers: 1, Out: 1, Plain: true}}
	params, state := p.Init([]int64{4})
	require.Empty(t, state)
	require.Len(t, params, 4, "two matrices and their biases")
	var w [][]float32
	in := []any{tensors.FromFlatDataAndDimensions([]float32{1, -2, 0.5, 3}, 2, 2)}
	for _, q := range params {
		w, in = append(w, tensors.MustCopyFlatData[float32](q)), append(in, q)
	}
	out := testkit.Evaluate(t, func(in []*Node) []*Node {
		f, _ := p.Train(in[1:], nil, in[0])
		_, applied := p.Apply(in[1:], nil, in[0])
		return []*Node{f[0], applied}
	}, in...)
	for i, x := range [][]float32{{1, -2}, {0.5, 3}} {
		want := w[3][0]
		for h := range 3 {
			want += w[2][h] * max(0, w[0][2*h]*x[0]+w[0][2*h+1]*x[1]+w[1][h])
		}
		assert.InDelta(t, want, out[0][i], 1e-6)
		assert.InDelta(t, want, out[1][i], 1e-6)
	}
}

// Blocks give the same outputs as one call. The running statistics are the last tensors of a state. A run that is not
// finite gives zeros and does not change the others.
func TestEvaluatorMatchesTheEncoder(t *testing.T) {
	projector := Projector{In: 4, Hidden: 5, Layers: 1, Out: 2}
	e := Encoder{Backbone: ResidualMLP{In: 3, Width: 4, Layers: 3}, Projector: &projector}
	params, state := e.Init([]int64{1, 2})
	x := []float32{1, -2, 3, 0, 5, 1, -1, 2, 2, 4, 0, -3, 2, 2, 2}
	args := []any{tensors.FromFlatDataAndDimensions(x, 5, 3)}
	for _, p := range append(params, state...) {
		args = append(args, p)
	}
	want := testkit.Evaluate(t, func(in []*Node) []*Node {
		features, f := e.Apply(in[1:1+len(params)], in[1+len(params):], MulScalar(in[0], 0.5))
		return []*Node{features, f}
	}, args...)
	v := e.Evaluator(testkit.Backend(t), func(x *Node) *Node { return MulScalar(x, 0.5) })
	defer v.Close()
	now := train.Snapshot{Params: params, State: append([]*tensors.Tensor{tensors.FromScalar(float32(7))}, state...)}
	block := func(first int) (*tensors.Tensor, error) {
		rows := append(slices.Clone(x[3*first:min(3*first+6, len(x))]), 9, 9, 9)
		return tensors.FromFlatDataAndDimensions(rows[:6], 2, 3), nil
	}
	both := testkit.Must(v.On(now, 5, block))
	for i, o := range both {
		require.Len(t, o.Runs, 2)
		require.InDeltaSlice(t, want[i], slices.Concat(o.Runs...), 1e-6)
		require.Equal(t, []int{4, 2}[i], o.Dim)
	}
	flat := tensors.MustCopyFlatData[float32](params[len(params)-1])
	flat[0] = float32(math.NaN()) // of the first run's last bias
	params[len(params)-1] = tensors.FromFlatDataAndDimensions(flat, 2, 2)
	damaged := testkit.Must(v.On(now, 5, block))
	require.Equal(t, both[0], damaged[0])
	require.Equal(t, make([]float32, 10), damaged[1].Runs[0])
	require.Equal(t, both[1].Runs[1], damaged[1].Runs[1])
}
