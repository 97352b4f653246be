package learn

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"omm-go/ommlx/backend"
	"omm-go/ommlx/train"
)

// Learn trains k functions to be the leading eigenfunctions of op and evaluates them. If the context ends, it returns
// an error that wraps [train.ErrInterrupted]; with a Dir, the same call resumes the training.
//
// If every run diverges, the error wraps [train.ErrDiverged]. If no run can be evaluated after training, Learn returns
// an error and a Learned with Result and Task, but Best = −1; the Cause of each run gives the reason.
func Learn(ctx context.Context, op Operator, k int, s Settings) (*Learned, error) {
	l, err := learn(ctx, op, k, s)
	if err != nil {
		err = fmt.Errorf("learn: %w", err)
	}
	return l, err
}

func learn(ctx context.Context, op Operator, k int, s Settings) (*Learned, error) {
	if ctx == nil {
		return nil, errors.New("ctx is nil, want a context such as context.Background()")
	}
	l, err := prepare(op, k, s)
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil { // before minutes of compiling
		return nil, fmt.Errorf("%w before the first step", train.ErrInterrupted)
	}
	program, free := l.evaluator()
	defer free()
	s, o := l.settings, l.settings.Options
	settings, err := json.Marshal(s.Objective)
	if err != nil {
		settings = nil // a function or a channel: only the name identifies the objective
	}
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
