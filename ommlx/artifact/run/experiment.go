package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/gomlx/compute"

	"omm-go/ommlx/optim"
	"omm-go/ommlx/train"
)

// Experiment is a training and its evaluation, as data: its JSON determines its key. E is the type itself, R the type
// of a run.
type Experiment[E any, R Judged] interface {
	// Validate returns an error that names the invalid field.
	Validate() error
	// Label names the experiment in one line, starting with its environment, system or data set.
	Label() string
	// Cost estimates time and memory without running anything.
	Cost() Cost
	// RunSeeds returns one seed per independent run.
	RunSeeds() []int64
	// With returns the experiment with other seeds.
	With(seeds []int64) E
	// Start loads the data and builds the training problem and its evaluation. The experiment is already validated.
	Start(compute.Backend) (Task[R], error)
}

// Task is an experiment that is ready to train, and the evaluation of its runs.
type Task[R Judged] struct {
	Problem train.Problem
	Config  train.Config
	// Runs evaluates the functions of each run. It evaluates a diverged run at its last finite step. The error wraps
	// [train.ErrInterrupted] if ctx ended.
	Runs func(ctx context.Context, trained *train.Result) ([]R, error)
	// Eval returns one number per run, for the history; nil for none.
	Eval func(train.Snapshot) ([]float64, error)
	// Pictures returns the functions of each run for [Result].Picture, or nil for none; may be nil.
	Pictures func(trained *train.Result) ([][][]float64, error)
	// Close frees memory on the device.
	Close func()
}

// Cost is a rough estimate of what an experiment takes.
type Cost struct {
	Seconds float64 // training time on two cores without a GPU
	Memory  int64   // peak memory of the process in bytes
	// For experiments in bfloat16, which need a GPU: additions and multiplications of the training, the assumed share
	// of the GPU's peak, and bytes on the GPU. Otherwise 0.
	Operations, Share float64
	Device            int64
}

// Training contains the training settings of an experiment. It is part of the JSON and so of the key.
type Training struct {
	Steps int        `json:"steps"` // optimiser steps
	Adam  optim.Adam `json:"adam"`
	// RMSProp replaces Adam if it is not nil.
	RMSProp *optim.RMSProp `json:"rmsprop,omitempty"`
	EMA     optim.EMA      `json:"ema"`
	// EvalEvery is as in [train.Config].
	EvalEvery int `json:"eval_every"`
}

// Config converts the settings for the training loop.
func (t Training) Config() train.Config {
	c := train.Config{Steps: t.Steps, Optimiser: t.Adam, EMA: t.EMA, EvalEvery: t.EvalEvery}
	if t.RMSProp != nil {
		c.Optimiser = *t.RMSProp
	}
	return c
}

// Seeds returns the seeds 1, 2, …, runs.
func Seeds(runs int) []int64 {
	s := make([]int64, runs)
	for i := range s {
		s[i] = int64(i + 1)
	}
	return s
}

// If formats its arguments like [fmt.Sprintf] if the condition is true, and otherwise returns "".
func If(condition bool, format string, args ...any) string {
	if !condition {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

// Stopped returns the step at which a run diverged, with a note; 0 and "" if it did not.
func Stopped(trained *train.Result, run int) (step int, note string) {
	if step = trained.Diverged[run]; step > 0 {
		note = fmt.Sprintf("diverged at step %d", step)
	}
	return step, note
}

// Run returns the result of the experiment. It trains the seeds without a kept result together, in one program, and
// keeps the result of each. An interrupted training resumes from its checkpoint if the same seeds are missing. Diverged
// runs are part of the result, even if all runs diverged.
//
// The error wraps [train.ErrInterrupted] if ctx ended the training, and [train.ErrHeld] if another process is running
// it.
func Run[E Experiment[E, R], R Judged](ctx context.Context, l *Lab, e E) (*Result[E, R], error) {
	if err := cmp.Or(checkSeeds(e.RunSeeds()), e.Validate()); err != nil {
		return nil, err
	}
	for {
		r, missing, err := Load(l, e)
		if err != nil || len(missing) == 0 {
			return r, err
		}
		if err := fill(ctx, l, e.With(missing)); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Label(), err)
		}
	}
}

