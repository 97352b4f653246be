// Package rl has the experiments of the paper's Section 3.1 and appendix C.1: eigenfunctions of the graph Laplacian of
// grid worlds, used as representations for reinforcement learning.
package rl

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/rl/gridworld"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/net"
)

// Experiment is a method on an environment, in independent runs.
type Experiment struct {
	Environment string       `json:"environment"`
	Generated   bool         `json:"generated"`   // always false; part of the keys of kept results
	Method      string       `json:"method"`      // an id of [ommlx.Lookup]
	K           int          `json:"k"`           // number of eigenfunctions
	Gamma       float64      `json:"gamma"`       // discount of the pair law; 0: one-step pairs
	Shift       float64      `json:"shift"`       // κ in T = P + κI; 0 for ALLO, which decomposes I − P
	Expectation Expectation  `json:"expectation"` // how moments are estimated
	Overlap     Overlap      `json:"overlap,omitempty"`
	Weights     Weighting    `json:"weights,omitempty"`
	Penalty     PenaltyForm  `json:"penalty,omitempty"`
	Estimator   Estimator    `json:"estimator,omitempty"`
	Walks       Walks        `json:"walks,omitempty"`
	DataSeed    int64        `json:"data_seed,omitempty"`    // seed of the data of all runs; 0: each run's own seed
	Transitions int          `json:"transitions"`            // size of the data
	Length      int          `json:"episode_length"`         // transitions per episode
	Batch       int          `json:"batch"`                  // pairs per minibatch
	Hidden      []int        `json:"hidden"`                 // widths of the ReLU network
	Barrier     float64      `json:"barrier,omitempty"`      // ALLO's b; 0 for other methods
	BarrierRate float64      `json:"barrier_rate,omitempty"` // ALLO's α_barrier; 0 for other methods
	Train       run.Training `json:"train"`
	Seeds       []int64      `json:"seeds"`             // one run each: data, initialisation and batches
	Picture     bool         `json:"picture,omitempty"` // keep the functions, as [run.Result].Picture
}

// Fields with a few values. An empty value follows the paper's text. Files are of the authors' code; see [May].
type (
	// Expectation is how the second moments are estimated in every step.
	Expectation string

	// Overlap is the source of M[f] when M[f,Tf] is estimated from pairs (s, s') of a minibatch. ALLO has none: its
	// constraint always uses the two batches of OverlapStates.
	Overlap string

	// Weighting is the weights of nesting: 1 each, or 1/k each in joint nesting. With w_i = k − i + 1, w_i multiplies
	// the gradient of f_i, or in joint nesting w_i² multiplies the loss of the i-th function.
	Weighting string

	// PenaltyForm is the form of the shift by κI: the shift itself, or a penalty (see [Penalised]).
	PenaltyForm string

	// Estimator is how M[f,Pf] is estimated from a minibatch of pairs: OMM has products f(s) f(s')ᵀ, ALLO differences
	// f(s) − f(s').
	Estimator string

	// Walks is the generator of the data: [gridworld.Collect], or the authors'.
	Walks string
)

// The values of these fields.
const (
	Minibatch Expectation = "minibatch" // from Batch sampled pairs, as the paper does
	AllPairs  Expectation = "all_pairs" // from all pairs of the data, each with its exact weight
	Exact     Expectation = "exact"     // from the exact transition matrix; a diagnostic

	OverlapPairs  Overlap = ""       // the first states s of the pairs
	OverlapState  Overlap = "state"  // another Batch visited states
	OverlapStates Overlap = "states" // two more batches of Batch visited states each; see [ommlx.Batch]

	LinearWeights  Weighting = "linear"  // src/trainer/seq_low_rank.py at 58e10cd, eff_seq_low_rank.py at e0190be
	SquaredWeights Weighting = "squared" // src/trainer/low_rank.py at 58e10cd

	NestedPenalty   PenaltyForm = "nested"   // May 2025: src/trainer/seq_low_rank.py and low_rank.py at 58e10cd
	ReversedPenalty PenaltyForm = "reversed" // July 2025: src/trainer/eff_seq_low_rank.py at e0190be

	Products    Estimator = "products"    // ALLO with 2 tr(M[f] − M[f,Pf]), M[f] from its two batches
	Differences Estimator = "differences" // OMM with differences, see [ommlx.Differences]

	WalksPublic Walks = "public" // [gridworld.CollectAsAuthors]
)

