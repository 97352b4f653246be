package probe

import (
	"cmp"
	"fmt"
)

// ResidualMLP is a network of linear layers without bias, batch normalisations N, ReLU and residual connections:
//
//	h = ReLU(N(W x)),   then (Layers − 1)/2 times   h ← ReLU(N(W_2 ReLU(N(W_1 h))) + h).
//
// The paper has 11 layers of width 2,048 on graphs (Section C.3): ResMLP with num_layers 12 in the code that it builds
// on (thudzj/NEigenmaps at commit 008a379, graph/res_mlp.py and README.md).
type ResidualMLP struct {
	In       int  // d, the number of features of a sample
	Width    int  // of every layer, 2048 when zero (the paper)
	Layers   int  // an odd number, 11 when zero (the paper)
	BFloat16 bool // as in [ResNet18]
}

// Validate returns an error if a number is out of range.
func (m ResidualMLP) Validate() error {
	if m.In < 1 || m.Width < 0 {
		return fmt.Errorf("residual MLP: in %d, width %d; want in ≥ 1 and width ≥ 0, 0 for the paper's", m.In, m.Width)
	}
	if layers := cmp.Or(m.Layers, 11); layers < 1 || layers%2 == 0 {
		return fmt.Errorf("residual MLP: layers %d, want an odd number: 1 + 2 for each block", m.Layers)
	}
	return nil
}

// Features is the number of output features, the width.
func (m ResidualMLP) Features() int { return cmp.Or(m.Width, 2048) }

func (m ResidualMLP) network() network {
	width := m.Features()
	normed := func(in int) layer { return chain(linear(in, width), norm(width)) }
	all := []layer{normed(m.In), rectifier}
	for range (cmp.Or(m.Layers, 11) - 1) / 2 {
		all = append(all, residual(chain(normed(width), rectifier, normed(width)), chain()))
	}
	return network{name: "ResidualMLP", stream: 0x4e5, bfloat16: m.BFloat16, rank: 2,
		channels: m.In, layer: chain(all...)}
}
