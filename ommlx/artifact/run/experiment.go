package run

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/gomlx/compute"

	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/optim"
	"omm-go/ommlx/train"
)

// Experiment is a training and its evaluation, as data: its JSON determines its key, see [Key].
type Experiment interface {
	// Validate returns an error that names the invalid field.
	Validate() error
	// Label names the experiment in one line, starting with its environment, system or data set.
	Label() string
	// Cost estimates time and memory without running anything.
	Cost() Cost
	// RunSeeds returns one seed per independent run.
	RunSeeds() []int64
	// With returns the experiment with other seeds.
	With(seeds []int64) Experiment
	// Start loads the data and builds the training problem and its evaluation. The experiment is already validated.
	Start(compute.Backend) (Prepared, error)
	// NewRun returns a pointer to a run of the experiment's type, to decode one.
	NewRun() Evaluated
}

// Evaluated is an evaluated run.
type Evaluated interface{ Summary() Summary }

// Summary describes how a run ended.
type Summary struct {
	Seed     int64
	Diverged int    // the step at which it diverged; 0 if it did not
	Text     string // its score in words, such as "average cosine similarity 0.9957 over 11 modes"
	// Score is the first number of the text, not in percent; NaN without one.
	Score float64
}

// Prepared is an experiment that is ready to train, and the evaluation of its runs.
type Prepared struct {
	Problem train.Problem
	Config  train.Config
	// Runs evaluates the functions of each run, see [Encoded]. It evaluates a diverged run at its last finite step. The
	// error wraps [train.ErrInterrupted] if ctx ended.
	Runs func(ctx context.Context, trained *train.Result) ([]json.RawMessage, error)
	// Eval returns one number per run, for the history; nil for none.
	Eval func(train.Snapshot) ([]float64, error)
	// Pictures returns the functions of each run for [Result].Picture, or nil for none; may be nil.
	Pictures func(trained *train.Result) ([][][]float64, error)
	// Close frees memory on the device.
	Close func()
}

// Encoded returns an evaluation with the JSON of its runs.
func Encoded[R Evaluated](evaluate func(context.Context, *train.Result) ([]R, error)) func(context.Context,
	*train.Result) ([]json.RawMessage, error) {
	return func(ctx context.Context, trained *train.Result) ([]json.RawMessage, error) {
		runs, err := evaluate(ctx, trained)
		texts := make([]json.RawMessage, len(runs))
		for i, one := range runs {
			text, failed := json.Marshal(one)
			texts[i], err = text, cmp.Or(err, failed)
		}
		return texts, err
	}
}

// Cost is a rough estimate of what an experiment takes.
type Cost struct {
	Seconds float64 // training time on two cores without a GPU
	Memory  int64   // peak memory of the process in bytes
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

// Stopped returns the step at which a run diverged, with a note; 0 and "" if it did not.
func Stopped(trained *train.Result, run int) (step int, note string) {
	if step = trained.Diverged[run]; step > 0 {
		note = fmt.Sprintf("diverged at step %d", step)
	}
	return step, note
}

// Require returns an error that names a field unless its condition holds, for [Experiment].Validate.
func Require(holds bool, field string, value any, want string) error {
	if holds {
		return nil
	}
	return fmt.Errorf("%s is %v, want %s", field, value, want)
}

// Run returns the result of the experiment. It trains the seeds without a kept result together, in one program, and
// keeps the result of each. An interrupted training resumes from its checkpoint if the same seeds are missing. Diverged
// runs are part of the result, even if all runs diverged.
//
// The error wraps [train.ErrInterrupted] if ctx ended the training, and [train.ErrHeld] if another process is running
// it.
func Run(ctx context.Context, l *Lab, e Experiment) (*Result, error) {
	if err := Check(e); err != nil {
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

// Check returns an error if an experiment is invalid, has no seeds or repeats one.
func Check(e Experiment) error {
	seeds := e.RunSeeds()
	distinct := slices.Compact(slices.Sorted(slices.Values(seeds)))
	err := e.Validate()
	switch {
	case len(seeds) == 0:
		err = errors.New("run: no seeds; want one per run")
	case len(distinct) < len(seeds):
		err = fmt.Errorf("run: seeds %v have repetitions; want a different seed for each run", seeds)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", say.Printable(e.Label()), err)
	}
	return nil
}

// singles returns an experiment for each seed.
func singles(e Experiment) (list []Experiment) {
	for _, seed := range e.RunSeeds() {
		list = append(list, e.With([]int64{seed}))
	}
	return list
}

// fill trains the experiment under its lock, keeps the result of each seed and removes the checkpoints. It trains
// nothing if a seed was kept before the training could begin: the set of missing seeds is then different. The error
// wraps [train.ErrHeld] if another process trains the experiment or a single seed of it.
func fill(ctx context.Context, l *Lab, e Experiment) error {
	dir := l.runDir(Key(e))
	for _, single := range singles(e) {
		if held, _ := train.FolderStatus(l.runDir(Key(single))); held && len(e.RunSeeds()) > 1 {
			return fmt.Errorf("another process trains seed %d: %w", single.RunSeeds()[0], train.ErrHeld)
		}
	}
	b, _, err := l.engine()
	if err != nil {
		return err
	}
	prepared, err := e.Start(b)
	if err != nil {
		return err
	}
	defer prepared.Close()
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
	shown := l.begin(e)
	defer shown.end()
	trained, err := train.Run(ctx, prepared.Problem, prepared.Config, train.Options{
		Backend: b, Dir: dir, Key: Key(e), Locked: true, Progress: shown.show, Warn: l.Out,
		Eval: prepared.Eval, CheckpointEvery: l.CheckpointEvery,
	})
	if err != nil && !errors.Is(err, train.ErrDiverged) {
		return err
	}
	if err := keepRuns(ctx, l, e, here, prepared, trained); err != nil {
		return err
	}
	_ = os.RemoveAll(dir) // if this fails, it only takes space
	return nil
}

// keepRuns evaluates the trained runs and keeps the result of each seed without one. It does not replace a result that
// another process has kept in the meantime. here describes the process when the training began.
func keepRuns(ctx context.Context, l *Lab, e Experiment, here Provenance, prepared Prepared,
	trained *train.Result) error {
	runs, err := prepared.Runs(ctx, trained)
	if err != nil {
		return err
	}
	pictures := make([][][]float64, len(runs))
	if prepared.Pictures != nil {
		drawn, err := prepared.Pictures(trained)
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
	for i, single := range singles(e) {
		kept, err := loadSeed(l, single, Key(single))
		if err == nil && kept == nil {
			err = l.keep(single, &Result{Provenance: here, Runs: runs[i : i+1], Picture: pictures[i],
				History: historyOf(trained.History, i)})
		}
		if err != nil {
			return fmt.Errorf("keeping the result of seed %d: %w", e.RunSeeds()[i], err)
		}
	}
	return nil
}
