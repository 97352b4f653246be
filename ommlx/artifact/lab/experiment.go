package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gomlx/compute"

	"operator-omm/ommlx/backend"
	"operator-omm/ommlx/internal/fsx"
	"operator-omm/ommlx/train"
)

// Experiment is a training with its judgement, as data: its JSON is its key. R is the type of its result, a pointer.
type Experiment[R Result] interface {
	// Validate returns an error that names the field that does not fit.
	Validate() error
	// Label names the experiment in one line.
	Label() string
	// Cost estimates what running it takes, without running anything.
	Cost() Cost
	// RunSeeds returns the seeds, one for each of its independent runs.
	RunSeeds() []int64
	// With returns the same experiment with other seeds.
	With(seeds []int64) Experiment[R]
	// Join returns the result of this experiment, of the results of its seeds, each alone. The runs of parts are joined
	// in the order of the seeds; the provenance is filled in later.
	Join(parts []R) R
	// Start collects the data and builds what training and judging need, on a backend. The experiment was validated.
	Start(compute.Backend) (Task[R], error)
}

// Result is what an experiment gives. Its JSON is what is kept.
type Result interface {
	// Check returns what keeps it from being the whole result of the configuration that key names.
	Check(key string) error
	// Trained returns where it was trained, which Run fills in, and the seeds of its runs.
	Trained() (origin *Provenance, seeds []int64)
	// Outcomes tells how each run ended.
	Outcomes() []Outcome
}

// Outcome is how a run ended.
type Outcome struct {
	Seed     int64
	Diverged int    // the step at which it stopped being finite; 0: it never did
	Score    string // in words, as "average cosine similarity 0.9957 over 11 modes"
	// Value is the first number of the score; NaN without one. It is not in percent.
	Value float64
}

// Task is an experiment that has begun.
type Task[R Result] struct {
	Problem train.Problem
	Config  train.Config
	// Score returns one number for each run, for the history.
	Score func(train.Snapshot) ([]float64, error)
	// Judge makes the results of the trained functions, one for each run, as of the experiment with its seed alone.
	// A run that diverged stands where it was last finite. Its error wraps [train.ErrInterrupted] if ctx ended it.
	Judge func(ctx context.Context, trained *train.Result) ([]R, error)
	// Close frees what the task holds on the device; nil for nothing.
	Close func()
}

// Cost is what an experiment takes, roughly.
type Cost struct {
	Seconds float64 // of training on two cores without a GPU
	Memory  int64   // bytes at the most, of the whole process
}

// Run returns the result of the experiment, from what is kept, else by training. Seeds without a kept result are
// trained together, and each is kept alone. An interrupted training goes on from its checkpoint, as long as the same
// seeds are missing. Runs that diverged are part of the result, even if all of them did.
//
// The error wraps [train.ErrInterrupted] if ctx ended the training and [train.ErrHeld] if another process is at work on
// it; any other says what does not fit, or which file cannot be read or written.
func Run[R Result](ctx context.Context, l *Lab, e Experiment[R]) (R, error) {
	var none R
	for {
		result, found, err := Load(l, e)
		if found || err != nil {
			return result, err
		}
		if err := e.Validate(); err != nil {
			return none, err
		}
		if text := lacks(e); text != "" {
			return none, fmt.Errorf("%s: %s", e.Label(), text)
		}
		missing, err := free(l, e)
		if err != nil {
			return none, err
		}
		if len(missing) == 0 && len(e.RunSeeds()) > 0 {
			continue // another process kept the last one since it was looked for
		}
		if err := fill(ctx, l, e.With(missing)); errors.Is(err, errKept) {
			continue
		} else if err != nil {
			return none, err
		}
		if result, found, err = Load(l, e); err == nil && !found {
			err = fmt.Errorf("%s: results that were kept a moment ago are gone; run it again", e.Label())
		}
		return result, err
	}
}

// free lists the seeds that have no kept result. It is an error that wraps [train.ErrHeld] if another process is at
// work on one of them alone.
func free[R Result](l *Lab, e Experiment[R]) (missing []int64, err error) {
	if _, missing, err = loadEach(l, e); err != nil {
		return nil, err
	}
	for _, seed := range missing {
		key, err := Key(e.With([]int64{seed}))
		if err != nil {
			return nil, err
		}
		if held, _ := train.Look(l.runDir(key)); held {
			return nil, fmt.Errorf("%s: %w, seed %d alone, by another process; wait for it to end, or stop it and "+
				"run the command again", e.Label(), train.ErrHeld, seed)
		}
	}
	return missing, nil
}

