// Package graphs is the paper's experiment with representations of the nodes of a large graph, as data: Table 3
// (Section C.3).
package graphs

import (
	"cmp"
	"fmt"
	"math"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/graphs/ogb"
	"omm-go/ommlx/artifact/probe"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/artifact/verify"
	"omm-go/ommlx/optim"
	"omm-go/ommlx/train"
)

// What a linear probe sees instead of learned functions, in [Experiment.Method].
const (
	// Features are the features of the nodes as they are.
	Features = "features"
	// Eigenvectors are the leading eigenvectors of the normalised adjacency matrix, by [spectral.Lanczos].
	Eigenvectors = "eigenvectors"
)

// Experiment is one training of functions on the nodes of a graph, and what judges it. With [Features] and
// [Eigenvectors] nothing but linear probes is trained, one for each seed.
type Experiment struct {
	Graph      string          `json:"graph"`                // [ogb.Graph].Name
	Generation *ogb.Generation `json:"generation,omitempty"` // of a generated graph
	// Unseen is the share of the test nodes whose edges neither training nor Correct & Smooth sees, in [0, 1). They are
	// judged apart, as new nodes are that come without edges.
	Unseen float64 `json:"unseen"`
	Method string  `json:"method"` // a name of [verify.Lookup], "neural_eigenmaps", [Features] or [Eigenvectors]
	K      int     `json:"k"`      // number of functions or eigenvectors
	Probe  Probe   `json:"probe"`
	// Network is nil with [Features] and [Eigenvectors]. Each experiment has its own.
	Network *Network `json:"network,omitempty"`
	Seeds   []int64  `json:"seeds"` // one run each: initialisation, edges; or of the probe
}

// Network says which functions are learned, and how.
type Network struct {
	Width  int `json:"width"`  // of the residual MLP
	Layers int `json:"layers"` // of the residual MLP
	Hidden int `json:"hidden"` // width of the projector's hidden layer
	// Shift is s in S + sI, the operator that is decomposed. Without it S has negative eigenvalues.
	Shift float64 `json:"shift"`
	// Normalised divides each function by its root mean square over the batch.
	Normalised bool `json:"normalised"`
	// Summed takes the loss as the equations have it, a sum over functions. Otherwise it is divided by K, as the code
	// of Neural Eigenmaps divides its own: steps on what LARS does not adapt would be K times as long.
	Summed bool `json:"summed"`
	// Alpha and Block are the numbers of Neural Eigenmaps: the weight α, and the nodes of a block (see blockScale).
	Alpha float64 `json:"alpha,omitempty"`
	Block int     `json:"block,omitempty"`
	// Frozen leaves the parameters as they were drawn: a baseline, whose steps take the running statistics alone.
	Frozen   bool       `json:"frozen,omitempty"`
	Batch    int        `json:"batch"` // edges of a step, each with the functions at both of its ends
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
	// Repetitions are probes of each learned function; with [Features] and [Eigenvectors] each seed has one.
	Repetitions int `json:"repetitions"`
}

// looks is how often a training is looked at with the nearest neighbours.
const looks = 6

func (e Experiment) learns() bool { return e.Method != Features && e.Method != Eigenvectors }

// Validate returns an error that names the field that does not fit. It reads no graph.
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
		{e.Graph == ogb.ProductsName || e.Graph == ogb.GeneratedName, "graph", e.Graph,
			fmt.Sprintf("%q or %q", ogb.ProductsName, ogb.GeneratedName)},
		{(e.Graph == ogb.GeneratedName) == (e.Generation != nil), "generation", e.Generation,
			"one for generated graphs only"},
		{learns == (e.Network != nil), "network", e.Network, "one for methods that learn only"},
		{e.Unseen >= 0 && e.Unseen < 1, "unseen", e.Unseen, "a number in [0, 1)"},
		{e.Probe.Repetitions >= 1, "probe.repetitions", e.Probe.Repetitions, "at least 1"},
		{e.K >= 1 || e.Method == Features && e.K == 0, "k", e.K, "at least 1"},
		{!learns || e.eigenmaps() == (n.Block > 0), "network.block", n.Block, "positive for Neural Eigenmaps only"},
		{!learns || n.Batch >= 1, "network.batch", n.Batch, "at least 1"},
		{!learns || n.Steps >= 1, "network.steps", n.Steps, "at least 1"},
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
	return cmp.Or(ommlx.Check(o, e.K), e.backbone(1).Validate(), e.projector().Validate(), n.LARS.Validate())
}

// eigenmaps is the id of [NeuralEigenmaps].
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
	return probe.Projector{In: e.backbone(1).Features(), Hidden: e.Network.Hidden, Layers: 1, Out: e.K,
		BFloat16: e.Network.BFloat16}
}

func (e Experiment) linear(classes int) probe.Linear {
	p := e.Probe
	return probe.Linear{Classes: classes, Batch: p.Batch, Epochs: p.Epochs, Optimiser: p.SGD, Smoothing: p.Smoothing}
}

func (e Experiment) config() train.Config {
	n := e.Network
	c := train.Config{Steps: n.Steps, Optimiser: n.LARS, EvalEvery: max(1, n.Steps/looks)}
	if n.Frozen {
		c.Optimiser = optim.SGD{LearningRate: 1e-30} // which changes no float32 of a network
	}
	return c
}

// Label names the experiment in a progress bar.
func (e Experiment) Label() string {
	n := *cmp.Or(e.Network, new(Network))
	return run.Label(e.K, e.Seeds, e.Graph+" "+e.Method, run.If(n.Normalised, "normalised"),
		run.If(n.Summed, "summed"), run.If(n.Shift > 0, "shift %g", n.Shift), run.If(n.Frozen, "untrained"),
		run.If(e.Graph == ogb.ProductsName && e.learns(), "%d steps", n.Steps))
}

// RunSeeds is [run.Experiment]'s.
func (e Experiment) RunSeeds() []int64 { return e.Seeds }

// With is [run.Experiment]'s.
func (e Experiment) With(seeds []int64) Experiment {
	e.Seeds = seeds
	return e
}