// Expecting sets how moments are estimated. Without a minibatch, M[f] has no separate samples.
func (e Experiment) Expecting(x Expectation) Experiment {
	if e.Expectation = x; x != Minibatch {
		e.Overlap = OverlapPairs
	}
	return e
}

// objective returns the objective of a valid experiment. It returns an error if the method is unknown.
func (e Experiment) objective() (ommlx.Objective, error) {
	o, err := ommlx.Lookup(e.Method)
	switch o := o.(type) {
	case ommlx.ALLO:
		o.Barrier, o.BarrierRate = e.Barrier, e.BarrierRate
		if e.Expectation != Minibatch {
			o.Graph = ommlx.GraphMoments
		} else if e.Estimator == Products {
			o.Graph = ommlx.GraphProducts
		}
		return o, nil
	case ommlx.OMM:
		if o.Weights = e.Weights.of(o.Nesting, e.K); e.Penalty != "" {
			return Penalised{OMM: o, Kappa: e.Shift, Reversed: e.Penalty == ReversedPenalty}, nil
		}
		return o, nil
	}
	return o, err
}

// of returns the weights of k functions for [ommlx.OMM]; nil for the text's. In joint nesting these are the weights of
// the prefixes, whose sums are the code's weights of each function.
func (w Weighting) of(n ommlx.Nesting, k int) []float64 {
	if w == "" {
		return nil
	}
	weight := func(i int) float64 {
		if w == SquaredWeights {
			return float64((k - i) * (k - i))
		}
		return float64(k - i)
	}
	m := make([]float64, k)
	for i := range m {
		if m[i] = weight(i); n == ommlx.Joint {
			m[i] -= weight(i + 1)
		}
	}
	return m
}

func (e Experiment) isALLO() bool { return strings.HasPrefix(e.Method, "allo") }

func (e Experiment) pair() BarrierPair { return BarrierPair{e.Barrier, e.BarrierRate} }

func (e Experiment) withPair(p BarrierPair) Experiment {
	e.Barrier, e.BarrierRate = p.Barrier, p.Rate
	return e
}

func (e Experiment) network() net.MLP { return net.MLP{In: 2, Hidden: e.Hidden, Out: e.K} }

// Validate returns an error that names the first field that does not fit.
func (e Experiment) Validate() error {
	g, err := gridworld.Load(e.Environment)
	if err != nil {
		return err
	}
	o, err := e.objective()
	if err != nil {
		return err
	}
	method, _ := ommlx.Lookup(e.Method)
	omm, isOMM := method.(ommlx.OMM)
	allo, minibatch, plain := e.isALLO(), e.Expectation == Minibatch, isOMM && len(omm.Orders) <= 1
	reversed := e.Penalty == ReversedPenalty && omm.Nesting == ommlx.Sequential
	if err := cmp.Or(
		run.Require(!e.Generated, "generated", e.Generated, "false"),
		run.Require(e.K >= 1 && e.K <= g.N(), "k", e.K, fmt.Sprintf("1 to %d, the number of states", g.N())),
		run.Require(e.Gamma >= 0 && e.Gamma < 1, "gamma", e.Gamma, "a number in [0, 1)"),
		run.Require(e.Shift == 0 || e.Shift > 0 && !allo, "shift", e.Shift,
			"at least 0, and 0 for ALLO, a method for I − P"),
		run.Require(allo || e.pair() == BarrierPair{}, "(barrier, barrier_rate)", e.pair(), "(0, 0) except for ALLO"),
		run.Require(min(e.Transitions, e.Length, e.Batch) >= 1, "(transitions, episode_length, batch)",
			[]int{e.Transitions, e.Length, e.Batch}, "at least 1 each"),
		run.Require(oneOf(e.Expectation, Minibatch, AllPairs, Exact), "expectation", e.Expectation,
			"minibatch, all_pairs, exact"),
		run.Require(oneOf(e.Overlap, "", OverlapState, OverlapStates) && (e.Overlap == "" || minibatch && !allo),
			"overlap", e.Overlap, "empty, or with a minibatch and not for ALLO state or states"),
		run.Require(oneOf(e.Weights, "", LinearWeights, SquaredWeights) && (e.Weights == "" || isOMM), "weights",
			e.Weights, "empty, or for OMM linear or squared, not for "+e.Method),
		run.Require(e.Penalty == "" || plain && (e.Penalty == NestedPenalty || reversed), "penalty", e.Penalty,
			"empty, or with OMM of order 1 nested, or reversed for sequential nesting"),
		run.Require(e.Estimator == "" || minibatch && e.Penalty == "" && (allo && e.Estimator == Products ||
			!allo && e.Estimator == Differences), "estimator", e.Estimator,
			"empty, products for ALLO, or differences for others, with a minibatch and no penalty"),
		run.Require(e.Walks == "" || e.Walks == WalksPublic && e.Length == gridworld.AuthorsLength &&
			e.DataSeed == gridworld.AuthorsSeed, "walks", e.Walks, "empty, or public with length 50 and seed 1234"),
	); err != nil {
		return err
	}
	return cmp.Or(e.network().Validate(), ommlx.Check(o, e.K), e.Train.Config().Validate())
}

