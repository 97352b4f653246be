// Package graphs is the paper's experiment with representations of the nodes of a large graph: Table 3 (Section C.3).
package graphs

import (
	"cmp"
	"fmt"
	"math"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/probe"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/artifact/verify"
	"omm-go/ommlx/optim"
	"omm-go/ommlx/train"
)

// Inputs of a linear probe other than learned functions, for [Experiment.Method].
const (
	// Features are the unchanged features of the nodes.
	Features = "features"
	// Eigenvectors are the leading eigenvectors of the normalised adjacency matrix, by [spectral.Lanczos].
	Eigenvectors = "eigenvectors"
)

// Experiment is the training of functions on the nodes of a graph and their evaluation. With [Features] and
// [Eigenvectors] only linear probes are trained, one for each seed.
type Experiment struct {
	Graph      string      `json:"graph"`                // [Dataset].Name
	Generation *Generation `json:"generation,omitempty"` // of a generated graph
	// Unseen is the share of the test nodes whose edges are hidden from training and from Correct & Smooth, in [0, 1).
	// They stand for new nodes without edges and are judged separately.
	Unseen float64 `json:"unseen"`
	Method string  `json:"method"` // a name of [verify.Lookup], "neural_eigenmaps", [Features] or [Eigenvectors]
	K      int     `json:"k"`      // number of functions or eigenvectors
	Probe  Probe   `json:"probe"`
	// Network is nil with [Features] and [Eigenvectors]. Experiments do not share it.
	Network *Network `json:"network,omitempty"`
	Seeds   []int64  `json:"seeds"` // one run each, for initialisation and edges, or for the probe
}

// Network is the network that is learned and its training.
type Network struct {
	Width  int `json:"width"`  // of the residual MLP
	Layers int `json:"layers"` // of the residual MLP
	Hidden int `json:"hidden"` // width of the projector's hidden layer
	// Shift is s in S + sI, the operator that is decomposed. S itself has negative eigenvalues.
	Shift float64 `json:"shift"`
	// Normalised divides each function by its root mean square over the batch.
	Normalised bool `json:"normalised"`
	// Summed leaves the loss a sum over functions, as in the equations. Otherwise it is divided by K, as in the code of
	// Neural Eigenmaps: for parameters that LARS does not adapt, steps would be K times as long.
	Summed bool `json:"summed"`
	// Alpha and Block belong to Neural Eigenmaps: the weight α, and the nodes of a block (see blockScale).
	Alpha float64 `json:"alpha,omitempty"`
	Block int     `json:"block,omitempty"`
	// Frozen keeps the initial parameters, as a baseline. Steps update only the running statistics.
	Frozen   bool       `json:"frozen,omitempty"`
	Batch    int        `json:"batch"` // edges of a step; functions are evaluated at both ends
	Steps    int        `json:"steps"`
	LARS     optim.LARS `json:"lars"`
	BFloat16 bool       `json:"bfloat16,omitempty"` // as in [probe.ResidualMLP]
}

// Probe is the linear evaluation at the end.
type Probe struct {
	Batch     int       `json:"batch"`
	Epochs    int       `json:"epochs"`
	SGD       optim.SGD `json:"sgd"`
	Smoothing float64   `json:"smoothing"` // of the labels
	// Repetitions is the number of probes of each run; it is 1 with [Features] and [Eigenvectors].
	Repetitions int `json:"repetitions"`
}

// evaluations is the number of evaluations by nearest neighbours during training.
const evaluations = 6

func (e Experiment) learns() bool { return e.Method != Features && e.Method != Eigenvectors }

