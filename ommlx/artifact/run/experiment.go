package run

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gomlx/compute"

	"omm-go/ommlx/backend"
	"omm-go/ommlx/optim"
	"omm-go/ommlx/train"
)

// Experiment is a training with its judgement, as data: its JSON is its key. E is its own type, R the type of a run.
type Experiment[E any, R Judged] interface {
	// Validate returns an error that names the field that does not fit.
	Validate() error
	// Label names the experiment in one line. It begins with what it is of, as an environment.
	Label() string
	// Cost estimates what running it takes, without running anything.
	Cost() Cost
	// RunSeeds returns the seeds, one for each of its independent runs.
	RunSeeds() []int64
	// With returns the same experiment with other seeds.
	With(seeds []int64) E
	// Start collects the data and builds what training and judging need, on a backend. The experiment was validated.
	Start(compute.Backend) (Task[R], error)
	// Whole returns an error where something is missing from a result, or cannot be. Its seeds were compared.
	Whole(*Result[E, R]) error
}

// Task is an experiment that has begun.
type Task[R Judged] struct {
	Problem train.Problem
	Config  train.Config
	Judge   Judge[R]
}

// Eval is for [train.Options]: the judge's Score, or nil if it is no [Scorer].
func (t Task[R]) Eval() func(train.Snapshot) ([]float64, error) {
	if s, ok := t.Judge.(Scorer); ok {
		return s.Score
	}
	return nil
}

// Judge evaluates what a training has learned. It may be a [Scorer] and a [Painter], too.
type Judge[R Judged] interface {
	// Runs judges the trained functions of each run. A run that diverged is judged where it was last finite. The error
	// wraps [train.ErrInterrupted] if ctx ended it.
	Runs(ctx context.Context, trained *train.Result) ([]R, error)
	// Close frees what the judge holds on the device.
	Close()
}

// Scorer returns one number for each run, for the history.
type Scorer interface {
	Score(train.Snapshot) ([]float64, error)
}

// Painter returns the functions of each run for [Result].Picture; nil for none.
type Painter interface {
	Pictures(trained *train.Result) ([][][]float64, error)
}

// Cost is what an experiment takes, roughly.
type Cost struct {
	Seconds float64 // of training on two cores without a GPU
	Memory  int64   // bytes at the most, of the whole process
	// Of experiments in bfloat16, which are for a GPU: the additions and multiplications of the training, the share of
	// the GPU's peak that they are assumed to reach, and the bytes there; else 0.
	Operations, Share float64
	Device            int64
}

// Training is how an experiment is trained, as data: a part of its JSON and so of its key.
type Training struct {
	Steps int        `json:"steps"` // optimiser steps
	Adam  optim.Adam `json:"adam"`
	// RMSProp takes the steps in place of Adam, if it is there.
	RMSProp *optim.RMSProp `json:"rmsprop,omitempty"`
	EMA     optim.EMA      `json:"ema"`
	// EvalEvery is the number of steps between evaluations, as in [train.Config].
	EvalEvery int `json:"eval_every"`
}

// Config is the same for the training loop.
func (t Training) Config() train.Config {
	c := train.Config{Steps: t.Steps, Optimiser: t.Adam, EMA: t.EMA, EvalEvery: t.EvalEvery}
	if t.RMSProp != nil {
		c.Optimiser = *t.RMSProp
	}
	return c
}

// Seeds returns the seeds 1, 2, … of independent runs.
func Seeds(runs int) []int64 {
	s := make([]int64, runs)
	for i := range s {
		s[i] = int64(i + 1)
	}
	return s
}