// errKept tells that another process kept the result of a seed before its training could begin here.
var errKept = errors.New("kept by another process")

// fill trains the experiment and keeps the result of each seed. The error is errKept if one of them was kept while the
// data was collected.
func fill[R Result](ctx context.Context, l *Lab, e Experiment[R]) error {
	key, err := Key(e)
	if err != nil {
		return err
	}
	b, _, err := backend.Open()
	if err != nil {
		return err
	}
	task, err := e.Start(b)
	if err != nil {
		return fmt.Errorf("%s: %w", e.Label(), err)
	}
	if task.Close != nil {
		defer task.Close()
	}
	here, err := l.Here()
	if err != nil {
		return err
	}
	show, finished := l.bar(e.Label(), e.Cost())
	_, err = train.Run(ctx, task.Problem, task.Config, train.Options{
		Backend: b, Dir: l.runDir(key), Key: key, Progress: show, Warn: l.Out, Eval: task.Score,
		CheckpointEvery: l.CheckpointEvery, Session: here.session(),
		Locked: func() error {
			_, missing, err := loadEach(l, e)
			if err == nil && len(missing) < len(e.RunSeeds()) {
				err = errKept
			}
			return err
		},
		Keep: func(trained *train.Result) error {
			finished()
			return judge(ctx, l, e, here, task, trained)
		},
	})
	kept := errors.Is(err, errKept) // so these seeds will not be trained together any more
	if err != nil && !kept && !errors.Is(err, train.ErrDiverged) {
		return fmt.Errorf("%s: %w", e.Label(), err)
	}
	if err := train.Clear(l.runDir(key)); err != nil {
		return err
	}
	if kept {
		return errKept
	}
	return nil
}

// judge keeps the result of each seed that has none yet. Another process may have kept one that it trained alone in the
// meantime, with other bits; a kept result stays as it is. here is of when the training began in this process.
func judge[R Result](ctx context.Context, l *Lab, e Experiment[R], here Provenance, task Task[R],
	trained *train.Result) error {
	if _, found, err := Load(l, e); found || err != nil {
		return err
	}
	results, err := task.Judge(ctx, trained)
	if err != nil {
		return err
	}
	here.carriedOnBy(trained.Sessions)
	here.ended()
	here.Seconds = trained.Seconds / float64(len(results))
	if len(results) > 1 {
		here.Together = e.RunSeeds()
	}
	for i, seed := range e.RunSeeds() {
		alone := e.With([]int64{seed})
		if _, found, err := loadOne(l, alone); err != nil {
			return err
		} else if found {
			continue
		}
		origin, _ := results[i].Trained()
		*origin = here
		key, err := Key(alone)
		if err != nil {
			return err
		}
		if err := keep(l.resultPath(key), results[i]); err != nil {
			return err
		}
	}
	return nil
}

// Decode reads the kept result of the configuration that key names. It refuses the result of another configuration, and
// one in which something that is drawn or averaged is missing.
func Decode[R Result](text []byte, key string) (R, error) {
	var none R
	result := new(R)
	if err := json.Unmarshal(text, result); err != nil {
		return none, err
	}
	if any(*result) == any(none) {
		return none, errors.New("it holds nothing")
	}
	return *result, (*result).Check(key)
}

// Need reads the kept results of experiments, which must have been run. With [Lab.KeptOnly] a result has the seeds that
// there are, and is nil where there is none.
func Need[R Result, E Experiment[R]](l *Lab, list []E) ([]R, error) {
	results := make([]R, len(list))
	for i, e := range list {
		r, found, err := Load[R](l, e)
		if err == nil && !found && l.KeptOnly {
			r, err = loadSome(l, e)
		}
		if err != nil {
			return nil, err
		}
		if !found && !l.KeptOnly {
			return nil, fmt.Errorf("the result of %s is not there; run its job before it is reported", e.Label())
		}
		results[i] = r
	}
	return results, nil
}

// keep writes a result, which no other process does at the same time, and removes what one left that was killed at it.
func keep(path string, result any) error {
	text, err := json.MarshalIndent(result, "", " ")
	if err != nil {
		return fmt.Errorf("keeping the result %s: %w", path, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("keeping a result: %w", err)
	}
	dir, name := filepath.Split(path)
	files, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("keeping a result: %w", err)
	}
	for _, f := range files {
		if strings.HasPrefix(f.Name(), name+".") && strings.HasSuffix(f.Name(), fsx.Unfinished) {
			_ = os.Remove(filepath.Join(dir, f.Name())) // one that stays does no harm
		}
	}
	return fsx.Write(path, append(text, '\n'))
}
