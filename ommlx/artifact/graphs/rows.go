package graphs

import (
	"slices"

	"operator-omm/ommlx/artifact/lab"
)

// row is one experiment of Table 3.
type row struct {
	label, method string
	change        func(*Experiment) // what it has that others of its method have not; nil for nothing
	paper         *printed          // nil for a row that the paper has not, or has no numbers in
	diverges      bool              // the paper says that this training diverges
	paperOnly     bool              // the row is of the paper profile alone
}

// printed are the paper's numbers in per cent, with their ± over 10 probes of one training.
type printed struct{ representation, embedding reached }

// reached are the numbers of a probe, before Correct & Smooth and after it.
type reached struct{ probe, smoothed [2]float64 }

// rows lists the experiments: those of the paper in its order; OMM of S + I, which has no negative eigenvalues; OMM and
// LoRA with the sum over functions as their loss; the paper's with epochs of nodes; and the baselines, what probes do
// with a network before training and without one. The smoke profile has none of those that differ from another one by a
// change.
func rows(p lab.Profile) []row {
	summed := func(e *Experiment) { e.Network.Summed = true }
	eigenmapsPaper := &printed{representation: reached{[2]float64{74.05, 1.71}, [2]float64{82.40, 0.91}},
		embedding: reached{[2]float64{50.76, 0.72}, [2]float64{80.90, 0.20}}}
	ommPaper := &printed{representation: reached{[2]float64{73.66, 1.88}, [2]float64{82.06, 1.03}},
		embedding: reached{[2]float64{74.17, 0.19}, [2]float64{84.11, 0.12}}}
	all := []row{
		{label: "LoRA", method: "lora", diverges: true},
		{label: "LoRA, functions normalised", method: "lora", diverges: true,
			change: func(e *Experiment) { e.Network.Normalised = true }},
		{label: "Neural Eigenmaps", method: eigenmaps, paper: eigenmapsPaper},
		{label: "OMM", method: "omm", paper: ommPaper},
		{label: "OMM of S + I", method: "omm", change: func(e *Experiment) { e.Network.Shift = 1 }},
		{label: "OMM, loss summed over functions", method: "omm", change: summed},
		{label: "LoRA, loss summed over functions", method: "lora", change: summed},
		{label: "LoRA, 20 epochs of nodes", method: "lora", diverges: true, change: byNodes, paperOnly: true},
		{label: "Neural Eigenmaps, 20 epochs of nodes", method: eigenmaps, paper: eigenmapsPaper, change: byNodes,
			paperOnly: true},
		{label: "OMM, 20 epochs of nodes", method: "omm", paper: ommPaper, change: byNodes, paperOnly: true},
		{label: untrained, method: "omm",
			change: func(e *Experiment) { e.Network.Frozen, e.Network.Steps = true, 100 }},
		{label: "features of the nodes", method: Features},
		{label: "eigenvectors of S", method: Eigenvectors},
	}
	return slices.DeleteFunc(all, func(r row) bool {
		return p == lab.Smoke && r.change != nil || p != lab.Paper && r.paperOnly
	})
}

func (r row) experiment(p lab.Profile) Experiment {
	method := r.method
	plain := method == Features || method == Eigenvectors
	if plain {
		method = "omm" // graph and probe are its
	}
	e := Paper(method, 1)
	if p != lab.Paper {
		e = Quick(method)
	}
	if plain {
		e = e.plain(r.method)
	}
	if r.change != nil {
		r.change(&e)
	}
	if p == lab.Smoke {
		e = e.smoke()
	}
	return e
}

// untrained is the label of the network before training.
const untrained = "network before training"

// baselines are the labels of the rows in which nothing is learned but a probe.
var baselines = []string{untrained, "features of the nodes", propagated, nothing}

// The labels of the rows that see known labels and edges alone.
const (
	propagated = "label propagation"
	nothing    = "the same prediction for all nodes"
)

// experiments are those of the rows.
func experiments(p lab.Profile) (list []Experiment) {
	for _, r := range rows(p) {
		list = append(list, r.experiment(p))
	}
	return list
}