// checkSeeds returns an error if there are no seeds or a seed is repeated.
func checkSeeds(seeds []int64) error {
	if len(seeds) == 0 {
		return errors.New("run: no seeds; want one per run")
	}
	if distinct := slices.Compact(slices.Sorted(slices.Values(seeds))); len(distinct) < len(seeds) {
		return fmt.Errorf("run: seeds %v have repetitions; want a different seed for each run", seeds)
	}
	return nil
}

func each[E Experiment[E, R], R Judged](e E) (list []E) {
	for _, seed := range e.RunSeeds() {
		list = append(list, e.With([]int64{seed}))
	}
	return list
}

// fill trains the experiment under its lock, keeps the result of each seed and removes the checkpoints. It trains
// nothing if a seed was kept before the training could begin: the set of missing seeds is then different. The error
// wraps [train.ErrHeld] if another process trains the experiment or a single seed of it.
func fill[E Experiment[E, R], R Judged](ctx context.Context, l *Lab, e E) error {
	dir := l.runDir(Key(e))
	for _, alone := range each(e) {
		if held, _ := train.Look(l.runDir(Key(alone))); held && len(e.RunSeeds()) > 1 {
			return fmt.Errorf("another process trains seed %d: %w", alone.RunSeeds()[0], train.ErrHeld)
		}
	}
	b, _, err := l.engine()
	if err != nil {
		return err
	}
	task, err := e.Start(b)
	if err != nil {
		return err
	}
	defer task.Close()
	here, err := l.Here()
	if err != nil {
		return err
	}
	lock, err := train.Lock(dir)
	if err != nil {
		return err
	}
	defer lock.Close()
	if _, missing, err := Load(l, e); err != nil || len(missing) < len(e.RunSeeds()) {
		if err == nil {
			_ = os.RemoveAll(dir) // these seeds will not be trained together again
		}
		return err
	}
	if here.Commit, err = builds(dir, here.Commit); err != nil {
		return err
	}
	result, err := train.Run(ctx, task.Problem, task.Config, train.Options{
		Backend: b, Dir: dir, Key: Key(e), Locked: true, Progress: l.progress(e.Label()), Warn: l.Out,
		Eval: task.Eval, CheckpointEvery: l.CheckpointEvery,
	})
	if err != nil && !errors.Is(err, train.ErrDiverged) {
		return err
	}
	if err := keepRuns(ctx, l, e, here, task, result); err != nil {
		return err
	}
	seconds := costOf(e).Seconds
	l.done, l.left = l.done+seconds, l.left-seconds
	_ = os.RemoveAll(dir) // if this fails, it only takes space
	return nil
}

// keepRuns evaluates the trained runs and keeps the result of each seed without one. It does not replace a result that
// another process has kept in the meantime. here describes the process when the training began.
func keepRuns[E Experiment[E, R], R Judged](ctx context.Context, l *Lab, e E, here Provenance, task Task[R],
	trained *train.Result) error {
	runs, err := task.Runs(ctx, trained)
	if err != nil {
		return err
	}
	pictures := make([][][]float64, len(runs))
	if task.Pictures != nil {
		drawn, err := task.Pictures(trained)
		if err != nil {
			return err
		}
		copy(pictures, drawn)
	}
	here.ended()
	here.Seconds = trained.Seconds / float64(len(runs))
	if len(runs) > 1 {
		here.Together = e.RunSeeds()
	}
	for i, alone := range each(e) {
		kept, err := loadSeed(l, alone)
		if err == nil && kept == nil {
			err = l.keep(Key(alone), &Result[E, R]{Config: alone, Provenance: here, Runs: runs[i : i+1],
				Picture: pictures[i], History: historyOf(trained.History, i)})
		}
		if err != nil {
			return fmt.Errorf("keeping the result of seed %d: %w", e.RunSeeds()[i], err)
		}
	}
	return nil
}
