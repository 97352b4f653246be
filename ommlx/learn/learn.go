package learn

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"omm-go/ommlx/backend"
	"omm-go/ommlx/train"
)

// Learn trains k functions to be the leading eigenfunctions of op and judges them. When the context ends it stops, and
// returns an error that wraps [train.ErrInterrupted]; with a Dir, the same call resumes there.
//
// A run that diverges is reported in [Learned.Runs]; it is an error, which wraps [train.ErrDiverged], only if all runs
// do. If the evaluation fails after the training, Learn returns an error and a Learned with Result and Task, but with
// Best = −1; the Cause of each of Runs is the reason.
func Learn(ctx context.Context, op Operator, k int, s Settings) (*Learned, error) {
	l, err := learn(ctx, op, k, s)
	if err != nil {
		err = fmt.Errorf("learn: %w", err)
	}
	return l, err
}

func learn(ctx context.Context, op Operator, k int, s Settings) (*Learned, error) {
	if ctx == nil {
		return nil, errors.New("no context; give context.Background()")
	}
	l, err := prepare(op, k, s)
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil { // before minutes of compiling
		return nil, fmt.Errorf("%w before the first step", train.ErrInterrupted)
	}
	evaluate, free := l.judging()
	defer free()
	s, o := l.settings, l.settings.Options
	o.Key = cmp.Or(o.Key, fmt.Sprintf("%T k %d %#v shift %g batch %d overlap %d", op, k, s.Objective, s.Shift, s.Batch,
		s.Overlap))
	l.watch(&o, evaluate)
	l.Result, err = train.Run(ctx, l.problem(), s.config(), o)
	if errors.Is(err, train.ErrDiverged) && l.Task.Remedy != "" {
		err = fmt.Errorf("%w; %s", err, l.Task.Remedy)
	}
	if err == nil {
		err = l.judge(evaluate)
	}
	if l.Result == nil {
		return nil, err
	}
	return l, err
}

const (
	// denseEntries of a dense matrix cost the pure-Go engine as much as one entry of a sparse one (1/4 ns and 55 ns).
	denseEntries = 200
	// littleWork takes the pure-Go engine half a second, which is less than XLA takes to compile the three programs of
	// a training (0.7 s of a core of 2021, whatever the size). BenchmarkSmallTables measures both.
	littleWork = 10_000_000
)

// prepare makes the task and checks all that is given.
func prepare(op Operator, k int, s Settings) (*Learned, error) {
	if op == nil {
		return nil, errors.New("no operator; give a Matrix, a Graph or another operator of this package")
	}
	if k < 1 {
		return nil, fmt.Errorf("k is %d; ask for at least 1 function", k)
	}
	o := &s.Options
	chosen, err := o.Backend != nil || backend.Asked(), error(nil)
	if o.Backend == nil {
		if o.Backend, _, err = backend.Open(); err != nil {
			return nil, err
		}
	}
	t, err := op.Task(o.Backend, k)
	if err != nil {
		return nil, err
	}
	s = s.withDefaults(t)
	o = &s.Options
	if !chosen && o.Dir == "" && t.Work > 0 && t.Work*s.Steps*len(s.Seeds) <= littleWork {
		if o.Backend, err = backend.PureGo(); err != nil {
			return nil, err
		}
	}
	if err := s.validate(t, k); err != nil {
		return nil, err
	}
	return &Learned{Best: -1, Task: t, Engine: o.Backend.Name(), settings: s, k: k}, nil
}
