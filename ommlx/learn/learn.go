package learn

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"omm-go/ommlx"
	"omm-go/ommlx/backend"
	"omm-go/ommlx/optim"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/train"
)

// Learn trains k functions to be the leading eigenfunctions of op and evaluates them. If the context ends, it returns
// an error that wraps [train.ErrInterrupted]; with a Dir, the same call resumes the training.
//
// If every run diverges, the error wraps [train.ErrDiverged]. If no run can be evaluated after training, Learn returns
// an error and a Learned with Result and Task, but Best = −1; the Cause of each run gives the reason.
func Learn(ctx context.Context, op Operator, k int, s Settings) (l *Learned, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("learn: %w", err)
		}
	}()
	if ctx == nil {
		return nil, errors.New("ctx is nil, want a context such as context.Background()")
	}
	if l, err = prepare(op, k, s); err != nil {
		return nil, err
	}
	if ctx.Err() != nil { // before minutes of compiling
		return nil, fmt.Errorf("%w before the first step", train.ErrInterrupted)
	}
	program, free := l.evaluator()
	defer free()
	s, o := l.settings, l.settings.Options
	settings, _ := json.Marshal(s.Objective) // nil for a function or a channel: only the name identifies the objective
	o.Key = cmp.Or(o.Key, fmt.Sprintf("%T k %d %s %s shift %g batch %d overlap %d", op, k, s.Objective.Name(), settings,
		s.Shift, s.Batch, s.Overlap))
	if l.Task.Key != "" {
		o.Key += " " + l.Task.Key
	}
	l.watch(&o, program)
	every := max(1, s.Steps/10) // points of the history
	if s.cycles != nil {
		every = cycleChecks
	}
	c := train.Config{Steps: s.Steps, Optimiser: s.Optimiser, EvalEvery: every}
	l.Result, err = train.Run(ctx, l.problem(), c, o)
	if errors.Is(err, train.ErrDiverged) && l.Task.remedy != "" {
		err = fmt.Errorf("%w; %s", err, l.Task.remedy)
	}
	if err == nil {
		err = l.evaluateRuns(program)
	}
	if l.Result == nil {
		return nil, err
	}
	return l, err
}

const (
	// denseEntries of a matrix cost the pure-Go engine as much as one sparse entry (1/4 ns and 55 ns each).
	denseEntries = 200
	// maxPureGoWork takes the pure-Go engine half a second. XLA compiles a training in 0.7 s, at any size
	// (BenchmarkSmallTables).
	maxPureGoWork = 10_000_000
)

// prepare makes the task and validates the arguments.
func prepare(op Operator, k int, s Settings) (*Learned, error) {
	if op == nil {
		return nil, errors.New("op is nil, want a Matrix, a Graph or another operator of this package")
	}
	if k < 1 {
		return nil, fmt.Errorf("k is %d, want at least 1", k)
	}
	o := &s.Options
	chosen, err := o.Backend != nil || backend.Asked(), error(nil)
	if o.Backend == nil {
		if o.Backend, _, err = backend.Open(); err != nil {
			return nil, err
		}
	}
	t, err := op.Define(o.Backend, k)
	if err != nil {
		return nil, err
	}
	s = s.withDefaults(t)
	likely := s.Steps // in cycles, at most two
	if s.cycles != nil {
		likely = s.cycles[min(1, len(s.cycles)-1)]
	}
	if !chosen && o.Dir == "" && t.work > 0 && t.work*likely*len(s.Seeds) <= maxPureGoWork {
		if o.Backend, err = backend.PureGo(); err != nil {
			return nil, err
		}
	}
	if err := s.validate(t, k); err != nil {
		return nil, err
	}
	return &Learned{Best: -1, Task: t, Engine: o.Backend.Name(), settings: s, k: k}, nil
}

// None asks for none where 0 selects a default: as Shift or Overlap of [Settings] and as HeldOut of [Pairs] or [Joint].
const None = math.MinInt32

