package rl

import (
	"omm-go/ommlx"
	"omm-go/ommlx/artifact/rl/gridworld"
	"omm-go/ommlx/artifact/run"
)

// paperSteps is the number of optimiser steps of the paper's protocol.
const paperSteps = 80_000

// Reading has the settings that the paper's text leaves open in section 3.1; see tables/readings_k50.
type Reading struct {
	Gamma   float64 // discount of the pair law
	Shift   float64 // κ in T = P + κI
	Overlap Overlap // source of M[f]
}

// chosenReading is the reading for the rows of figure 1 and Table 2 by the text's protocol. The shift by I is from the
// text. The discount 0.9 and the two batches of states for M[f], as in ALLO's constraint, are from the code that the
// paper builds on: the text has one-step transitions and no source of M[f].
var chosenReading = Reading{Gamma: 0.9, Shift: 1, Overlap: OverlapStates}

// Paper returns the paper's protocol (Sections 3.1 and C.1): k = 11, 10⁶ transitions (5·10⁶ for k = 50), batch 1,024,
// 3×256 ReLU, 80,000 Adam steps at 10⁻³ with linear warm-up over the first tenth.
//
// The settings that its text leaves open are from the code that the paper builds on (Gomez et al. 2024, al.yaml at
// commit b8156180): batch, episodes of 50 steps, γ = 0.9 and the batches for M[f].
func Paper(environment, method string, k int, runs int) Experiment {
	e := Experiment{
		Environment: environment, Method: method, K: k, Seeds: run.Seeds(runs), Expectation: Minibatch,
		Transitions: 1_000_000, Length: episodeLength, Batch: 1024, Hidden: []int{256, 256, 256},
	}.As(chosenReading)
	if k >= 50 {
		e.Transitions = 5_000_000
	}
	if e.isALLO() {
		e.Shift, e.Overlap, e.Barrier, e.BarrierRate = 0, OverlapPairs, tunedPair.Barrier, tunedPair.Rate
	}
	return e.WithSteps(paperSteps)
}

// WithSteps sets the number of steps, the warm-up, if any, to a tenth of it, and the interval of 20 evaluations.
func (e Experiment) WithSteps(steps int) Experiment {
	if fresh := e.Train.Steps == 0; fresh || e.Train.Adam.Schedule.Warmup > 0 {
		e.Train.Adam.Schedule.Warmup = steps / 10
	}
	e.Train.Steps = steps
	e.Train.Adam = e.Train.Adam.WithDefaults()
	e.Train.EvalEvery = max(1, steps/20)
	return e
}

// As sets the settings that the paper leaves open.
func (e Experiment) As(r Reading) Experiment {
	e.Gamma, e.Shift, e.Overlap = r.Gamma, r.Shift, r.Overlap
	return e
}

// publicShift is κ in OMM's runs in the public histories of all twelve environments, named …0.5_5_14_25 or
// …_0.5_shift_5_14_25 on the branch gpu_attempt. Only GridRoom-1, GridRoom-16, GridRoom-64 and GridRoomSym-4 also have
// runs with κ = 1, …_1.0_shift_5_15_25. It is not known which of the two figure 1 shows.
const publicShift = 0.5

// May returns the protocol of the public code at the time of figure 1: repository
// samueltzhou/laplacian_dual_dynamics_omm, commit 58e10cd of 2025-05-16, src/hyperparam/{al,omm,omm_joint}.yaml and
// src/trainer/{al,seq_low_rank,low_rank}.py. It differs from [Paper] in
//
//   - Adam at 10⁻³ without warm-up;
//   - OMM: M[f] from one batch of states, the shift by κ = ½ as a penalty on the pairs' first states, w_i = k − i + 1
//     in sequential nesting and w_i² in joint nesting;
//   - ALLO: α_barrier = 1;
//   - data of seed 1234 in all runs, which here differ in initial weights and batches.
func May(environment, method string, runs int) Experiment {
	e := Paper(environment, method, spectrumModes, runs)
	e.DataSeed, e.Walks, e.Train.Adam.Schedule.Warmup = gridworld.AuthorsSeed, WalksPublic, 0
	if e.isALLO() {
		e.BarrierRate = 1
		return e
	}
	e.Overlap, e.Weights, e.Penalty = OverlapState, LinearWeights, NestedPenalty
	if method == "omm_jnt" {
		e.Weights = SquaredWeights
	}
	e.Shift = publicShift
	return e
}

