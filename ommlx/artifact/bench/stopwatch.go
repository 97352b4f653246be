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

// Lap is what a piece of work took, by the clock and of the processors.
type Lap struct{ Wall, CPU time.Duration }

// Timed does a piece of work and returns what it took.
type Timed func() (Lap, error)

var origin = time.Now()

// Now reads the clock and the processor time of this process.
func Now() Lap {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage) // fails on a bad argument only
	return Lap{time.Since(origin), time.Duration(usage.Utime.Nano() + usage.Stime.Nano())}
}

// Since returns what one of n equal pieces of work took that began then.
func Since(began Lap, n int) Lap {
	end, each := Now(), time.Duration(n)
	return Lap{(end.Wall - began.Wall) / each, (end.CPU - began.CPU) / each}
}

// Repeated is a round of n equal pieces of work.
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

// Median returns the median of at least one number.
func Median[T time.Duration | float64](x []T) T {
	x = slices.Sorted(slices.Values(x))
	n := len(x)
	return (x[(n-1)/2] + x[n/2]) / 2
}

// Training is a training that runs one round at a time: [train.Run] itself, halted in its evaluations.
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

// Round trains one round and returns the time of a step. The error is the training's.
func (t *Training) Round() (Lap, error) {
	l, err, going := t.next()
	if !going {
		return Lap{}, train.ErrInterrupted
	}
	return l, err
}

// Close ends the training and frees what it holds.
func (t *Training) Close() { t.stop() }
