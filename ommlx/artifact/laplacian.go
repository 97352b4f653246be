package artifact

import (
	"fmt"
	"math"

	"operator-omm/ommlx"
	"operator-omm/ommlx/gridworld"
	"operator-omm/ommlx/net"
	"operator-omm/ommlx/operator"
	"operator-omm/ommlx/optim"
	"operator-omm/ommlx/train"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"
)

// Expectation says how the second moments are estimated in every step.
type Expectation string

// The ways to estimate them.
const (
	Minibatch Expectation = "minibatch" // from Batch sampled pairs, as the paper does
	AllPairs  Expectation = "all_pairs" // from all pairs of the data at once, each with its exact weight
	Exact     Expectation = "exact"     // from the exact transition matrix; a diagnostic
)

// Laplacian is one experiment of the paper's Section 3.1: a method on an environment, in independent runs.
type Laplacian struct {
	Environment string      `json:"environment"`
	Generated   bool        `json:"generated"`      // the maze is ours, not the official one
	Method      string      `json:"method"`         // an id of [ommlx.Lookup]
	K           int         `json:"k"`              // number of eigenfunctions
	Gamma       float64     `json:"gamma"`          // discount of the pair law; 0: one-step pairs
	Shift       float64     `json:"shift"`          // κ in T = P + κI; ALLO ignores it, being a method for I − P
	Expectation Expectation `json:"expectation"`    // how moments are estimated
	Transitions int         `json:"transitions"`    // size of the data
	Length      int         `json:"episode_length"` // transitions of an episode
	Batch       int         `json:"batch"`          // pairs of a minibatch
	Hidden      []int       `json:"hidden"`         // widths of the ReLU network
	// Barrier and BarrierRate are ALLO's b and α_barrier.
	Barrier     float64  `json:"barrier,omitempty"`
	BarrierRate float64  `json:"barrier_rate,omitempty"`
	Train       Training `json:"train"`
	Seeds       []int64  `json:"seeds"` // one run each: data, initialisation and batches
}

// episodeLength is the number of transitions of an episode in the code that the paper builds on
// (max_episode_steps in al.yaml).
const episodeLength = 50

// PaperLaplacian returns the paper's protocol (Sections 3.1 and C.1): k = 11, 10⁶ transitions (5·10⁶ for
// k = 50), batch 1,024, 3×256 ReLU, 80,000 Adam steps at 10⁻³ with linear warm-up over the first tenth.
//
// What the paper's text leaves open is taken from the code that it builds on (Gomez et al. 2024, al.yaml at
// commit b8156180): batch, episodes of 50 steps and γ = 0.9. For the shift see [Reproduces].
func PaperLaplacian(environment, method string, k int, runs int) Laplacian {
	const steps = 80_000
	l := Laplacian{
		Environment: environment, Method: method, K: k,
		Gamma: Reproduces.Gamma, Shift: Reproduces.Shift, Expectation: Minibatch,
		Transitions: 1_000_000, Length: episodeLength, Batch: 1024, Hidden: []int{256, 256, 256},
		Seeds: seeds(runs),
	}
	if k >= 50 {
		l.Transitions = 5_000_000
	}
	if method == "allo" {
		l.Shift, l.Barrier, l.BarrierRate = 0, 2.0, 0.01
	}
	return l.withSteps(steps)
}

// withSteps sets the number of steps and what follows from it: warm-up over a tenth, 20 evaluations.
func (l Laplacian) withSteps(steps int) Laplacian {
	l.Train.Steps = steps
	l.Train.Adam = optim.Adam{LearningRate: 1e-3, Schedule: optim.Schedule{Warmup: steps / 10}}.WithDefaults()
	l.Train.EvalEvery = max(1, steps/20)
	return l
}

func seeds(runs int) []int64 {
	s := make([]int64, runs)
	for i := range s {
		s[i] = int64(i + 1)
	}
	return s
}

// objective returns the method with this experiment's settings.
func (l Laplacian) objective() (ommlx.Objective, error) {
	o, err := ommlx.Lookup(l.Method)
	if err != nil {
		return nil, err
	}
	if a, ok := o.(ommlx.ALLO); ok {
		a.Barrier, a.BarrierRate = l.Barrier, l.BarrierRate
		if l.Expectation != Minibatch {
			a.Graph = ommlx.GraphMoments
		}
		return a, nil
	}
	return o, nil
}

func (l Laplacian) network() net.MLP { return net.MLP{In: 2, Hidden: l.Hidden, Out: l.K} }