// If formats a text as [fmt.Sprintf] does if the condition is true; otherwise it is empty.
func If(condition bool, format string, args ...any) string {
	if !condition {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

// Stopped is the step at which a run stopped being finite, with a note; 0 and "" if it never did.
func Stopped(trained *train.Result, run int) (step int, note string) {
	step = trained.Diverged[run]
	return step, If(step > 0, "diverged at step %d", step)
}

// Run returns the result of the experiment. It trains the seeds that have no kept result together, in one program, and
// keeps the result of each. An interrupted training resumes from its checkpoint, as long as the same seeds are
// missing. Runs that diverged are part of the result, even if all of them did.
//
// The error wraps [train.ErrInterrupted] if ctx ended the training and [train.ErrHeld] if another process is at work
// on it; any other says what does not fit, or which file cannot be read or written.
func Run[E Experiment[E, R], R Judged](ctx context.Context, l *Lab, e E) (*Result[E, R], error) {
	if err := checkSeeds(e.RunSeeds()); err != nil {
		return nil, err
	}
	for trained := false; ; {
		r, missing, err := Load(l, e)
		if err != nil || len(missing) == 0 {
			return r, err
		}
		if trained {
			return nil, fmt.Errorf("%s: a result that was kept a moment ago is gone; run it again", e.Label())
		}
		if trained, err = fill(ctx, l, e.With(missing)); err != nil {
			return nil, err
		}
	}
}

// checkSeeds returns an error if there are no seeds, or a seed is there twice.
func checkSeeds(seeds []int64) error {
	if len(seeds) == 0 {
		return errors.New("run: no seeds, want one for each run")
	}
	sorted := slices.Sorted(slices.Values(seeds))
	for i, seed := range sorted[1:] {
		if seed == sorted[i] {
			return fmt.Errorf("the seed %d stands twice; a run with the same seed is the same run", seed)
		}
	}
	return nil
}

func each[E Experiment[E, R], R Judged](e E) (list []E) {
	for _, seed := range e.RunSeeds() {
		list = append(list, e.With([]int64{seed}))
	}
	return list
}

// fill trains the experiment and keeps the result of each seed. It holds the lock of the training until then, and
// removes the checkpoints at the end. If a seed was kept before the training could begin, it trains nothing: other
// seeds are missing then. The error wraps [train.ErrHeld] if another process trains the experiment, or one of its
// seeds alone.
func fill[E Experiment[E, R], R Judged](ctx context.Context, l *Lab, e E) (trained bool, err error) {
	if err := e.Validate(); err != nil {
		return false, err
	}
	seeds, dir := each(e), l.runDir(runName(e))
	for i, alone := range seeds {
		if held, _ := train.Look(l.runDir(Key(alone))); held && len(seeds) > 1 {
			return false, fmt.Errorf("%s: %w, seed %d alone, by another process; wait for it to end, or stop it and "+
				"run the command again", e.Label(), train.ErrHeld, e.RunSeeds()[i])
		}
	}
	b, _, err := backend.Open()
	if err != nil {
		return false, err
	}
	task, err := e.Start(b)
	if err != nil {
		return false, fmt.Errorf("%s: %w", e.Label(), err)
	}
	defer task.Judge.Close()
	here, err := l.Here()
	if err != nil {
		return false, err
	}
	lock, err := train.Lock(dir)
	if err != nil {
		return false, fmt.Errorf("%s: %w", e.Label(), err)
	}
	defer lock.Close()
	for _, alone := range seeds {
		if r, err := loadSeed(l, alone); err != nil {
			return false, fmt.Errorf("%s: %w", e.Label(), err)
		} else if r != nil {
			return false, clearRun(dir) // these seeds will not be trained together any more
		}
	}
	if here.Commit, err = builds(dir, here.Commit); err != nil {
		return false, fmt.Errorf("%s: %w", e.Label(), err)
	}
	show, finished := l.bar(e.Label(), costOf(e))
	result, err := train.Run(ctx, task.Problem, task.Config, train.Options{
		Backend: b, Dir: dir, Key: Key(e), Locked: true, Progress: show, Warn: l.Out, Eval: task.Eval(),
		CheckpointEvery: l.CheckpointEvery,
	})
	if err == nil || errors.Is(err, train.ErrDiverged) {
		finished()
		err = keepRuns(ctx, l, e, here, task.Judge, result)
	}
	if err != nil {
		return false, fmt.Errorf("%s: %w", e.Label(), err)
	}
	return true, clearRun(dir)
}

// keepRuns judges the trained runs and keeps the result of each seed that has none. Another process may have kept one
// that it trained alone in the meantime, with other bits; a kept result stays. here is of when the training began.
func keepRuns[E Experiment[E, R], R Judged](ctx context.Context, l *Lab, e E, here Provenance, j Judge[R],
	trained *train.Result) error {
	runs, err := j.Runs(ctx, trained)
	if err != nil {
		return err
	}
	var pictures [][][]float64
	if p, ok := j.(Painter); ok {
		if pictures, err = p.Pictures(trained); err != nil {
			return err
		}
	}
	if pictures == nil {
		pictures = make([][][]float64, len(runs))
	}
	here.ended()
	here.Seconds = trained.Seconds / float64(len(runs))
	if len(runs) > 1 {
		here.Together = e.RunSeeds()
	}
	for i, alone := range slices.Backward(each(e)) { // the first one last, as [Lab.Sweep] takes it
		if kept, err := loadSeed(l, alone); err != nil {
			return err
		} else if kept != nil {
			continue
		}
		r := &Result[E, R]{Config: alone, Provenance: here, Runs: runs[i : i+1], Picture: pictures[i],
			History: historyOf(trained.History, i)}
		if err := l.keep(Key(alone), r); err != nil {
			return fmt.Errorf("%w; make room, then run the same command to resume from the last checkpoint", err)
		}
	}
	return nil
}
