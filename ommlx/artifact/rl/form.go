package rl

import (
	"cmp"
	"fmt"
	"slices"

	"operator-omm/ommlx"
)

// Form is what the public code of section 3.1 has in its objectives beside the text (repository
// samueltzhou/laplacian_dual_dynamics_omm), and what goes beyond both. The zero value is the text.
type Form struct {
	Weights   Weights   `json:"weights,omitempty"`
	Penalty   Penalty   `json:"penalty,omitempty"`
	Estimator Estimator `json:"estimator,omitempty"`
}

// Weights are those of nesting: how much the functions of one network have of it.
type Weights string

// The weights. With w_i = k − i + 1 the gradient of f_i is multiplied by w_i, or the loss of the i-th function in joint
// nesting counts w_i².
const (
	TextWeights    Weights = ""        // those of the text: 1 each, or 1/k each in joint nesting
	LinearWeights  Weights = "linear"  // src/trainer/seq_low_rank.py at 58e10cd, eff_seq_low_rank.py at e0190be
	SquaredWeights Weights = "squared" // src/trainer/low_rank.py at 58e10cd
)

// Penalty is the form of the shift by κI.
type Penalty string

// The forms; see [ommlx.Penalised].
const (
	NoPenalty       Penalty = ""         // the shift itself
	NestedPenalty   Penalty = "nested"   // May 2025: src/trainer/seq_low_rank.py and low_rank.py at 58e10cd
	ReversedPenalty Penalty = "reversed" // July 2025: src/trainer/eff_seq_low_rank.py at e0190be
)

// Estimator says what M[f,Pf] is estimated from in a minibatch of pairs.
type Estimator string

// The estimators.
const (
	OwnEstimator Estimator = ""            // of the method: OMM has products f(s) f(s')ᵀ, ALLO differences f(s) − f(s')
	Products     Estimator = "products"    // ALLO with 2 tr(M[f] − M[f,Pf]), M[f] from its two batches
	Differences  Estimator = "differences" // OMM with differences, see [ommlx.Differences]
)

// Walks says who draws the data.
type Walks string

// The sources of walks.
const (
	WalksOwn    Walks = ""       // [gridworld.Collect]
	WalksPublic Walks = "public" // the generators of the public code, see [gridworld.CollectAsAuthors]
)

// of returns the weights of k functions as [ommlx.OMM] takes them, nil for those of the text: in joint nesting those of
// the prefixes, which add up to the numbers that the code has for each function.
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

// apply gives an objective this form, with the shift κ.
func (f Form) apply(o ommlx.Objective, k int, kappa float64) ommlx.Objective {
	omm, ok := o.(ommlx.OMM)
	if !ok {
		return o
	}
	omm.Weights = f.Weights.of(omm.Nesting, k)
	if f.Penalty == NoPenalty {
		return omm
	}
	return ommlx.Penalised{OMM: omm, Kappa: kappa, Reversed: f.Penalty == ReversedPenalty}
}

// oneOf returns an error where a choice is none of those that there are.
func oneOf[T ~string](what string, choice T, of ...T) error {
	if slices.Contains(of, choice) {
		return nil
	}
	return fmt.Errorf("unknown %s %q; use one of %q", what, choice, of)
}

// validateForm reports a form that does not exist, or not for this method and expectation.
func (e Experiment) validateForm(o ommlx.Objective) error {
	_, isOMM := o.(ommlx.OMM)
	if _, ok := o.(ommlx.Penalised); ok {
		isOMM = true
	}
	if err := cmp.Or(
		oneOf("weights", e.Weights, TextWeights, LinearWeights, SquaredWeights),
		oneOf("penalty", e.Penalty, NoPenalty, NestedPenalty, ReversedPenalty),
		oneOf("estimator", e.Estimator, OwnEstimator, Products, Differences),
		oneOf("walks", e.Walks, WalksOwn, WalksPublic),
	); err != nil {
		return err
	}
	switch f := e.Form; {
	case (f.Weights != TextWeights || f.Penalty != NoPenalty) && !isOMM:
		return fmt.Errorf("weights %q and penalty %q are for OMM; leave both empty for %s", f.Weights, f.Penalty,
			e.Method)
	case f.Estimator == Differences && e.isALLO() || f.Estimator == Products && !e.isALLO():
		return fmt.Errorf("the estimator %q is what %s has anyway; leave it empty", f.Estimator, e.Method)
	case f.Estimator == Differences && f.Penalty != NoPenalty:
		return fmt.Errorf("estimator %q and penalty %q do not go together; leave one empty", f.Estimator, f.Penalty)
	case (f.Estimator != OwnEstimator || f.Penalty != NoPenalty) && e.Expectation != Minibatch:
		return fmt.Errorf("estimator %q and penalty %q are for a minibatch, but the expectation is %q", f.Estimator,
			f.Penalty, e.Expectation)
	case e.Walks == WalksPublic && e.Length != episodeLength:
		return fmt.Errorf("the public walks are episodes of %d transitions, not %d", episodeLength, e.Length)
	case e.DataSeed < 0:
		return fmt.Errorf("the seed of the data is %d; it must not be negative", e.DataSeed)
	}
	return nil
}
