package learn

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"omm-go/ommlx"
	"omm-go/ommlx/optim"
	"omm-go/ommlx/train"
)

// Settings is how an operator is learned. The zero value of every field is a default; for Batch, Steps,
// Rate and Judge the operator chooses it.
type Settings struct {
	Objective ommlx.Objective // nil: OMM with sequential nesting
	Shift     float64         // κ ≥ 0: T + κI is trained, T as the Task has it, of spectral radius about 1
	Batch     int             // samples of a step
	Steps     int
	Rate      float64         // learning rate of Adam, which falls to zero along a cosine
	Optimiser optim.Optimiser // replaces Adam and Rate
	EMA       optim.EMA       // averages the parameters that are judged
	Seeds     []int64         // one independent run for each, in one program; nil: {1}
	Judge     int             // samples on which the functions are judged

	// Overlap is the number of further batches of Batch states, 1 or 2, that M[f] is estimated from, as in
	// [ommlx.Batch]; 0 estimates it from the samples of M[f,Tf]. Gradients are unbiased (section 2.3.2 of the paper)
	// only if the factors of M[f] M[f,Tf], Eq. (8), have separate samples. A Shift makes the bias larger. One batch is
	// enough for OMM of order 1 and for Sanger's rule; two have less noise. [Kernel], [Pairs] and a Task with States
	// support it.
	Overlap int
	// Tolerance ends the training before its Steps, at one of fifty points of the history: when all residuals are at
	// most Tolerance, relative to the largest value, or, where Tf is sampled, when the score on held-out pairs has
	// risen by less than Tolerance over the last five points. 0: never.
	Tolerance float64
	// Start, if not nil, replaces the initial parameters by functions of the same shapes and number of seeds that were
	// learned or loaded before, to continue a training that took too few steps.
	Start *Learned

	// Options are the engine, the folder of checkpoints and the report of progress; Learn sets Eval and Stop.
	//
	// With no Backend, small tables are trained by the pure-Go engine, which is done before XLA has compiled; all else
	// by the default of [backend.Open]. A table is small if k (N + n) times Steps times the number of seeds is at most
	// 10⁷, for N states and n entries of a [Sparse] matrix, a [Graph] or a table of [Joint], or n = N²/200 of a
	// [Matrix]. A training with a Dir always takes the default, and GOMLX_BACKEND overrides the choice.
	// [Learned.Engine] is the engine that was used; values agree to float32 rounding.
	//
	// Progress gets new estimates of the eigenvalues at each of ten points of the history, or fifty with a Tolerance:
	// Ritz values on the sample that judges or on the held-out pairs.
	Options train.Options
}

func (s Settings) withDefaults(t Task) Settings {
	s.Objective = cmp.Or[ommlx.Objective](s.Objective, t.Objective, ommlx.OMM{Nesting: ommlx.Sequential})
	s.Batch, s.Steps = cmp.Or(s.Batch, t.Batch, 512), cmp.Or(s.Steps, t.Steps, 3_000)
	s.Rate, s.Judge = cmp.Or(s.Rate, t.Rate, 3e-3), cmp.Or(s.Judge, t.Judge, 4_096)
	if s.Seeds == nil {
		s.Seeds = []int64{1}
	}
	if s.Optimiser == nil {
		s.Optimiser = optim.Adam{LearningRate: s.Rate, Schedule: optim.Schedule{Decay: optim.Cosine, Steps: s.Steps}}
	}
	return s
}

// config is the training; its history has the points at which functions are judged.
func (s Settings) config() train.Config {
	points := 10
	if s.Tolerance > 0 {
		points = 50
	}
	return train.Config{Steps: s.Steps, Optimiser: s.Optimiser, EMA: s.EMA, EvalEvery: max(1, s.Steps/points)}
}

// validate checks settings with defaults against the task.
func (s Settings) validate(t Task, k int) error {
	if err := t.validate(); err != nil {
		return err
	}
	switch {
	case s.Batch < 1 || s.Judge < 1:
		return fmt.Errorf("Batch is %d and Judge is %d; give positive numbers, or 0 for the defaults", s.Batch, s.Judge)
	case !(s.Tolerance >= 0):
		return fmt.Errorf("Tolerance is %g; it cannot be negative", s.Tolerance)
	case !(s.Shift >= 0):
		return fmt.Errorf("Shift is %g; it cannot be negative", s.Shift)
	case s.Overlap < 0 || s.Overlap > 2:
		return fmt.Errorf("Overlap is %d; give 0, 1 or 2 batches", s.Overlap)
	case s.Overlap > 0 && t.States == nil:
		return fmt.Errorf("Overlap is %d, but the operator has no States to draw; leave it 0", s.Overlap)
	case len(s.Seeds) == 0:
		return errors.New("Seeds is empty; give one for each run, or nil for one run")
	case len(slices.Compact(slices.Sorted(slices.Values(s.Seeds)))) < len(s.Seeds):
		return fmt.Errorf("Seeds are %v; they must be distinct", s.Seeds)
	case s.Tolerance > 0 && t.Noisy && t.HeldOut.From == nil:
		return errors.New("Tolerance needs residuals or held-out pairs; leave it 0, or hold out some pairs")
	case s.Start != nil && (s.Start.Result == nil ||
		shapesOf(s.Start.Result.Best()) != shapesOf(t.Functions.Init(s.Seeds))):
		return errors.New("Start has other shapes or another number of seeds; give the same functions, k and seeds")
	}
	return ommlx.Check(s.Objective, k+t.Spare)
}
