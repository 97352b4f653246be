package learn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/gomlx/compute"

	"omm-go/ommlx"
	"omm-go/ommlx/backend"
	"omm-go/ommlx/optim"
	"omm-go/ommlx/train"
)

// Operator says how k eigenfunctions of it are learned. The backend is for what must be computed to find that out.
type Operator interface {
	Task(b compute.Backend, k int) (Task, error)
}

// Settings is how a Task is trained. The zero value of every field is a default; those of Batch, Steps, Rate and Judge
// are the operator's.
type Settings struct {
	Objective ommlx.Objective // nil: OMM with sequential nesting
	Shift     float64         // κ ≥ 0: T + κI is trained, T as the Task has it, of spectral radius about 1
	Batch     int             // samples of a step
	Steps     int
	Rate      float64         // learning rate of Adam, which falls to zero along a cosine
	Optimiser optim.Optimiser // in the place of Adam and Rate
	EMA       optim.EMA       // averages the parameters that are judged
	Seeds     []int64         // one independent run for each, in one program; nil: {1}
	Judge     int             // samples on which the functions are judged

	// Overlap is the number of further batches of Batch states, 1 or 2, that M[f] is estimated from, as in
	// [ommlx.Batch]; 0 estimates it from the samples of M[f,Tf]. Gradients are unbiased (section 2.3.2 of the paper)
	// only if the factors of M[f] M[f,Tf], Eq. (8), have samples of their own. A Shift makes the bias larger. One batch
	// is enough for OMM of order 1 and for Sanger's rule; two have less noise. [Kernel], [Pairs] and a Task with States
	// take it.
	Overlap int

	// Tolerance ends the training before its Steps, at one of fifty points of the history: as soon as all residuals are
	// at most that, relative to the largest value, or, where Tf is sampled, as soon as the score on pairs held out has
	// risen by less than that since five points before. 0: never.
	Tolerance float64
	// Start, if not nil, is what the parameters begin as, in the place of their Init: functions of the same shapes and
	// as many seeds that were learned or loaded before, as those of a training that took too few steps.
	Start *Learned

	// Backend computes. nil is that of [backend.Open], but where a table is small: there the pure-Go engine is done
	// before XLA has compiled. A table is small if k (N + n) times Steps times the number of seeds is at most 10⁷, for
	// N states and n entries of a [Sparse] matrix, a [Graph] or a table of [Joint], or n = N²/200 of a [Matrix]. A
	// training with a Dir goes on where it began, and takes [backend.Open]. GOMLX_BACKEND=xla or another one ends the
	// choice. [Learned.Engine] says which it was; values agree to what float32 rounds.
	Backend compute.Backend
	Dir     string // folder for the checkpoints of one training; empty: none are kept
	// Progress is told how far the training is, as by the Show of a [train.Bar]; it may be nil. At each of ten points
	// of the history, or of fifty with a Tolerance, it gets new estimates of the eigenvalues: Ritz values on the sample
	// that judges or, of pairs, on those held out. They take a pass over that sample each, and nothing to compile.
	Progress func(train.Status)
	Warn     io.Writer // gets a line for a checkpoint that could not be used; may be nil
}

// Learn trains k functions to be the leading eigenfunctions of op and judges them. When the context ends it stops, and
// returns an error that wraps [train.ErrInterrupted]; with a Dir, the same call goes on from there.
//
// An error is one sentence that says what does not fit. A run that diverges is no error unless all do, which wraps
// [train.ErrDiverged]; it is reported in [Learned.Runs]. An error that comes after the training leaves Learned with its
// Result and its Task, without functions, which a Best of −1 says; where no run can be judged, its Runs say why.
func Learn(ctx context.Context, op Operator, k int, s Settings) (*Learned, error) {
	if ctx == nil {
		return nil, errors.New("learning: no context is given; give context.Background()")
	}
	l, err := prepare(op, k, s)
	if err != nil {
		return nil, fmt.Errorf("learning: %w", err)
	}
	if ctx.Err() != nil { // before minutes of compiling
		return nil, fmt.Errorf("learning: %w before the first step", train.ErrInterrupted)
	}
	s = l.settings
	points := 10 // of the history
	if s.Tolerance > 0 {
		points = 50
	}
	c := train.Config{Steps: s.Steps, Optimiser: s.Optimiser, EMA: s.EMA, EvalEvery: max(1, s.Steps/points)}
	o := train.Options{Backend: s.Backend, Dir: s.Dir, Progress: s.Progress, Warn: s.Warn, Key: fmt.Sprintf(
		"%T k %d %#v shift %g batch %d overlap %d", op, k, s.Objective, s.Shift, s.Batch, s.Overlap)}
	evaluate, free := l.judging()
	defer free()
	l.watch(&o, evaluate)
	result, err := train.Run(ctx, l.problem(), c, o)
	l.Result = result
	if errors.Is(err, train.ErrDiverged) && l.Task.diverges != "" {
		err = fmt.Errorf("%w; %s", err, l.Task.diverges)
	}
	if err == nil {
		err = l.judge(evaluate)
	}
	if err == nil {
		return l, nil
	}
	if result == nil {
		l = nil
	}
	return l, fmt.Errorf("learning: %w", err)
}

