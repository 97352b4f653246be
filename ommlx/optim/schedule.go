package optim

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
)

// Decay names how the learning rate falls after the warm-up.
type Decay string

// The decays that the paper's experiments use.
const (
	Constant Decay = ""       // η_t = η after the warm-up
	Cosine   Decay = "cosine" // half a cosine from η to 0 at Steps
	Tenths   Decay = "tenths" // a tenth of the previous rate from each milestone on
	// Cosines repeats Cosine: from η to 0 between each two milestones (warm restarts, Loshchilov and Hutter 2017).
	Cosines Decay = "cosines"
)

// Schedule is a linear warm-up followed by a decay: with s the number of steps already taken, the learning rate is η
// times
//
//	s/Warmup                                                         for s < Warmup,
//	1,  ½(1 + cos π(s−Warmup)/(Steps−Warmup))  or  10^−|{m: m ≤ s}|  after it, m being the milestones.
//
// The first step of a warm-up therefore has rate 0, as in optax's linear_schedule, which the paper's code base uses;
// the paper (Section C.1) says "linear warm-up from 0" over the first 10 %.
//
// With WarmupFrom a > 0 the first step has rate aη and the last step of the warm-up already has rate η, as in
// solo-learn, which the paper's image experiment uses (Section C.3; solo/utils/lr_scheduler.py at commit 9187ea3):
//
//	a + (1−a) s/(Warmup−1)  for s < Warmup.
//
// Milestones work as in torch.optim.lr_scheduler.MultiStepLR with its default γ of 0.1. solo-learn's linear probes have
// them at the ends of epochs 60 and 80 of 100; the paper gives no decay for the probe.
type Schedule struct {
	Warmup int   `json:"warmup"` // steps of linear warm-up; 0: none
	Decay  Decay `json:"decay"`
	Steps  int   `json:"steps"` // the step at which a cosine reaches 0; unused by the others
	// WarmupFrom is the fraction of η at which the warm-up starts, in [0, 1).
	WarmupFrom float64 `json:"warmup_from,omitempty"`
	// Milestones are the steps, ascending, at which the rate of Tenths falls or a cosine of Cosines ends.
	Milestones []int `json:"milestones,omitempty"`
}

// Validate returns an error that names the field that is out of range.
func (s Schedule) Validate() error {
	switch {
	case s.Warmup < 0:
		return fmt.Errorf("schedule: Warmup is %d, want 0 or more", s.Warmup)
	case s.Decay != Constant && s.Decay != Cosine && s.Decay != Tenths && s.Decay != Cosines:
		return fmt.Errorf("schedule: unknown Decay %q, want %q, %q, %q or %q", s.Decay, Constant, Cosine,
			Tenths, Cosines)
	case s.Decay == Cosine && s.Steps <= s.Warmup:
		return fmt.Errorf("schedule: Steps is %d, want more than Warmup, %d", s.Steps, s.Warmup)
	case !(s.WarmupFrom >= 0 && s.WarmupFrom < 1) || s.WarmupFrom > 0 && s.Warmup == 0:
		return fmt.Errorf("schedule: WarmupFrom is %g, want a number in [0, 1), 0 without Warmup", s.WarmupFrom)
	case (s.Decay == Tenths || s.Decay == Cosines) != (len(s.Milestones) > 0):
		return fmt.Errorf("schedule: Decay is %q with Milestones %v; use Milestones with %q and %q only", s.Decay,
			s.Milestones, Tenths, Cosines)
	case !slices.IsSortedFunc(append([]int{s.Warmup}, s.Milestones...), func(a, b int) int { return a - b - 1 }):
		return fmt.Errorf("schedule: Milestones are %v, want an ascending list after Warmup %d", s.Milestones, s.Warmup)
	}
	return nil
}

// Factor returns η_t/η for step, a floating scalar that counts the steps already taken.
func (s Schedule) Factor(step *Node) *Node {
	factor := OnesLike(step)
	from := func(m int) *Node { return GreaterOrEqual(step, MulScalar(OnesLike(step), m)) }
	cosine := func(first, end int) *Node {
		done := ClipScalar(DivScalar(AddScalar(step, float64(-first)), float64(end-first)), 0, 1)
		return MulScalar(OnePlus(Cos(MulScalar(done, math.Pi))), 0.5)
	}
	switch s.Decay {
	case Cosine:
		factor = cosine(s.Warmup, s.Steps)
	case Cosines:
		first := s.Warmup
		for i, m := range s.Milestones {
			if next := cosine(first, m); i == 0 {
				factor = next
			} else {
				factor = Where(from(first), next, factor)
			}
			first = m
		}
	case Tenths:
		for _, m := range s.Milestones {
			factor = Where(from(m), MulScalar(factor, 0.1), factor)
		}
	}
	if s.WarmupFrom > 0 {
		rise := MinScalar(DivScalar(step, float64(max(s.Warmup-1, 1))), 1.0)
		return Mul(factor, AddScalar(MulScalar(rise, 1-s.WarmupFrom), s.WarmupFrom))
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
