package probe

import (
	"cmp"
	"fmt"
)

// Projector is the network between the features and the objective: linear layers with batch normalisation N and ReLU
// between them,
//
//	h ← ReLU(N(W h + b)),   Layers times,   then   f = W h + b.
//
// The paper has Linear(d, 2048)-BN-ReLU-Linear(2048, 2048)-BN-ReLU-Linear(2048, 256) on images (Section C.3). On graphs
// its "8192-4096" is Linear(d, 8192)-BN-ReLU-Linear(8192, 4096) in the code that it builds on (thudzj/NEigenmaps at
// commit 008a379, graph/main_products.py); there the first layer has no b, which N would cancel. SimCLR in solo-learn
// has Linear(d, 2048)-ReLU-Linear(2048, 256), which is Plain with one layer (solo/methods/simclr.py at commit 9187ea3).
type Projector struct {
	In       int  // d, the number of features
	Hidden   int  // width of the hidden layers, 2048 when zero (the paper, on images)
	Layers   int  // hidden layers, 2 when zero (the paper, on images)
	Out      int  // k, the number of functions, 256 when zero (the paper, on images)
	Plain    bool // without normalisation, h ← ReLU(W h + b)
	BFloat16 bool // as in [ResNet18]
}

// Validate returns an error if a number is out of range.
func (p Projector) Validate() error {
	if p.In < 1 || min(p.Hidden, p.Layers, p.Out) < 0 {
		return fmt.Errorf("projector: in %d, layers %d, hidden %d, out %d; want in ≥ 1 and the others ≥ 0, 0 for the "+
			"paper's values", p.In, p.Layers, p.Hidden, p.Out)
	}
	return nil
}

func (p Projector) network() network {
	in, hidden := p.In, cmp.Or(p.Hidden, 2048)
	var all []layer
	for range cmp.Or(p.Layers, 2) {
		if all = append(all, dense(in, hidden)); !p.Plain {
			all = append(all, norm(hidden))
		}
		all, in = append(all, rectifier), hidden
	}
	return network{name: "Projector", stream: 0x9c0, bfloat16: p.BFloat16, rank: 2, channels: p.In,
		layer: chain(append(all, dense(in, cmp.Or(p.Out, 256)))...)}
}
