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
	"omm-go/ommlx/artifact/verify"
	"omm-go/ommlx/net"
)

// Experiment is a method on an environment, in independent runs.
type Experiment struct {
	Environment string       `json:"environment"`
	Generated   bool         `json:"generated"`   // always false; part of the keys of kept results
	Method      string       `json:"method"`      // an id of [verify.Lookup]
	K           int          `json:"k"`           // number of eigenfunctions
	Gamma       float64      `json:"gamma"`       // discount of the pair law; 0: one-step pairs
	Shift       float64      `json:"shift"`       // κ in T = P + κI; 0 for ALLO, which decomposes I − P
	Expectation Choice       `json:"expectation"` // how moments are estimated
	Overlap     Choice       `json:"overlap,omitempty"`
	Weights     Choice       `json:"weights,omitempty"`
	Penalty     Choice       `json:"penalty,omitempty"`
	Estimator   Choice       `json:"estimator,omitempty"`
	Walks       Choice       `json:"walks,omitempty"`
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

// Choice is one of the values of a field of [Experiment]. Empty values follow the paper's text.
type Choice string

// The choices. Files are of the authors' code; see [May].
const (
	// Expectation is how the second moments are estimated in every step.
	Minibatch Choice = "minibatch" // from Batch sampled pairs, as the paper does
	AllPairs  Choice = "all_pairs" // from all pairs of the data, each with its exact weight
	Exact     Choice = "exact"     // from the exact transition matrix; a diagnostic

	// Overlap is the source of M[f] when M[f,Tf] is estimated from pairs (s, s') of a minibatch. ALLO has none: its
	// constraint always uses the two batches of OverlapStates.
	OverlapPairs  Choice = ""       // the first states s of the pairs
	OverlapState  Choice = "state"  // another Batch visited states
	OverlapStates Choice = "states" // two more batches of Batch visited states each; see [ommlx.Batch]

	// Weights are the weights of nesting: 1 each, or 1/k each in joint nesting. With w_i = k − i + 1, w_i multiplies
	// the gradient of f_i, or in joint nesting w_i² multiplies the loss of the i-th function.
	LinearWeights  Choice = "linear"  // src/trainer/seq_low_rank.py at 58e10cd, eff_seq_low_rank.py at e0190be
	SquaredWeights Choice = "squared" // src/trainer/low_rank.py at 58e10cd

	// Penalty is the form of the shift by κI: the shift itself, or a penalty (see [Penalised]).
	NestedPenalty   Choice = "nested"   // May 2025: src/trainer/seq_low_rank.py and low_rank.py at 58e10cd
	ReversedPenalty Choice = "reversed" // July 2025: src/trainer/eff_seq_low_rank.py at e0190be

	// Estimator is how M[f,Pf] is estimated from a minibatch of pairs: OMM has products f(s) f(s')ᵀ, ALLO differences
	// f(s) − f(s').
	Products    Choice = "products"    // ALLO with 2 tr(M[f] − M[f,Pf]), M[f] from its two batches
	Differences Choice = "differences" // OMM with differences, see [ommlx.Differences]

	// Walks is the generator of the data: [gridworld.Collect], or the authors'.
	WalksPublic Choice = "public" // [gridworld.CollectAsAuthors]
)

// Expecting sets how moments are estimated. Without a minibatch, M[f] has no separate samples.
func (e Experiment) Expecting(x Choice) Experiment {
	if e.Expectation = x; x != Minibatch {
		e.Overlap = OverlapPairs
	}
	return e
}

// objective returns the objective of a valid experiment. It returns an error if the method is unknown.
func (e Experiment) objective() (ommlx.Objective, error) {
	o, err := verify.Lookup(e.Method)
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
func (w Choice) of(n ommlx.Nesting, k int) []float64 {
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
	method, _ := verify.Lookup(e.Method)
	omm, isOMM := method.(ommlx.OMM)
	allo, minibatch := e.isALLO(), e.Expectation == Minibatch
	for _, rule := range []struct {
		holds bool
		field string
		value any
		want  string
	}{
		{!e.Generated, "generated", e.Generated, "false"},
		{oneOf(e.Expectation, Minibatch, AllPairs, Exact), "expectation", e.Expectation, "minibatch, all_pairs, exact"},
		{isOMM || e.Weights == "" && e.Penalty == "", "(weights, penalty)", []Choice{e.Weights, e.Penalty},
			"both empty for " + e.Method},
		{oneOf(e.Weights, "", LinearWeights, SquaredWeights), "weights", e.Weights, "empty, linear, squared"},
		{e.Penalty == "" || len(omm.Orders) <= 1 && (e.Penalty == NestedPenalty || e.Penalty == ReversedPenalty &&
			omm.Nesting == ommlx.Sequential), "penalty", e.Penalty,
			"empty, or with OMM of order 1 nested, or reversed for sequential nesting"},
		{e.K >= 1 && e.K <= g.N(), "k", e.K, fmt.Sprintf("1 to %d, the number of states", g.N())},
		{e.Gamma >= 0 && e.Gamma < 1, "gamma", e.Gamma, "a number in [0, 1)"},
		{e.Shift == 0 || e.Shift > 0 && !allo, "shift", e.Shift, "at least 0, and 0 for ALLO, a method for I − P"},
		{allo || e.pair() == BarrierPair{}, "(barrier, barrier_rate)", e.pair(), "(0, 0) except for ALLO"},
		{e.Transitions >= 1, "transitions", e.Transitions, "at least 1"},
		{e.Length >= 1, "episode_length", e.Length, "at least 1"},
		{e.Batch >= 1, "batch", e.Batch, "at least 1"},
		{e.Overlap == OverlapPairs || minibatch && !allo && oneOf(e.Overlap, OverlapState, OverlapStates), "overlap",
			e.Overlap, "empty, or with a minibatch and not for ALLO state or states"},
		{e.Estimator == "" || minibatch && e.Penalty == "" && (allo && e.Estimator == Products ||
			!allo && e.Estimator == Differences), "estimator", e.Estimator,
			"empty, products for ALLO, or differences for others, with a minibatch and no penalty"},
		{e.Walks == "" || e.Walks == WalksPublic && e.Length == gridworld.AuthorsLength &&
			e.DataSeed == gridworld.AuthorsSeed, "walks", e.Walks, "empty, or public with length 50 and seed 1234"},
	} {
		if !rule.holds {
			return fmt.Errorf("%s is %v, want %s", rule.field, rule.value, rule.want)
		}
	}
	return cmp.Or(e.network().Validate(), ommlx.Check(o, e.K), e.Train.Config().Validate())
}

func oneOf(choice Choice, of ...Choice) bool { return slices.Contains(of, choice) }

// Label names the experiment in a progress bar, with the settings that differ from [Paper]. It omits a smaller number
// of steps, which the bar shows.
func (e Experiment) Label() string {
	method := e.Method
	for _, c := range []Choice{e.Expectation, e.Overlap, e.Weights, e.Penalty, e.Estimator, e.Walks} {
		if c != "" && c != Minibatch {
			method += "/" + string(c)
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
