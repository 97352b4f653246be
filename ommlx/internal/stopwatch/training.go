package stopwatch

import (
	"context"
	"iter"
	"math"
	"time"

	"github.com/gomlx/compute"

	"operator-omm/ommlx/optim"
	"operator-omm/ommlx/train"
)

// Training is a training under way that goes on by one round at a time: what is measured is [train.Run] itself, halted
// in its evaluations.
type Training struct {
	Compiled time.Duration // what compiling the program took, with the upload of its data
	next     func() (Lap, error, bool)
	stop     func()
}

// Start begins to train p and returns when it is compiled and warm. A round has the given number of steps.
func Start(ctx context.Context, engine compute.Backend, p train.Problem, o optim.Optimiser, steps int) (*Training,
	error) {
	t := &Training{}
	t.next, t.stop = iter.Pull2(func(yield func(Lap, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		began := Now()
		_, err := train.Run(ctx, p, train.Config{Steps: math.MaxInt32, EvalEvery: steps, Optimiser: o},
			train.Options{Backend: engine, Eval: func(train.Snapshot) ([]float64, error) {
				if !yield(Since(began, steps), nil) {
					cancel()
				}
				began = Now()
				return make([]float64, len(p.Seeds)), nil
			}})
		yield(Lap{}, err)
	})
	first, err := t.Round() // compiles
	if err == nil {
		_, err = t.Round() // finds the steps of a call
	}
	if err != nil {
		t.Close()
		return nil, err
	}
	t.Compiled = first.Wall * time.Duration(steps)
	return t, nil
}

// Round trains one round and returns the time of a step. The error is that of the training.
func (t *Training) Round() (Lap, error) {
	l, err, going := t.next()
	if !going {
		return Lap{}, train.ErrInterrupted
	}
	return l, err
}

// Close ends the training and frees what it holds.
func (t *Training) Close() { t.stop() }
