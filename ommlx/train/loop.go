package train

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
)

// ErrInterrupted is wrapped by the error of a training that was asked to stop and saved its checkpoint.
var ErrInterrupted = errors.New("interrupted")

// chunkTarget is how long one call of the device should take: long enough that calls cost nothing, short
// enough that progress is seen and Ctrl-C is heard.
const chunkTarget = 500 * time.Millisecond

// Run trains p as c says and returns the result. The same Problem and Config on the same backend give the
// same bits, however often the training was interrupted and taken up again from o.Dir.
func Run(ctx context.Context, p Problem, c Config, o Options) (*Result, error) {
	if err := errors.Join(c.Validate(), p.validate()); err != nil {
		return nil, err
	}
	if o.Backend == nil {
		return nil, fmt.Errorf("training: no backend given; package backend opens one")
	}
	list, l, err := p.initial(c)
	if err != nil {
		return nil, err
	}
	r := &runner{problem: p, config: c, options: o, layout: l, list: list, data: list[len(list)-l.data:]}
	if o.Dir != "" {
		lock, err := acquire(o.Dir)
		if err != nil {
			return nil, err
		}
		defer lock.release()
		if err := r.restore(); err != nil {
			return nil, err
		}
	}
	if r.step < c.Steps {
		exec, names, err := p.compile(o.Backend, c, l, WholeLoop(o.Backend) && !o.oneStep, r.list, nil)
		if err != nil {
			return nil, fmt.Errorf("compiling the training program for %s: %w", o.Backend.Name(), err)
		}
		defer exec.Finalize()
		r.watched = names
		r.call = func() error { return r.advance(exec.Exec) }
	}
	return r.run(ctx)
}

type runner struct {
	problem Problem
	config  Config
	options Options
	layout  layout
	watched []string          // names of what the loss watches
	list    []*tensors.Tensor // the loop's state, data last
	data    []*tensors.Tensor
	step    int
	history []Point
	seconds float64 // of sessions before this one
	owned   bool    // list was made by the loop, none of it is the caller's
	call    func() error
}

func (r *runner) run(ctx context.Context) (*Result, error) {
	start := time.Now()
	first, saved, chunk := r.step, start, 1
	every := r.options.CheckpointEvery
	if every == 0 {
		every = 30 * time.Second
	}
	if err := r.evaluate(); err != nil {
		return nil, err
	}
	for r.step < r.config.Steps {
		end := min(r.nextEvaluation(), r.step+chunk)
		r.list[atEnd] = tensors.FromScalar(int32(end))
		began, steps := time.Now(), end-r.step
		if err := r.call(); err != nil {
			return nil, err
		}
		if took := time.Since(began); steps == chunk {
			chunk = resize(chunk, took)
		}
		if err := r.evaluate(); err != nil {
			return nil, err
		}
		stopped := ctx.Err() != nil && r.step < r.config.Steps
		r.report(first, start, stopped)
		if r.options.Dir != "" && (stopped || r.step == r.config.Steps || time.Since(saved) >= every) {
			if err := r.save(r.seconds + time.Since(start).Seconds()); err != nil {
				return nil, err
			}
			saved = time.Now()
		}
		if stopped {
			if r.options.Dir == "" {
				return nil, fmt.Errorf("%w at step %d of %d; nothing was saved, since no folder for checkpoints was given",
					ErrInterrupted, r.step, r.config.Steps)
			}
			return nil, fmt.Errorf("%w at step %d of %d; the checkpoint is saved: run the same command again to go on from there",
				ErrInterrupted, r.step, r.config.Steps)
		}
	}
	return &Result{Snapshot: r.snapshot(), Diverged: ints(r.list[atDiverged]), Causes: causes(ints(r.list[atCause]), r.watched),
		History: r.history, Seconds: r.seconds + time.Since(start).Seconds()}, nil
}

// snapshot is where the training is.
func (r *runner) snapshot() Snapshot {
	p := split(r.layout, r.list)
	return Snapshot{Step: r.step, Params: p.params, Average: p.average, State: p.state}
}

