package representation

// Projector is the network between the features and the objective: linear layers with batch normalisation N and ReLU
// between them,
//
//	h ← ReLU(N(W h + b)),   Layers times,   then   f = W h + b.
//
// On images the paper has two hidden layers of width 2,048 (Section C.3). On graphs its "8192-4096" is one of width
// 8,192 and k = 4,096 in the code that it builds on (thudzj/NEigenmaps at commit 008a379, graph/main_products.py);
// there the first layer has no b, which N would cancel. solo-learn's SimCLR (solo/methods/simclr.py at commit 9187ea3)
// has one of width 2,048, Plain.
type Projector struct {
	In     int  // d, the number of features
	Hidden int  // width of the hidden layers
	Layers int  // number of hidden layers
	Out    int  // k, the number of functions
	Plain  bool // without normalisation, h ← ReLU(W h + b)
}

func (p Projector) network() network {
	in := p.In
	var all []layer
	for range p.Layers {
		if all = append(all, dense(in, p.Hidden)); !p.Plain {
			all = append(all, norm(p.Hidden))
		}
		all, in = append(all, rectifier), p.Hidden
	}
	return network{stream: 0x9c0, rank: 2, layer: chain(append(all, dense(in, p.Out))...)}
}

// ResidualMLP is a network of linear layers without bias, batch normalisations N, ReLU and residual connections:
//
//	h = ReLU(N(W x)),   then (Layers − 1)/2 times   h ← ReLU(N(W_2 ReLU(N(W_1 h))) + h).
//
// The paper has 11 layers of width 2,048 on graphs (Section C.3): ResMLP with num_layers 12 in the code that it builds
// on (thudzj/NEigenmaps at commit 008a379, graph/res_mlp.py and README.md).
type ResidualMLP struct {
	In     int // d, the number of features of a sample
	Width  int // of every layer
	Layers int // an odd number
}

func (m ResidualMLP) network() network {
	normed := func(in int) layer { return chain(linear(in, m.Width), norm(m.Width)) }
	all := []layer{normed(m.In), rectifier}
	for range (m.Layers - 1) / 2 {
		all = append(all, residual(chain(normed(m.Width), rectifier, normed(m.Width)), chain()))
	}
	return network{stream: 0x4e5, rank: 2, layer: chain(all...)}
}
