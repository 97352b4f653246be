package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"syscall"
	"time"

	"github.com/gomlx/compute"

	"operator-omm/ommlx/optim"
	"operator-omm/ommlx/train"
)

// lap is the time of one step, the mean over a round.
type lap struct{ wall, cpu time.Duration }

// trainer is a training under way that goes on by one round at a time: what is measured is [train.Run] itself, halted
// in its evaluations.
type trainer struct {
	steps   int // of a round
	compile time.Duration
	gate    chan struct{} // one round may go
	laps    chan lap
	failed  chan error // closed at the end
	stop    context.CancelFunc
}

// newTrainer starts training p and returns when it is compiled and warm. steps is the length of a round.
func newTrainer(ctx context.Context, engine compute.Backend, p train.Problem, o optim.Optimiser, steps int) (*trainer,
	error) {
	ctx, stop := context.WithCancel(ctx)
	t := &trainer{steps: steps, gate: make(chan struct{}), laps: make(chan lap),
		failed: make(chan error, 1), stop: stop}
	go t.run(ctx, engine, p, o)
	if _, err := t.round(); err != nil { // compiles
		stop()
		return nil, err
	}
	if _, err := t.round(); err != nil { // finds the steps of a call
		stop()
		return nil, err
	}
	return t, nil
}

func (t *trainer) run(ctx context.Context, engine compute.Backend, p train.Problem, o optim.Optimiser) {
	defer close(t.failed)
	var began lap
	compiling := time.Now()
	options := train.Options{Backend: engine}
	options.Eval = func(at train.Snapshot) ([]float64, error) {
		if at.Step == 0 {
			t.compile = time.Since(compiling)
		} else {
			end := now()
			n := time.Duration(t.steps)
			t.laps <- lap{(end.wall - began.wall) / n, (end.cpu - began.cpu) / n}
		}
		select {
		case <-t.gate:
		case <-ctx.Done():
		}
		began = now()
		return make([]float64, len(p.Seeds)), nil
	}
	_, err := train.Run(ctx, p, train.Config{Steps: math.MaxInt32, EvalEvery: t.steps, Optimiser: o}, options)
	if !errors.Is(err, train.ErrInterrupted) {
		t.failed <- fmt.Errorf("the benchmark's training ended: %w", err)
	}
}

// round trains one round.
func (t *trainer) round() (lap, error) {
	select {
	case t.gate <- struct{}{}:
	case err := <-t.failed:
		return lap{}, orInterrupted(err)
	}
	select {
	case l := <-t.laps:
		return l, nil
	case err := <-t.failed:
		return lap{}, orInterrupted(err)
	}
}

func orInterrupted(err error) error {
	if err == nil {
		return train.ErrInterrupted
	}
	return err
}

// close ends the training and frees what it holds.
func (t *trainer) close() {
	t.stop()
	for {
		select {
		case <-t.laps:
		case <-t.failed:
			return
		}
	}
}

// origin is what now counts from.
var origin = time.Now()

// now reads the wall clock and the processor time of this process.
func now() lap {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage) // fails on a bad argument only
	return lap{time.Since(origin), time.Duration(usage.Utime.Nano() + usage.Stime.Nano())}
}