// Same returns the authors' recipe for k = 11, [May], at k = 50 with 5·10⁶ steps of data: "the same recipe as k = 11,
// with the only difference being" the data (l. 1049).
func Same(environment string) Experiment {
	e := May(environment, "omm_seq", 1)
	e.K, e.Transitions = tab2Modes, Paper(environment, "omm_seq", tab2Modes, 1).Transitions
	return e
}

// July returns the protocol of the public code at the time of Table 2, k = 50: commit e0190be of 2025-07-28,
// src/hyperparam/{al,omm}.yaml and src/trainer/{al,eff_seq_low_rank}.py. It differs from [May] in the data, 5·10⁶
// steps, and for OMM-seq in the reversed penalty and in Adam at 2·10⁻³ with a linear warm-up over the first tenth, as
// in omm.yaml and the paper's text. barrier and rate are ALLO's hyperparameters.
//
// The scripts of that commit do not warm up: --linear_warmup is false by default (train_laprepr.py, line 406) and
// overrides omm.yaml (lines 50 to 52). See [JulyCold].
func July(environment, method string, runs int, barrier, rate float64) Experiment {
	e := May(environment, method, runs)
	e.K, e.Transitions = tab2Modes, Paper(environment, method, tab2Modes, runs).Transitions
	if e.isALLO() {
		e.Barrier, e.BarrierRate = barrier, rate
		return e
	}
	e.Shift, e.Penalty, e.Train.Adam.LearningRate = 1, ReversedPenalty, 2e-3
	e.Train.Adam.Schedule.Warmup = e.Train.Steps / 10
	return e
}

// JulyCold returns [July] of OMM-seq without warm-up, as the scripts of the public code ran it.
func JulyCold(environment string) Experiment {
	e := July(environment, "omm_seq", 1, 0, 0)
	e.Train.Adam.Schedule.Warmup = 0
	return e
}

// Settings of the public code (see [May]) that differ from the text, and settings of neither. The zero values follow
// the text.
type (
	// Weights are the weights of nesting. With w_i = k − i + 1, w_i multiplies the gradient of f_i, or in joint nesting
	// w_i² multiplies the loss of the i-th function.
	Weights string
	// Penalty is the form of the shift by κI; see [Penalised].
	Penalty string
	// Estimator is how M[f,Pf] is estimated from a minibatch of pairs.
	Estimator string
	// Walks is the generator of the data.
	Walks string
)

// Values of Weights, Penalty, Estimator and Walks.
const (
	TextWeights    Weights = ""        // 1 each, or 1/k each in joint nesting
	LinearWeights  Weights = "linear"  // src/trainer/seq_low_rank.py at 58e10cd, eff_seq_low_rank.py at e0190be
	SquaredWeights Weights = "squared" // src/trainer/low_rank.py at 58e10cd

	NoPenalty       Penalty = ""         // the shift itself
	NestedPenalty   Penalty = "nested"   // May 2025: src/trainer/seq_low_rank.py and low_rank.py at 58e10cd
	ReversedPenalty Penalty = "reversed" // July 2025: src/trainer/eff_seq_low_rank.py at e0190be

	OwnEstimator Estimator = ""            // of the method: OMM has products f(s) f(s')ᵀ, ALLO differences f(s) − f(s')
	Products     Estimator = "products"    // ALLO with 2 tr(M[f] − M[f,Pf]), M[f] from its two batches
	Differences  Estimator = "differences" // OMM with differences, see [ommlx.Differences]

	WalksOwn    Walks = ""       // [gridworld.Collect]
	WalksPublic Walks = "public" // the generators of the public code, see [gridworld.CollectAsAuthors]
)

// of returns the weights of k functions for [ommlx.OMM]; nil for the text's. In joint nesting these are the weights of
// the prefixes, whose sums are the code's weights of each function.
func (w Weights) of(n ommlx.Nesting, k int) []float64 {
	if w == TextWeights {
		return nil
	}
	m := make([]float64, k)
	for i := range m {
		if m[i] = float64(k - i); w == SquaredWeights {
			m[i] *= m[i]
		}
	}
	if n == ommlx.Joint {
		for i := range k - 1 {
			m[i] -= m[i+1]
		}
	}
	return m
}
