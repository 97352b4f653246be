// Package graphs is the paper's experiment with representations of the nodes of a large graph: Table 3 (Section C.3).
// The graph is ogbn-products of the Open Graph Benchmark (Hu et al. 2020) or the graph of Debian's packages.
package graphs

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/representation"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/optim"
	"omm-go/ommlx/train"
)

// Inputs of a linear probe other than learned functions, for [Experiment.Method].
const (
	// Features are the unchanged features of the nodes.
	Features = "features"
	// Eigenvectors are the leading eigenvectors of the normalised adjacency matrix, by [spectral.Lanczos].
	Eigenvectors = "eigenvectors"
	// Optimum is OMM's optimum over linear functions of the features and a constant, in closed form.
	Optimum = "optimum"
)

// Experiment is the training of functions on the nodes of a graph and their evaluation. With [Features],
// [Eigenvectors] and [Optimum] only linear probes are trained, one for each seed.
type Experiment struct {
	Graph string `json:"graph"` // [ProductsName] or [DebianName]
	// Unseen is the share of the test nodes whose edges are hidden from training and from Correct & Smooth, in [0, 1).
	// They stand for new nodes without edges and are evaluated separately.
	Unseen float64 `json:"unseen"`
	Method string  `json:"method"` // a name of [ommlx.Lookup], "neural_eigenmaps", or an input of a probe
	K      int     `json:"k"`      // number of functions or eigenvectors
	Probe  Probe   `json:"probe"`
	// Network is nil for what is not learned. Experiments do not share it.
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
	// Unnormalised belongs to Neural Eigenmaps too: the functions are not divided by their norms.
	Unnormalised bool `json:"unnormalised,omitempty"`
	// Frozen keeps the initial parameters, as a baseline. Steps update only the running statistics.
	Frozen   bool       `json:"frozen,omitempty"`
	Batch    int        `json:"batch"` // edges of a step; functions are evaluated at both ends
	Steps    int        `json:"steps"`
	LARS     optim.LARS `json:"lars"`
	BFloat16 bool       `json:"bfloat16,omitempty"` // as in [representation.Encoder]
}

// Probe is the linear evaluation at the end.
type Probe struct {
	representation.Probe
	// Repetitions is the number of probes of each run; it is 1 for what is not learned.
	Repetitions int `json:"repetitions"`
}

func (e Experiment) learns() bool {
	return !slices.Contains([]string{Features, Eigenvectors, Optimum}, e.Method)
}

// Validate returns an error if a field is out of range. It reads no graph.
func (e Experiment) Validate() error {
	if err := e.Probe.Validate(); err != nil {
		return err
	}
	switch {
	case e.Graph != ProductsName && e.Graph != DebianName:
		return fmt.Errorf("graphs: graph is %q, want %s or %s", e.Graph, ProductsName, DebianName)
	case e.learns() != (e.Network != nil):
		return fmt.Errorf("graphs: network is %v for %q, want one for learned functions only", e.Network, e.Method)
	case !(e.Unseen >= 0 && e.Unseen < 1) || e.Probe.Repetitions < 1 || e.K < 1 && e.Method != Features:
		return fmt.Errorf("graphs: unseen is %g, k %d, repetitions %d; want unseen in [0, 1) and the others at least 1",
			e.Unseen, e.K, e.Probe.Repetitions)
	case !e.learns():
		return nil
	}
	o, err := e.objective()
	if err != nil {
		return err
	}
	n := e.Network
	if min(n.Batch, n.Steps, n.Width, n.Hidden, n.Layers%2) < 1 || (e.Method == eigenmaps) != (n.Block > 0) ||
		!(n.Shift >= 0) {
		return fmt.Errorf("graphs: network is %+v, want positive numbers, odd layers, and a block for %s only", *n,
			eigenmaps)
	}
	return cmp.Or(representation.CheckObjective(o, e.K), n.LARS.Validate())
}

