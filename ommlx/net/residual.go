package net

import (
	"cmp"
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// ResidualMLP is a network of linear layers without bias, with batch normalisations N, ReLU and residual connections:
//
//	h = ReLU(N(W x)),   then (Layers − 1)/2 times   h ← ReLU(N(W_2 ReLU(N(W_1 h))) + h).
//
// The paper has 11 layers of width 2,048 on graphs (Section C.3), which is ResMLP with num_layers 12 in the code that
// it builds on (thudzj/NEigenmaps at commit 008a379, graph/res_mlp.py and README.md).
type ResidualMLP struct {
	In       int  // d, the number of features of a sample
	Width    int  // of every layer, 2048 when zero (the paper)
	Layers   int  // an odd number, 11 when zero (the paper)
	BFloat16 bool // as that of [ResNet18]
}

// Validate returns an error that names the number that is out of range.
func (m ResidualMLP) Validate() error {
	if m.In < 1 || m.Width < 0 || max(m.In, m.Width) > mostWide {
		return fmt.Errorf("residual MLP: the widths are %d and %d; they must be from 1 to %d, and the second one may "+
			"be 0 for the paper's 2048", m.In, m.Width, mostWide)
	}
	if layers := cmp.Or(m.Layers, 11); layers < 1 || layers%2 == 0 || layers > mostDeep {
		return fmt.Errorf("residual MLP: there are %d layers; give an odd number below %d, one and two for each block",
			m.Layers, mostDeep)
	}
	return nil
}

// Features is the number of features that come out, the width.
func (m ResidualMLP) Features() int { return cmp.Or(m.Width, 2048) }

func (m ResidualMLP) blocks() int { return (cmp.Or(m.Layers, 11) - 1) / 2 }

func (m ResidualMLP) network() network {
	net := network{name: "ResidualMLP", stream: 0x4e5, bfloat16: m.BFloat16, input: rowsOf("ResidualMLP", m.In),
		pass: func(l *layers, x *Node) *Node { return l.residualRows(m, x) }}
	in := m.In
	for range 1 + 2*m.blocks() {
		net.params = append(append(net.params, dense(in, m.Features())[0]), normWeights(m.Features())...)
		net.statistics = append(net.statistics, normStatistics(m.Features())...)
		in = m.Features()
	}
	return net
}

// Init draws initial parameters for len(seeds) runs, in float32 and layer by layer: matrices [R, out, in], uniform in
// ±1/√in as PyTorch has them, γ = 1 and β = 0 [R, out]. Run r depends on seeds[r] alone.
func (m ResidualMLP) Init(seeds []int64) []*tensors.Tensor { return m.network().start(seeds) }

// InitState returns the running statistics of runs before the first batch, as [ResNet18.InitState] does.
func (m ResidualMLP) InitState(runs int) []*tensors.Tensor { return m.network().startState(runs) }

// Train returns the features [R, B, width] of each view's samples [B, d] (the same for every run) or [R, B, d], and the
// next running statistics; see [ResNet18.Train]. It panics, as all graph building does, with one sentence when shapes
// do not fit.
func (m ResidualMLP) Train(params, state []*Node, views ...*Node) (features, next []*Node) {
	return m.network().train(params, state, views)
}

// Apply returns the features of samples x, normalised by the running statistics. It panics as [ResidualMLP.Train] does.
func (m ResidualMLP) Apply(params, state []*Node, x *Node) *Node {
	return m.network().apply(params, state, x)
}

func (l *layers) residualRows(m ResidualMLP, x *Node) *Node {
	h := relu(l.norm(l.linear(x)))
	for range m.blocks() {
		y := l.norm(l.linear(relu(l.norm(l.linear(h)))))
		h = relu(Add(y, h))
	}
	return h
}