// resize adapts the steps of one call to [chunkTarget], at most fourfold at a time.
func resize(chunk int, took time.Duration) int {
	scale := float64(chunkTarget) / float64(max(took, time.Microsecond))
	return max(1, int(float64(chunk)*min(4, max(0.25, scale))))
}

// release frees the device memory of a list that has been used, instead of waiting for the garbage
// collector, which does not see that memory. The first list holds tensors of the caller and is left alone.
func (r *runner) release() {
	if !r.owned {
		return
	}
	for _, t := range r.list[:len(r.list)-len(r.data)] {
		_ = t.FinalizeAll() // a tensor that cannot be freed now is freed by the collector
	}
}

// advance runs the compiled loop from r.step to list[atEnd].
func (r *runner) advance(exec func(args ...any) ([]*tensors.Tensor, error)) error {
	end := ints(r.list[atEnd])[0]
	for r.step < end {
		args := make([]any, len(r.list))
		for i, t := range r.list {
			args[i] = t
		}
		out, err := exec(args...)
		if err != nil {
			return fmt.Errorf("training step %d on %s: %w", r.step, r.options.Backend.Name(), err)
		}
		r.release()
		r.list, r.owned = append(out, r.data...), true
		next := ints(r.list[atStep])[0]
		if next <= r.step {
			return fmt.Errorf("training: the device loop stayed at step %d", r.step)
		}
		r.step = next
	}
	return nil
}

func (r *runner) nextEvaluation() int {
	if r.config.EvalEvery == 0 {
		return r.config.Steps
	}
	return min(r.config.Steps, (r.step/r.config.EvalEvery+1)*r.config.EvalEvery)
}

// evaluate appends a point to the history when the current step is due and has none yet.
func (r *runner) evaluate() error {
	due := r.step == r.config.Steps || (r.config.EvalEvery > 0 && r.step%r.config.EvalEvery == 0)
	last := 0
	if n := len(r.history); n > 0 {
		last = r.history[n-1].Step
		due = due && last < r.step
	}
	if !due {
		return nil
	}
	point := Point{Step: r.step, Loss: r.meanLoss(last)}
	r.list[atLossSum] = vector(r.list[atLossSum].DType(), len(r.problem.Seeds))
	if r.options.Eval != nil {
		var err error
		if point.Value, err = r.options.Eval(r.snapshot()); err != nil {
			return fmt.Errorf("evaluation at step %d: %w", r.step, err)
		}
	}
	r.history = append(r.history, point)
	return nil
}

// meanLoss is the [Point].Loss of the steps after last.
func (r *runner) meanLoss(last int) PerRun {
	if r.step == 0 {
		return nil
	}
	loss := PerRun(floats(r.list[atLossSum]))
	diverged, lastLoss := ints(r.list[atDiverged]), floats(r.list[atLastLoss])
	for i := range loss {
		switch d := diverged[i]; {
		case d == 0:
			loss[i] /= float64(r.step - last)
		case d > last+1:
			loss[i] /= float64(d - 1 - last) // the sum holds the steps before the divergence only
		default:
			loss[i] = lastLoss[i] // no finite step since the point before
		}
	}
	return loss
}

func (r *runner) report(first int, start time.Time, stopped bool) {
	if r.options.Progress == nil {
		return
	}
	s := Status{Step: r.step, Steps: r.config.Steps, FirstStep: first, Loss: floats(r.list[atLastLoss]),
		Diverged: ints(r.list[atDiverged]), Elapsed: time.Since(start), Stopped: stopped}
	if n := len(r.history); n > 0 {
		s.Value = r.history[n-1].Value
	}
	r.options.Progress(s)
}

// vector returns n zeros of a type.
func vector(dtype dtypes.DType, n int) *tensors.Tensor {
	return tensors.FromShape(shapes.Make(dtype, n))
}

func ints(t *tensors.Tensor) []int {
	var out []int
	for _, x := range tensors.MustCopyFlatData[int32](t) {
		out = append(out, int(x))
	}
	return out
}

func floats(t *tensors.Tensor) []float64 {
	if t.DType() == dtypes.Float64 {
		return tensors.MustCopyFlatData[float64](t)
	}
	var out []float64
	for _, x := range tensors.MustCopyFlatData[float32](t) {
		out = append(out, float64(x))
	}
	return out
}