// prepare checks what is given and fills the defaults.
func prepare(op Operator, k int, s Settings) (*Learned, error) {
	if op == nil {
		return nil, errors.New("no operator is given; give a Matrix, a Graph or another one of this package")
	}
	if k < 1 {
		return nil, fmt.Errorf("%d functions were asked for; ask for at least 1", k)
	}
	chosen, err := s.Backend != nil || backend.Asked(), error(nil)
	if s.Backend == nil {
		if s.Backend, _, err = backend.Open(); err != nil {
			return nil, err
		}
	}
	t, err := op.Task(s.Backend, k)
	if err != nil {
		return nil, err
	}
	s = s.withDefaults(t)
	if !chosen && s.Dir == "" && t.touched > 0 && t.touched*s.Steps*len(s.Seeds) <= fewNumbers {
		if s.Backend, err = backend.PureGo(); err != nil {
			return nil, err
		}
	}
	if err := s.validate(t, k); err != nil {
		return nil, err
	}
	return &Learned{Best: -1, Task: t, Engine: s.Backend.Name(), settings: s, k: k}, nil
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

const (
	// denseEntries of a dense matrix cost the pure-Go engine as much as one entry of a sparse one (1/4 ns and 55 ns).
	denseEntries = 200
	// fewNumbers take the pure-Go engine half a second, which is less than XLA takes to compile the three programs of a
	// training (0.7 s of a core of 2021, whatever the size). BenchmarkSmallTables measures both.
	fewNumbers = 10_000_000
)

func (s Settings) validate(t Task, k int) error {
	if err := t.validate(); err != nil {
		return err
	}
	switch {
	case s.Batch < 1:
		return fmt.Errorf("the batch is %d; give at least 1 sample, or 0 for the operator's default", s.Batch)
	case s.Judge < 1:
		return fmt.Errorf("the functions are to be judged on %d samples; give at least 1, or 0 for the default",
			s.Judge)
	case !(s.Tolerance >= 0):
		return fmt.Errorf("the tolerance is %g; it cannot be negative", s.Tolerance)
	case !(s.Shift >= 0):
		return fmt.Errorf("the shift is %g; it cannot be negative", s.Shift)
	case s.Overlap < 0 || s.Overlap > 2:
		return fmt.Errorf("M[f] is to come from %d batches of its own; set Overlap to 1 or 2, or to 0 for none",
			s.Overlap)
	case len(s.Seeds) == 0:
		return errors.New("no seeds are given; give one for each run, or nil for one run")
	case len(slices.Compact(slices.Sorted(slices.Values(s.Seeds)))) < len(s.Seeds):
		return fmt.Errorf("the seeds %v are not distinct; equal seeds are the same run twice", s.Seeds)
	case s.Tolerance > 0 && t.Noisy && t.heldOut.From == nil:
		return errors.New("a training can end by a tolerance only if residuals are known or pairs are held out; " +
			"leave Tolerance 0, or hold out some pairs")
	case s.Start != nil && (s.Start.Result == nil ||
		shapesOf(s.Start.Result.Best()) != shapesOf(t.Functions.Init(s.Seeds))):
		return errors.New("the functions to start from have other shapes, or another number of seeds; give those of " +
			"the same functions, k and seeds")
	case s.Overlap > 0 && t.States == nil:
		return errors.New("M[f] is to come from batches of its own, but this operator has no States that draw them, " +
			"as none with exact moments has; leave Overlap 0")
	}
	return ommlx.Check(s.Objective, k+t.Spare)
}
