package graphs

import (
	"slices"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/representation"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/optim"
)

// paperExperiment returns the paper's protocol (Section C.3) on ogbn-products: a residual MLP of 11 layers and width
// 2,048 with a projector, 8192-4096 or, with Neural Eigenmaps, 8192-8192; LARS at 0.3 with a cosine, 20 epochs, batches
// of 16,384; linear probes by SGD at 0.01 with weight decay 1e-3, batches of 256, 100 epochs, 10 repetitions.
//
// The code that the paper builds on (thudzj/NEigenmaps at commit 008a379, graph) settles the rest: LARS with trust
// coefficient 1e-3, unclipped; probes with momentum 0.9, labels smoothed by 0.1, 10 epochs of warm-up and a cosine. The
// loss is divided by k, as in that code. An epoch has each edge once, in batches of 8,192 edges with 16,384 ends; that
// code visits all pairs of blocks of 16,384 nodes instead, with about 5,600 edges between two blocks. The operator is S
// without a shift.
func paperExperiment(method string, runs int) Experiment {
	const batch, epochs = 8_192, 20
	e := Experiment{Graph: ProductsName, Method: method, K: 4_096, Seeds: run.Seeds(runs), Network: &Network{
		Width: 2_048, Layers: 11, Hidden: 8_192, Batch: batch, Steps: epochs * (products.edges / batch),
		LARS: optim.LARS{LearningRate: 0.3, Trust: 1e-3, Unclipped: true}.WithDefaults(), BFloat16: true,
	}}
	if e.Method == eigenmaps {
		e.K, e.Network.Alpha, e.Network.Block = 8_192, 0.3, 2*batch
	}
	e.Probe = Probe{Repetitions: 10, Probe: representation.Probe{Batch: 256, Epochs: 100, Smoothing: 0.1,
		SGD: optim.SGD{LearningRate: 0.01, Momentum: 0.9, WeightDecay: 1e-3}}}
	return e.scheduled()
}

// stepsByNodes is the number of steps of 20 epochs of nodes in batches of 16,384.
var stepsByNodes = (20*products.nodes + 16_383) / 16_384

// byNodes is the other reading of "20 epochs on the full set of nodes" with "a batch size of 16384": an epoch has as
// many ends of edges as there are nodes. That makes 2,990 steps instead of 151,020.
func byNodes(n *Network) { n.Steps, n.LARS.Schedule.Steps = stepsByNodes, stepsByNodes }

// quickExperiment returns an experiment that two cores train in two minutes: three runs on the graph of Debian's
// packages, with a residual MLP of 3 layers and width 128 and the projector 256-64. A fiftieth of the test nodes is
// unseen: hidden edges cut off small components, each with an eigenvalue 1.
//
// The trust coefficients of LARS had the best probes on the embedding, by the validation nodes, after 500 steps with
// seed 1 (in per cent; a tenth of the test nodes was unseen):
//
//	                   0.001  0.005   0.02    0.1    0.5   2
//	OMM                         43.3   47.5   35.9
//	LoRA                        37.3   41.5   31.4
//	Neural Eigenmaps    27.4    30.2   31.8   35.7   37.2   diverged
//
// With 0.5 two of three trainings of Neural Eigenmaps diverged later, so it has 0.1. OMM of S + I shares OMM's
// coefficient. With seed 1 OMM captures 29.3 in 1,000 steps and 35.1 in 4,000.
func quickExperiment(method string) Experiment {
	e := paperExperiment(method, 3)
	e.Graph, e.Unseen, e.K = DebianName, 0.02, 64
	n := e.Network
	n.Width, n.Layers, n.Hidden, n.Batch, n.Steps, n.LARS.Trust, n.BFloat16 = 128, 3, 256, 1_024, 1_500, 0.02, false
	if e.Method == eigenmaps {
		n.Block, n.LARS.Trust = n.Block*debian.nodes/products.nodes, 0.1
	}
	e.Probe.Repetitions = 1
	return e.scheduled()
}

// plain drops the network, for an experiment with as many probes as a row with a network.
func (e Experiment) plain() Experiment {
	probes := len(e.Seeds) * e.Probe.Repetitions
	e.Network, e.Seeds, e.Probe.Repetitions = nil, run.Seeds(probes), 1
	switch {
	case e.Method == Features:
		e.K = 0
	case e.Graph == ProductsName: // 4,096 eigenvectors of it would take weeks
		e.K = products.classes
	}
	return e
}

const smokeSteps = 10

// smoke shrinks the experiment to seconds.
func (e Experiment) smoke() Experiment {
	e.Probe.Repetitions, e.Probe.Epochs, e.Probe.Batch, e.Seeds = 1, 5, 64, run.Seeds(1)
	if n := e.Network; n != nil {
		n.Width, n.Hidden, n.Batch, n.Steps, e.K = 16, 16, 128, smokeSteps, 8
	}
	return e.scheduled()
}

// scheduled sets the schedules.
func (e Experiment) scheduled() Experiment {
	perEpoch := e.counts().training / e.Probe.Batch
	e.Probe.SGD.Schedule = optim.Schedule{Warmup: min(10, e.Probe.Epochs/10) * perEpoch, Decay: optim.Cosine,
		Steps: e.Probe.Epochs * perEpoch}
	if n := e.Network; n != nil {
		n.LARS.Schedule = optim.Schedule{Decay: optim.Cosine, Steps: n.Steps}
	}
	return e
}