func oneOf[T comparable](value T, of ...T) bool { return slices.Contains(of, value) }

// Label names the experiment in a progress bar, with the settings that differ from [Paper]. It omits a smaller number
// of steps, which the bar shows.
func (e Experiment) Label() string {
	method := e.Method
	for _, value := range []any{e.Expectation, e.Overlap, e.Weights, e.Penalty, e.Estimator, e.Walks} {
		if text := fmt.Sprint(value); text != "" && value != Minibatch {
			method += "/" + text
		}
	}
	p, pair := Paper(e.Environment, e.Method, e.K, 1), ""
	if e.pair() != p.pair() {
		pair = fmt.Sprintf("b=%g α=%g", e.Barrier, e.BarrierRate)
	}
	adam, usual := e.Train.Adam, p.Train.Adam
	return run.Label(e.K, e.Seeds, e.Environment, method, pair,
		run.Differs("γ", e.Gamma, p.Gamma),
		run.Differs("κ", e.Shift, p.Shift),
		run.Differs("N", e.Transitions, p.Transitions),
		run.Differs("data", e.DataSeed, p.DataSeed),
		run.Differs("rate", adam.LearningRate, usual.LearningRate),
		run.Differs("no warm-up", adam.Schedule.Warmup == 0, false),
		run.Differs("B", e.Batch, p.Batch),
		run.Differs("steps", max(e.Train.Steps, p.Train.Steps), p.Train.Steps),
		run.Differs("with functions", e.Picture, false))
}

// Cost estimates time and memory. A step takes a fixed time plus the network's time on every state, forward and
// backward: three products with each weight. The rate was measured on the committed results of figure 1.
func (e Experiment) Cost() run.Cost {
	const fixed, rate, program = 0.7e-3, 75e9, 500 << 20 // seconds, operations per second, bytes of the process itself
	g, _ := gridworld.Load(e.Environment)                // the experiment is valid
	states, weights, width := g.N(), 0, 2
	for _, w := range append(slices.Clone(e.Hidden), e.K) {
		weights, width = weights+width*w, w
	}
	runs := float64(len(e.Seeds))
	step := fixed + 6*float64(weights)*float64(states)/rate
	data := int64(e.Transitions) * 5 // 4 bytes per state, rounded up for the extra state of each episode
	if e.Expectation != Minibatch {
		data = int64(states) * int64(states) * 4
	}
	perRun := 4*data + 4*8*int64(weights) // copies on the host and on the device; parameters, moments, gradients
	return run.Cost{Seconds: float64(e.Train.Steps) * runs * step, Memory: program + int64(runs)*perRun}
}