// Validate returns an error that names the field that does not fit.
func (l Laplacian) Validate() error {
	w, err := gridworld.LoadWorld(l.Environment)
	if err != nil {
		return err
	}
	o, err := l.objective()
	if err != nil {
		return err
	}
	switch n := w.Grid.N(); {
	case l.K < 1 || l.K > n:
		return fmt.Errorf("k is %d, but %s has %d states; choose k from 1 to %d", l.K, l.Environment, n, n)
	case l.Expectation != Minibatch && l.Expectation != AllPairs && l.Expectation != Exact:
		return fmt.Errorf("unknown expectation %q; use %q, %q or %q", l.Expectation, Minibatch, AllPairs, Exact)
	case !(l.Gamma >= 0 && l.Gamma < 1):
		return fmt.Errorf("the discount γ is %g; it must lie in [0, 1)", l.Gamma)
	case l.Batch < 1 || l.Transitions < 1 || l.Length < 1:
		return fmt.Errorf("batch %d, transitions %d and episode length %d must all be at least 1", l.Batch, l.Transitions, l.Length)
	case math.IsNaN(l.Shift) || math.IsInf(l.Shift, 0):
		return fmt.Errorf("the shift κ is %g; it must be finite", l.Shift)
	}
	if err := l.network().Validate(); err != nil {
		return err
	}
	if err := ommlx.Check(o, l.K); err != nil {
		return err
	}
	return l.Train.config().Validate()
}

// Problem collects the data and returns the training problem.
func (l Laplacian) Problem() (train.Problem, error) {
	var p train.Problem
	if err := l.Validate(); err != nil {
		return p, err
	}
	w, err := gridworld.LoadWorld(l.Environment)
	if err != nil {
		return p, err
	}
	objective, err := l.objective()
	if err != nil {
		return p, err
	}
	data, err := l.data(w)
	if err != nil {
		return p, err
	}
	n := w.Grid.N()
	network := l.network()
	p.Seeds = l.Seeds
	p.Params = network.Init(l.Seeds)
	p.State = objective.InitState(len(l.Seeds), l.K)
	p.Data = []*tensors.Tensor{tensors.FromFlatDataAndDimensions(w.Grid.Coordinates(), n, 2), data}
	p.Loss = func(in train.Inputs) (*Node, []*Node) {
		table := network.Apply(in.Params, in.Data[0]) // f on every state, [R, N, k]
		if l.Expectation != Minibatch {
			f, tf := operator.Weighted(table, in.Data[1])
			return objective.Loss(l.shifted(ommlx.Batch{F: f, TF: tf}), in.State)
		}
		return l.minibatchLoss(objective, table, in)
	}
	return p, nil
}

// shifted decomposes P + κI, unless κ = 0.
func (l Laplacian) shifted(b ommlx.Batch) ommlx.Batch {
	if l.Shift == 0 {
		return b
	}
	return b.Shift(l.Shift)
}

// minibatchLoss samples pairs, and for ALLO two further batches of states, and evaluates the objective on them.
func (l Laplacian) minibatchLoss(objective ommlx.Objective, table *Node, in train.Inputs) (*Node, []*Node) {
	episodes := in.Data[1]
	from, to := operator.SamplePairs(episodes, in.Random.Uniform(dtypes.Float32, l.Batch, 3), l.Gamma)
	index := []*Node{from, to}
	if l.Method == "allo" {
		for range 2 {
			index = append(index, operator.SampleStates(episodes, in.Random.Uniform(dtypes.Float32, l.Batch, 2)))
		}
	}
	rows := operator.GatherRows(table, Concatenate(index, 1))
	part := func(i int) *Node { return Slice(rows, AxisRange(), AxisRange(i*l.Batch, (i+1)*l.Batch), AxisRange()) }
	b := ommlx.Batch{F: part(0), TF: part(1)}
	if l.Method == "allo" {
		b.C1, b.C2 = part(2), part(3)
	}
	return objective.Loss(l.shifted(b), in.State)
}

// data returns what a step reads: episodes [R, E, L+1] int32, or pair weights [R, N, N].
func (l Laplacian) data(w *gridworld.World) (*tensors.Tensor, error) {
	n, runs := w.Grid.N(), len(l.Seeds)
	var states []int32
	weights := make([]float32, 0, runs*n*n)
	exact := mat.Matrix(w.P)
	if l.Expectation == Exact {
		mixture, err := gridworld.GeometricTransition(w.P, l.Gamma, l.Length)
		if err != nil {
			return nil, err
		}
		exact = mixture
	}
	count := 0
	for _, seed := range l.Seeds {
		switch l.Expectation {
		case Exact:
			weights = appendSymmetric(weights, exact, 1/float64(n))
		default:
			e, err := gridworld.Collect(w.Grid, l.Transitions, l.Length, seed)
			if err != nil {
				return nil, err
			}
			count = e.Count
			if l.Expectation == Minibatch {
				states = append(states, e.States...)
				continue
			}
			pairs, err := e.PairMatrix(l.Gamma)
			if err != nil {
				return nil, err
			}
			weights = appendSymmetric(weights, pairs, 1)
		}
	}
	if l.Expectation == Minibatch {
		return tensors.FromFlatDataAndDimensions(states, runs, count, l.Length+1), nil
	}
	return tensors.FromFlatDataAndDimensions(weights, runs, n, n), nil
}

// appendSymmetric appends scale·(W + Wᵀ)/2 by rows: the walk is reversible, so a pair counts in both directions.
func appendSymmetric(flat []float32, w mat.Matrix, scale float64) []float32 {
	n, _ := w.Dims()
	for i := range n {
		for j := range n {
			flat = append(flat, float32(scale*(w.At(i, j)+w.At(j, i))/2))
		}
	}
	return flat
}
