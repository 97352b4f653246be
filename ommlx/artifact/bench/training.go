package bench

import (
	"context"
	"iter"
	"math"
	"time"

	"omm-go/ommlx/optim"
	"omm-go/ommlx/train"
)

// round does a piece of work and returns the wall time of one of its steps.
type round func() (time.Duration, error)

// training is a [train.Run] that runs one round at a time, pausing in its evaluations.
type training struct {
	compiled time.Duration // time to compile the program and upload its data
	next     func() (time.Duration, error, bool)
	stop     func() // ends the training and frees its resources
}

// start begins to train p and returns when the program is compiled and warm. A round has the given number of steps.
func (s *session) start(p train.Problem, steps int) (*training, error) {
	t := &training{}
	t.next, t.stop = iter.Pull2(func(yield func(time.Duration, error) bool) {
		ctx, cancel := context.WithCancel(s.ctx)
		defer cancel()
		began := time.Now()
		_, err := train.Run(ctx, p, train.Config{Steps: math.MaxInt32, EvalEvery: steps, Optimiser: optim.Adam{}},
			train.Options{Backend: s.Engine, Eval: func(train.Snapshot) ([]float64, error) {
				if !yield(time.Since(began)/time.Duration(steps), nil) {
					cancel()
				}
				began = time.Now()
				return make([]float64, len(p.Seeds)), nil
			}})
		yield(0, err)
	})
	first, err := t.round() // compiles
	if err == nil {
		_, err = t.round() // chooses the steps per call
	}
	if err != nil {
		t.stop()
		return nil, err
	}
	t.compiled = first * time.Duration(steps)
	return t, nil
}

func (t *training) round() (time.Duration, error) {
	took, err, going := t.next()
	if !going {
		return 0, train.ErrInterrupted
	}
	return took, err
}