func (e Experiment) objective() (ommlx.Objective, error) {
	if e.Method == eigenmaps {
		return NeuralEigenmaps{Alpha: e.Network.Alpha, Unnormalised: e.Network.Unnormalised}, nil
	}
	return ommlx.Lookup(e.Method)
}

func (e Experiment) encoder(features int) representation.Encoder {
	n := e.Network
	return representation.Encoder{
		Backbone:  representation.ResidualMLP{In: features, Width: n.Width, Layers: n.Layers},
		Projector: &representation.Projector{In: n.Width, Hidden: n.Hidden, Layers: 1, Out: e.K}, BFloat16: n.BFloat16}
}

// config evaluates few functions six times. It evaluates thousands on millions of nodes, and functions of the smoke
// profile, only at the end.
func (e Experiment) config() train.Config {
	n := e.Network
	every := 0
	if e.K < 1_000 && n.Steps > smokeSteps {
		every = max(1, n.Steps/6)
	}
	return representation.TrainConfig(n.LARS, n.Steps, every, n.Frozen)
}

// Label implements [run.Experiment].
func (e Experiment) Label() string {
	n := *cmp.Or(e.Network, &Network{})
	words := []string{e.Graph, e.Method, run.Differs("normalised", n.Normalised, false),
		run.Differs("unnormalised", n.Unnormalised, false), run.Differs("summed", n.Summed, false)}
	if n.Shift > 0 {
		words = append(words, fmt.Sprintf("shift %g", n.Shift))
	}
	words = append(words, run.Differs("untrained", n.Frozen, false))
	if e.learns() {
		words = append(words, fmt.Sprintf("%d steps", n.Steps))
	}
	return run.Label(e.K, e.Seeds, words...)
}

// RunSeeds implements [run.Experiment].
func (e Experiment) RunSeeds() []int64 { return e.Seeds }

// With implements [run.Experiment].
func (e Experiment) With(seeds []int64) run.Experiment {
	e.Seeds = seeds
	return e
}

// NewRun implements [run.Experiment].
func (e Experiment) NewRun() run.Evaluated { return new(Run) }

// problem is the training on a graph. The data are the features [N, d] and the visible edges for [SampleEdges]; the
// state is the running statistics. Both ends of a batch of edges are normalised together, as in the code of Neural
// Eigenmaps.
func (e Experiment) problem(s *view) (train.Problem, error) {
	objective, err := e.objective()
	if err != nil {
		return train.Problem{}, err
	}
	if o, is := objective.(NeuralEigenmaps); is {
		o.Scale = s.blockScale(e.Network.Block)
		objective = o
	}
	objective = ommlx.Shifted{Objective: objective, Kappa: e.Network.Shift}
	edges, err := NewEdgeTable(s.seen)
	if err != nil {
		return train.Problem{}, err
	}
	n, batch := e.encoder(s.Features), e.Network.Batch
	features := tensors.FromFlatDataAndDimensions(s.X, s.Nodes(), s.Features)
	p := train.Problem{Seeds: e.Seeds, Data: []*tensors.Tensor{features, edges.Offsets, edges.Neighbours}}
	p.Params, p.State = n.Init(e.Seeds)
	draws := dtypes.Float32
	if len(s.seen.Neighbours) > 1<<24 {
		draws = dtypes.Float64
	}
	p.Loss = func(in train.Inputs) (*Node, []*Node) {
		ends, weights := SampleEdges(in.Data[1], in.Data[2], in.Random.Uniform(draws, batch), edges.MeanDegree)
		views, next := n.Train(in.Params, in.State, Gather(in.Data[0], InsertAxes(ends, -1)))
		f := views[0]
		if e.Network.Normalised {
			f = Div(f, Sqrt(AddScalar(ReduceAndKeep(Square(f), ReduceMean, 1), 1e-12)))
		}
		loss, _ := objective.Loss(GraphEdges(f, weights), nil)
		if !e.Network.Summed && e.Method != eigenmaps {
			loss = DivScalar(loss, float64(e.K))
		}
		return loss, next
	}
	return p, nil
}
