package ommlx

import (
	"fmt"
	"math"

	. "github.com/gomlx/gomlx/core/graph"
)

// Shifted applies an objective to T + κI instead of T. With κ ≥ −λ_min the shifted operator is positive semidefinite,
// which bounds the OMM loss below. For the paper's transition kernels, with a spectrum in [−1, 1], κ = 1.
//
// For OMM-1 this is the same as adding the penalty κ‖M[f] − I‖²_F, up to the constant κk. Paper, section 2.2.3.
type Shifted struct {
	Objective
	// Kappa is κ, in the units of T's eigenvalues; 0 leaves T as it is.
	Kappa float64
}

// Name returns the objective's own name and the shift, "omm_seq+1I".
func (s Shifted) Name() string {
	if s.Objective == nil {
		return "shifted"
	}
	if s.Kappa == 0 {
		return s.Objective.Name()
	}
	return fmt.Sprintf("%s%+gI", s.Objective.Name(), s.Kappa)
}

// Traits returns the traits of the objective.
func (s Shifted) Traits() Traits { return TraitsOf(s.Objective) }

// Validate returns an error if a setting is invalid for k functions.
func (s Shifted) Validate(k int) error {
	if math.IsNaN(s.Kappa) || math.IsInf(s.Kappa, 0) {
		return fmt.Errorf("Kappa is %g, want finite", s.Kappa)
	}
	if TraitsOf(s.Objective).Sampled && s.Kappa != 0 {
		return fmt.Errorf("ALLO with sampled successors cannot be shifted: set Kappa to 0, or Graph to GraphMoments")
	}
	return Check(s.Objective, k)
}

// Loss returns the loss of the objective on the shifted batch.
func (s Shifted) Loss(b Batch, state []*Node) (*Node, []*Node) {
	mustBeValid(s, b)
	if s.Kappa != 0 {
		b = b.shifted(s.Kappa)
	}
	return s.Objective.Loss(b, state)
}