// atPaperScale reports whether a planned experiment has the paper's graph, network and training, for either reading of
// its epochs.
func (e Experiment) atPaperScale() bool { return e.Graph == ProductsName && e.learns() }

// Cost estimates time and memory of the products of the networks, forward and backward at both ends of each edge, of
// the moments, and of Correct & Smooth, which multiplies each probe's predictions 65 times and keeps six tables.
func (e Experiment) Cost() run.Cost {
	const perSecond, perStep, perNumber, program = 120e9, 2e-3, 1.5e-9, 1 << 30 // operations, seconds, seconds, bytes
	of := e.counts()
	nodes, entries, inputs, classes := float64(of.nodes), 2*float64(of.edges), float64(of.features), float64(of.classes)
	runs, probes := float64(len(e.Seeds)), 1.0
	graph := nodes*4*inputs + entries*8
	var c run.Cost
	if n := e.Network; n != nil {
		w, h, k := float64(n.Width), float64(n.Hidden), float64(e.K)
		batch, layers := float64(2*n.Batch), float64(n.Layers)
		weights := inputs*w + (layers-1)*w*w + w*h + h*k
		step := runs * (6*batch*weights + 12*batch*k*k)
		c.Seconds = float64(n.Steps) * (perStep + step/perSecond)
		c.Memory = int64(4 * runs * (3*weights + 2*batch*(2*layers*w+2*h+6*k)))
		probes = 2 * float64(e.Probe.Repetitions)
	}
	c.Seconds += runs * probes * 65 * entries * classes * perNumber
	c.Memory += program + int64(graph+nodes*4*classes*(runs+6))
	return c
}

// printed has the paper's accuracies by one kind of functions; both cells are empty if it prints none.
type printed struct{ probe, smoothed Cell }

// paper returns an accuracy in per cent with its ± over 10 probes of one training.
func paper(mean, std float64) Cell {
	return Cell{Paper: &mean, PaperStd: &std, Verdict: claims.NotTested}
}

type row struct {
	label, method             string
	change                    func(*Network) // the difference from the method's plain row; nil for none
	representation, embedding printed
	diverges                  bool // the paper reports that this training diverges
	nodes                     bool // epochs of nodes, the other reading of the paper's
	paperOnly                 bool // the row is only in the paper profile
}

// Labels of rows: the network before training, and OMM of S + I.
const untrained, shifted = "network before training", "OMM of S + I"

// rows lists the experiments: the paper's in its order; OMM of S + I, which has no negative eigenvalues; OMM and LoRA
// with a loss summed over functions; the paper's with epochs of nodes; and the baselines: probes on a network before
// training, on features and on eigenvectors. The quick profile has OMM's optimum over linear functions instead of some
// variants; the smoke profile has OMM and the features only.
func rows(p run.Profile) []row {
	summed := func(n *Network) { n.Summed = true }
	neural := row{label: "Neural Eigenmaps", method: eigenmaps,
		representation: printed{paper(74.05, 1.71), paper(82.40, 0.91)},
		embedding:      printed{paper(50.76, 0.72), paper(80.90, 0.20)}}
	omm := row{label: "OMM", method: "omm",
		representation: printed{paper(73.66, 1.88), paper(82.06, 1.03)},
		embedding:      printed{paper(74.17, 0.19), paper(84.11, 0.12)}}
	lora := row{label: "LoRA", method: "lora", diverges: true}
	inNodes := func(r row) row {
		r.label, r.change, r.nodes, r.paperOnly = r.label+", 20 epochs of nodes", byNodes, true, true
		return r
	}
	all := []row{
		lora,
		{label: "LoRA, functions normalised", method: "lora", diverges: true, paperOnly: true,
			change: func(n *Network) { n.Normalised = true }},
		neural,
		{label: "Neural Eigenmaps, not normalised", method: eigenmaps, diverges: true,
			change: func(n *Network) { n.Unnormalised = true }},
		omm,
		{label: shifted, method: "omm", change: func(n *Network) { n.Shift = 1 }},
		{label: "OMM, loss summed over functions", method: "omm", change: summed, paperOnly: true},
		{label: "LoRA, loss summed over functions", method: "lora", change: summed},
		inNodes(lora), inNodes(neural), inNodes(omm),
		{label: untrained, method: "omm", change: func(n *Network) { n.Frozen, n.Steps = true, 100 }},
		{label: "features of the nodes", method: Features},
		{label: "eigenvectors of S", method: Eigenvectors},
	}
	switch p {
	case run.Paper:
		return all
	case run.Quick:
		all = append(all, row{label: "OMM's optimum over linear functions", method: Optimum})
		return slices.DeleteFunc(all, func(r row) bool { return r.paperOnly })
	}
	return slices.DeleteFunc(all, func(r row) bool { return r.label != "OMM" && r.method != Features })
}

func (r row) experiment(p run.Profile) Experiment {
	e := paperExperiment(r.method, 1)
	if p != run.Paper {
		e = quickExperiment(r.method)
	}
	if !e.learns() {
		e = e.plain()
	}
	if r.change != nil {
		r.change(e.Network)
	}
	if p == run.Smoke {
		e = e.smoke()
	}
	return e
}
