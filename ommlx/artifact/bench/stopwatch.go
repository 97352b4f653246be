package bench

import (
	"context"
	"iter"
	"math"
	"slices"
	"syscall"
	"time"

	"github.com/gomlx/compute"

	"omm-go/ommlx/optim"
	"omm-go/ommlx/train"
)

// Lap is the wall-clock and processor time of a piece of work.
type Lap struct{ Wall, CPU time.Duration }

// Timed does a piece of work and returns its time.
type Timed func() (Lap, error)

var origin = time.Now()

// Now reads the clock and the processor time of this process.
func Now() Lap {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage) // fails only for a bad argument
	return Lap{time.Since(origin), time.Duration(usage.Utime.Nano() + usage.Stime.Nano())}
}

// Since returns the time per piece of n equal pieces of work that began at began.
func Since(began Lap, n int) Lap {
	end, each := Now(), time.Duration(n)
	return Lap{(end.Wall - began.Wall) / each, (end.CPU - began.CPU) / each}
}

// Repeated returns a round of n equal pieces of work.
func Repeated(n int, work func() error) Timed {
	return func() (Lap, error) {
		began := Now()
		for range n {
			if err := work(); err != nil {
				return Lap{}, err
			}
		}
		return Since(began, n), nil
	}
}

// Median returns the median of a non-empty slice.
func Median[T time.Duration | float64](x []T) T {
	x = slices.Sorted(slices.Values(x))
	n := len(x)
	return (x[(n-1)/2] + x[n/2]) / 2
}

// Training is a [train.Run] that runs one round at a time, pausing in its evaluations.
type Training struct {
	Compiled time.Duration // time to compile the program and upload its data
	next     func() (Lap, error, bool)
	stop     func()
}

// Start begins to train p and returns when the program is compiled and warm. A round has the given number of steps.
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
		_, err = t.Round() // chooses the steps per call
	}
	if err != nil {
		t.Close()
		return nil, err
	}
	t.Compiled = first.Wall * time.Duration(steps)
	return t, nil
}

// Round trains one round and returns the time per step, or the training's error.
func (t *Training) Round() (Lap, error) {
	l, err, going := t.next()
	if !going {
		return Lap{}, train.ErrInterrupted
	}
	return l, err
}

// Close ends the training and frees its resources.
func (t *Training) Close() { t.stop() }
