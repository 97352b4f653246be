package optim

import (
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
)

// Decay names how the learning rate falls after the warm-up.
type Decay string

// The decays that the paper's experiments use.
const (
	Constant Decay = ""       // η_t = η after the warm-up
	Cosine   Decay = "cosine" // half a cosine from η to 0 at Steps
)

// Schedule is a linear warm-up from 0 followed by a decay: with s the number of steps already taken, the learning rate
// is η times
//
//	s/Warmup                                     for s < Warmup,
//	1  or  ½(1 + cos π(s−Warmup)/(Steps−Warmup))  after it.
//
// The first step of a warm-up therefore has rate 0, as in optax's linear_schedule, which the code that the paper builds
// on relies on; the paper (Section C.1) says "linear warm-up from 0" over the first 10 %.
type Schedule struct {
	Warmup int   `json:"warmup"` // steps of linear warm-up; 0: none
	Decay  Decay `json:"decay"`
	Steps  int   `json:"steps"` // the step at which a cosine reaches 0; unused by Constant
}

// Validate returns an error that names the field that does not fit.
func (s Schedule) Validate() error {
	switch {
	case s.Warmup < 0:
		return fmt.Errorf("schedule: the warm-up has %d steps; it cannot be negative", s.Warmup)
	case s.Decay != Constant && s.Decay != Cosine:
		return fmt.Errorf("schedule: unknown decay %q; use %q or %q", s.Decay, Constant, Cosine)
	case s.Decay == Cosine && s.Steps <= s.Warmup:
		return fmt.Errorf("schedule: a cosine to step %d must end after the warm-up of %d steps", s.Steps, s.Warmup)
	}
	return nil
}

// Factor returns η_t/η for step, a floating scalar that counts the steps already taken.
func (s Schedule) Factor(step *Node) *Node {
	factor := OnesLike(step)
	if s.Decay == Cosine {
		done := ClipScalar(DivScalar(AddScalar(step, float64(-s.Warmup)), float64(s.Steps-s.Warmup)), 0, 1)
		factor = MulScalar(OnePlus(Cos(MulScalar(done, math.Pi))), 0.5)
	}
	if s.Warmup > 0 {
		factor = Mul(factor, MinScalar(DivScalar(step, float64(s.Warmup)), 1.0))
	}
	return factor
}

// rate returns η_t, for step counted as in [Adam.Update].
func (s Schedule) rate(step *Node, eta float64, dtype dtypes.DType) *Node {
	return MulScalar(s.Factor(ConvertDType(step, dtype)), eta)
}