// Settings configures [Learn]. The zero value of every field selects a default; the operator chooses the defaults of
// Batch, Steps, Rate and EvalBatch.
type Settings struct {
	Objective ommlx.Objective // loss to minimise; nil: OMM with sequential nesting
	Shift     float64         // shift κ of T + κI, T of spectral radius 1; 0: as a table or kernel needs; or None
	Batch     int             // number of samples per step; 0: the operator's default
	Steps     int             // number of optimiser steps; 0: until a table's residuals are small, see [Learned].Ended
	Rate      float64         // learning rate of Adam, which falls to zero along a cosine; 0: the operator's default
	Optimiser optim.Optimiser // optimiser; nil: Adam with Rate
	Seeds     []int64         // seeds of independent runs, all in one program; nil: {1}
	EvalBatch int             // number of samples for evaluation; 0: the operator's default

	// Overlap is the number of extra batches, 1 or 2, from which M[f] is estimated, as in [ommlx.Batch]; 0 takes halves
	// of a batch for [Pairs] with OMM, and otherwise, as None, the samples of M[f,Tf]. Gradients are unbiased (section
	// 2.3.2 of the paper) only if the factors of M[f] M[f,Tf], Eq. (8), have separate samples. A Shift increases the
	// bias. One batch is enough for OMM of order 1 and for Sanger's rule; two have less noise. [Kernel], [Pairs] and
	// any Task with States support it.
	Overlap int

	// Options are the engine, the checkpoint folder and the progress callback; Learn sets Eval and Stop. The checkpoint
	// of another operator is an error, [train.ErrForeign]: give a [Task] a Key if Draw depends on more than its Data.
	//
	// If Backend is nil, small tables use the pure-Go engine, which finishes before XLA has compiled; everything else,
	// and every training with a Dir, uses the default of [backend.Open]. A table is small if k (N + n) times Steps
	// times the number of seeds is at most 10⁷, for N states and n nonzero entries, or n = N²/200 for a [Matrix]; 0
	// Steps count as 12,000. GOMLX_BACKEND overrides the choice. Values agree to float32 rounding.
	//
	// Progress receives recent Ritz values on the evaluation sample or the held-out pairs, which take about 5 % of the
	// time at most; none of the initial functions, and no Value. By default a notebook shows a line below the cell, if
	// the training is longer than a second.
	Options train.Options

	cycles []int // ends of the cycles of a training without a fixed number of steps
}

// noisyEval is the default EvalBatch if Tf is sampled. Ritz values fit its noise: on 4,096 samples those of a blur were
// 5 to 9 % too high, on these 0.1 to 1 %.
const noisyEval = 1 << 17

// maxSamples of a batch are far more than a device holds. Larger numbers abort XLA.
const maxSamples = 1 << 24

func (s Settings) withDefaults(t Task) Settings {
	d := t.defaults
	s.Objective = cmp.Or[ommlx.Objective](s.Objective, d.Objective, ommlx.OMM{Nesting: ommlx.Sequential})
	s.Rate = cmp.Or(s.Rate, d.Rate, networkRate)
	if s.cycles = s.cyclesFor(t); s.cycles != nil {
		s.Steps = s.cycles[len(s.cycles)-1]
		s.Optimiser = optim.Adam{LearningRate: s.Rate,
			Schedule: optim.Schedule{Decay: optim.Cosines, Milestones: s.cycles}}
	}
	s.Batch, s.Steps = cmp.Or(s.Batch, d.Batch, 512), cmp.Or(s.Steps, d.Steps, 3_000)
	if s.Shift = cmp.Or(s.Shift, d.Shift); s.Shift == None {
		s.Shift = 0
	}
	if t.rows > 0 {
		s.Batch = min(s.Batch, t.rows)
	}
	if t.Noisy && t.rows == 0 {
		d.EvalBatch = cmp.Or(d.EvalBatch, noisyEval)
	}
	s.EvalBatch = cmp.Or(s.EvalBatch, d.EvalBatch, 4_096)
	if s.Seeds == nil {
		s.Seeds = []int64{1}
	}
	if s.Optimiser == nil {
		s.Optimiser = optim.Adam{LearningRate: s.Rate, Schedule: optim.Schedule{Decay: optim.Cosine, Steps: s.Steps}}
	}
	return s
}