// Validate returns an error if a field is out of range. It reads no graph.
func (e Experiment) Validate() error {
	learns, n := e.learns(), Network{}
	if e.Network != nil {
		n = *e.Network
	}
	for _, rule := range []struct {
		holds bool
		field string
		value any
		want  string
	}{
		{e.Graph == ProductsName || e.Graph == GeneratedName, "graph", e.Graph,
			fmt.Sprintf("%q or %q", ProductsName, GeneratedName)},
		{(e.Graph == GeneratedName) == (e.Generation != nil), "generation", e.Generation,
			"one for generated graphs only"},
		{learns == (e.Network != nil), "network", e.Network, "one for methods that learn only"},
		{e.Unseen >= 0 && e.Unseen < 1, "unseen", e.Unseen, "a number in [0, 1)"},
		{e.Probe.Repetitions >= 1, "probe.repetitions", e.Probe.Repetitions, "at least 1"},
		{e.K >= 1 || e.Method == Features && e.K == 0, "k", e.K, "at least 1"},
		{!learns || e.eigenmaps() == (n.Block > 0), "network.block", n.Block, "positive for Neural Eigenmaps only"},
		{!learns || n.Batch >= 1, "network.batch", n.Batch, "at least 1"},
		{!learns || n.Steps >= 1, "network.steps", n.Steps, "at least 1"},
		{!learns || min(n.Width, n.Hidden) >= 1, "network.width", n.Width, "at least 1, as network.hidden"},
		{!learns || n.Layers%2 == 1, "network.layers", n.Layers, "an odd number"},
		{n.Shift >= 0 && !math.IsInf(n.Shift, 1), "network.shift", n.Shift, "a finite number of at least 0"},
	} {
		if !rule.holds {
			return fmt.Errorf("%s is %v, want %s", rule.field, rule.value, rule.want)
		}
	}
	err := e.linear(2).Validate()
	if err == nil && e.Generation != nil {
		err = e.Generation.Validate()
	}
	if err != nil || !learns {
		return err
	}
	o, err := e.objective()
	if err != nil {
		return err
	}
	if o.InitState(1, e.K) != nil {
		return fmt.Errorf("method is %s, want an objective without a state", e.Method)
	}
	return cmp.Or(ommlx.Check(o, e.K), n.LARS.Validate())
}

var eigenmaps = NeuralEigenmaps{}.Name()

func (e Experiment) objective() (ommlx.Objective, error) {
	if e.eigenmaps() {
		return NeuralEigenmaps{}, nil
	}
	return verify.Lookup(e.Method)
}

func (e Experiment) eigenmaps() bool { return e.Method == eigenmaps }

func (e Experiment) backbone(features int) probe.ResidualMLP {
	n := e.Network
	return probe.ResidualMLP{In: features, Width: n.Width, Layers: n.Layers, BFloat16: n.BFloat16}
}

func (e Experiment) projector() probe.Projector {
	return probe.Projector{In: e.Network.Width, Hidden: e.Network.Hidden, Layers: 1, Out: e.K,
		BFloat16: e.Network.BFloat16}
}

func (e Experiment) linear(classes int) probe.Linear {
	p := e.Probe
	return probe.Linear{Classes: classes, Batch: p.Batch, Epochs: p.Epochs, Optimiser: p.SGD, Smoothing: p.Smoothing}
}

func (e Experiment) config() train.Config {
	n := e.Network
	c := train.Config{Steps: n.Steps, Optimiser: n.LARS, EvalEvery: max(1, n.Steps/evaluations)}
	if n.Frozen {
		c.Optimiser = optim.SGD{LearningRate: 1e-30} // too small to change a float32
	}
	return c
}

// Label names the experiment in a progress bar.
func (e Experiment) Label() string {
	n := *cmp.Or(e.Network, new(Network))
	return run.Label(e.K, e.Seeds, e.Graph+" "+e.Method, run.If(n.Normalised, "normalised"),
		run.If(n.Summed, "summed"), run.If(n.Shift > 0, "shift %g", n.Shift), run.If(n.Frozen, "untrained"),
		run.If(e.Graph == ProductsName && e.learns(), "%d steps", n.Steps))
}

// RunSeeds implements [run.Experiment].
func (e Experiment) RunSeeds() []int64 { return e.Seeds }

// With implements [run.Experiment].
func (e Experiment) With(seeds []int64) Experiment {
	e.Seeds = seeds
	return e
}
