package representation

import (
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/xslices"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/internal/testkit"
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
	n, m := len(first), len(firstState)
	x := tensors.FromFlatDataAndDimensions([]float32{1, -2, 3, 0, 5, 1, -1, 2, 2, 4, 0, -3}, 4, 3)
	out := testkit.CompileFor(t, testkit.Backend(t), func(in []*Node) []*Node {
		x, p, s := in[0], in[1:1+len(params)], in[1+len(params):]
		f, next := whole.Train(p, s, x)
		features, applied := whole.Apply(p, s, x)
		_, three := top.Apply(p[:n], s[:m], x)
		h, after := back.Train(p[:n], s[:m], x)
		g, last := front.Train(p[n:], s[m:], h...)
		alone, _ := back.Apply(p[:n], s[:m], x)
		_, composed := front.Apply(p[n:], s[m:], alone)
		cut := Slice(alone, AxisRange(), AxisRange(), AxisRange(0, 3))
		return slices.Concat([]*Node{f[0], features, applied, three}, next, []*Node{g[0], alone, composed, cut}, after,
			last)
	}).Numbers(t, x, params, state)
	for i, want := range out[len(out)/2:] {
		require.InDeltaSlice(t, want, out[i], 1e-6, "output %d", i)
	}
}

// A plain projector is Linear-ReLU-Linear, as in solo-learn's SimCLR.
func TestPlainProjectorHasNoNormalisation(t *testing.T) {
	p := Encoder{Backbone: Projector{In: 2, Hidden: 3, Layers: 1, Out: 1, Plain: true}}
	params, state := p.Init([]int64{4})
	require.Empty(t, state)
	require.Len(t, params, 4, "two matrices and their biases")
	w := xslices.Map(params, tensorx.Numbers)
	out := testkit.CompileFor(t, testkit.Backend(t), func(in []*Node) []*Node {
		f, _ := p.Train(in[1:], nil, in[0])
		_, applied := p.Apply(in[1:], nil, in[0])
		return []*Node{f[0], applied}
	}).Numbers(t, tensors.FromFlatDataAndDimensions([]float32{1, -2, 0.5, 3}, 2, 2), params)
	for i, x := range [][]float64{{1, -2}, {0.5, 3}} {
		want := w[3][0]
		for h := range 3 {
			want += w[2][h] * max(0, w[0][2*h]*x[0]+w[0][2*h+1]*x[1]+w[1][h])
		}
		assert.InDelta(t, want, out[0][i], 1e-6)
		assert.InDelta(t, want, out[1][i], 1e-6)
	}
}