// validate checks settings with defaults against the task.
func (s Settings) validate(t Task, k int) error {
	if err := t.validate(); err != nil {
		return err
	}
	limit := maxSamples
	if w, is := t.Functions.(wavefunctions); is && w.kind != kindSampled {
		limit = schrodinger.MaxLattice
	}
	switch {
	case s.Batch < 1 || s.EvalBatch < 1:
		return fmt.Errorf("Batch is %d and EvalBatch is %d, want positive numbers, or 0 for the defaults", s.Batch,
			s.EvalBatch)
	case t.rows == 0 && max(s.Batch, s.EvalBatch) > limit:
		return fmt.Errorf("Batch is %d and EvalBatch is %d, want at most %d samples", s.Batch, s.EvalBatch, limit)
	case t.work == 0 && s.EvalBatch < max(2, k+t.spare): // the sample cannot tell the functions apart
		return fmt.Errorf("EvalBatch is %d, want at least 2 and the number of functions, %d", s.EvalBatch, k+t.spare)
	case !(s.Shift >= 0):
		return fmt.Errorf("Shift is %g, want a positive number, 0 for the default or None", s.Shift)
	case s.Overlap != None && (s.Overlap < 0 || s.Overlap > 2 || s.Overlap > 0 && t.States == nil):
		return fmt.Errorf("Overlap is %d, want 0, None, or with States of the operator 1 or 2", s.Overlap)
	case s.Overlap > 0 && t.rows > 0 && s.Batch >= t.rows: // both moments are exact
		return fmt.Errorf("Overlap is %d, but a batch of %d takes all %d samples: set it to 0, or use a smaller Batch",
			s.Overlap, s.Batch, t.rows)
	case len(s.Seeds) == 0:
		return errors.New("Seeds is empty, want one per run, or nil for one run")
	case len(slices.Compact(slices.Sorted(slices.Values(s.Seeds)))) < len(s.Seeds):
		return fmt.Errorf("Seeds are %v, want distinct numbers", s.Seeds)
	}
	return ommlx.Check(s.Objective, k+t.spare)
}

// A table with exact moments trains in cycles: the learning rate falls to zero over the first, and again over each
// longer one, until the residuals are below the gaps or the budget is used.
var cycleEnds = []int{3_000, 12_000, 48_000}

const (
	cycleChecks = 1_000         // steps between evaluations, a divisor of all ends
	maxWork     = 5_000_000_000 // Task.work times steps: about 20 s on XLA, one cycle is always trained
)

// cyclesFor returns the ends of the cycles within the budget, or nil if the number of steps is fixed.
func (s Settings) cyclesFor(t Task) []int {
	if s.Steps != 0 || t.defaults.Steps != 0 || s.Optimiser != nil || t.apply == nil || t.work == 0 {
		return nil
	}
	ends := cycleEnds
	for len(ends) > 1 && (t.work*ends[len(ends)-1] > maxWork || t.notSymmetric != "") { // residuals stay
		ends = ends[:len(ends)-1]
	}
	return ends
}

// ended reports why a training in cycles ended.
func (l *Learned) ended() string {
	switch cycles := l.settings.cycles; {
	case cycles == nil:
		return ""
	case l.accuracy().Unsettled() <= 1:
		return fmt.Sprintf("converged after %d of at most %d steps", l.Result.Step, cycles[len(cycles)-1])
	}
	return fmt.Sprintf("not converged after %d steps, the default limit", l.Result.Step)
}
