package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gomlx/compute"

	"operator-omm/ommlx/backend"
	"operator-omm/ommlx/internal/atomicfile"
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
}

// Task is an experiment that has begun.
type Task[R Result] struct {
	Problem train.Problem
	Config  train.Config
	// Score returns one number for each run, for the history.
	Score func(train.Snapshot) ([]float64, error)
	// Judge makes the result of the trained functions. A run that diverged stands where it was last finite.
	Judge func(*train.Result) (R, error)
	// Close frees what the task holds on the device; nil for nothing.
	Close func()
}

// Cost is what an experiment takes, roughly.
type Cost struct {
	Seconds float64 // of training on two cores without a GPU
	Memory  int64   // bytes at the most, of the whole process
}

// Run returns the result of the experiment, from its file if it is kept, else by training. An interrupted training goes
// on from its checkpoint. Runs that diverged are part of the result, even if all of them did.
//
// The error wraps [train.ErrInterrupted] if ctx ended the training; any other says what does not fit, or which file
// cannot be read or written.
func Run[R Result](ctx context.Context, l *Lab, e Experiment[R]) (R, error) {
	result, found, err := Load(l, e)
	if found || err != nil {
		return result, err
	}
	var none R
	if err := e.Validate(); err != nil {
		return none, err
	}
	key, err := Key(e)
	if err != nil {
		return none, err
	}
	b, _, err := backend.Open()
	if err != nil {
		return none, err
	}
	task, err := e.Start(b)
	if err != nil {
		return none, fmt.Errorf("%s: %w", e.Label(), err)
	}
	if task.Close != nil {
		defer task.Close()
	}
	show, finished := l.bar(e.Label(), e.Cost())
	trained, err := train.Run(ctx, task.Problem, task.Config, train.Options{
		Backend: b, Dir: l.runDir(key), Key: key, Progress: show, Warn: l.Out, Eval: task.Score,
	})
	if err != nil && !errors.Is(err, train.ErrDiverged) {
		return none, fmt.Errorf("%s: %w", e.Label(), err)
	}
	finished()
	if result, err = task.Judge(trained); err != nil {
		return none, fmt.Errorf("%s: %w", e.Label(), err)
	}
	origin, _ := result.Trained()
	if *origin, err = l.Here(); err != nil {
		return none, err
	}
	origin.Seconds = trained.Seconds
	if err := keep(l.resultPath(key), result); err != nil {
		return none, err
	}
	return result, train.Clear(l.runDir(key))
}

// Load reads the kept result of an experiment; found is false where there is none. The error names a damaged file.
func Load[R Result](l *Lab, e Experiment[R]) (result R, found bool, err error) {
	key, err := Key(e)
	if err != nil {
		return result, false, err
	}
	path := l.resultPath(key)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return result, false, nil
	}
	if err == nil {
		result, err = Decode[R](text, key)
	}
	if err != nil {
		return result, false, fmt.Errorf("the kept result %s cannot be read (%w); "+
			"remove it to compute it again", path, err)
	}
	return result, true, nil
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

// Need reads the kept results of experiments that must have been run.
func Need[R Result, E Experiment[R]](l *Lab, list []E) ([]R, error) {
	results := make([]R, len(list))
	for i, e := range list {
		r, found, err := Load[R](l, e)
		if err != nil {
			return nil, err
		}
		if !found {
			return nil, fmt.Errorf("the result of %s is not there; run its job before it is reported", e.Label())
		}
		results[i] = r
	}
	return results, nil
}

func keep(path string, result any) error {
	text, err := json.MarshalIndent(result, "", " ")
	if err != nil {
		return fmt.Errorf("keeping the result %s: %w", path, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("keeping a result: %w", err)
	}
	return atomicfile.Write(path, append(text, '\n'))
}
