package train

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx/internal/tensorx"
)

// ErrInterrupted is wrapped by the error of [Run] if its context ended the training.
var ErrInterrupted = errors.New("interrupted")

// Run trains p as configured by c. The same Problem and Config on the same backend give the same bits, however often
// the training was interrupted and resumed from o.Dir. On CUDA they give about the same numbers: XLA may choose other
// kernels in another process.
//
// If every run has diverged, Run returns the result so far together with an error that wraps [ErrDiverged]. Other
// errors come without a result: [ErrInterrupted] if ctx ended the training, [ErrHeld] if o.Dir is already locked,
// [ErrForeign] if o.Dir has a checkpoint of another training.
func Run(ctx context.Context, p Problem, c Config, o Options) (*Result, error) {
	if err := cmp.Or(c.Validate(), p.validate()); err != nil {
		return nil, err
	}
	if o.Backend == nil {
		return nil, errors.New("training: Options.Backend is nil; open one with package backend")
	}
	o.Warn = cmp.Or(o.Warn, io.Discard)
	r := &runner{problem: p, config: c, options: o}
	var err error
	if r.list, err = p.initial(c); err != nil {
		return nil, err
	}
	if o.Dir != "" {
		if !o.Locked {
			lock, err := Lock(o.Dir)
			if err != nil {
				return nil, err
			}
			defer lock.Close()
		}
		r.header = header{Version: version, Key: o.Key}
		if r.header.Problem, err = p.digest(o.Backend.Name(), c); err != nil {
			return nil, err
		}
		if err := r.restore(); err != nil {
			return nil, err
		}
	}
	if !r.finished() {
		if err := r.compile(); err != nil {
			return nil, err
		}
		defer r.exec.Finalize()
		defer r.mix.Finalize()
	}
	return r.run(ctx)
}

type runner struct {
	problem Problem
	config  Config
	options Options
	header  header            // the constant part of the checkpoints' headers
	list    []*tensors.Tensor // the loop's state, data last
	step    int
	history []Point
	owned   bool // the list, except the data, has no tensor of the caller's
	exec    *graph.Exec
	mix     *graph.Exec // of survivors

	began   time.Time // start of this session
	seconds float64   // total of earlier sessions
}

// state is the list without the data.
func (r *runner) state() []*tensors.Tensor { return r.list[:len(r.list)-len(r.problem.Data)] }

// dead reports whether every run has diverged.
func (r *runner) dead() bool { return !slices.Contains(ints(r.list[atDiverged]), 0) }

func (r *runner) finished() bool {
	n := len(r.history)
	if r.options.Stop != nil && n > 0 && r.history[n-1].Step == r.step && r.options.Stop(r.history) {
		return true
	}
	return r.step == r.config.Steps || r.dead()
}

// elapsed is the time in the loop, in seconds, over all sessions.
func (r *runner) elapsed() float64 { return r.seconds + time.Since(r.began).Seconds() }

func (r *runner) run(ctx context.Context) (*Result, error) {
	r.began = time.Now()
	first, saved, chunk := r.step, r.began, 1
	every := cmp.Or(r.options.CheckpointEvery, 30*time.Second)
	evalEvery := cmp.Or(r.config.EvalEvery, r.config.Steps)
	if err := r.evaluate(); err != nil {
		return nil, err
	}
	for !r.finished() {
		end := min(r.config.Steps, (r.step/evalEvery+1)*evalEvery, r.step+chunk)
		began, steps := time.Now(), end-r.step
		if err := r.advance(end); err != nil {
			return nil, err
		}
		if took := time.Since(began); steps == chunk {
			chunk = resize(chunk, took)
		}
		if err := r.evaluate(); err != nil {
			return nil, err
		}
		finished := r.finished()
		stopped := ctx.Err() != nil && !finished
		r.report(first, stopped, finished)
		if r.options.Dir != "" && (stopped || finished || time.Since(saved) >= every) {
			if err := r.save(); err != nil {
				return nil, err
			}
			saved = time.Now()
		}
		if stopped {
			return nil, r.interrupted()
		}
	}
	result := &Result{Snapshot: r.snapshot(), Diverged: ints(r.list[atDiverged]),
		History: r.history, Seconds: r.elapsed()}
	for _, cause := range ints(r.list[atCause]) {
		result.Causes = append(result.Causes, causes[cause])
	}
	return result, result.divergence()
}

// chunkTarget is the intended time of one device call: long enough that calls cost nothing, short enough for progress
// reports and Ctrl-C.
const chunkTarget = 500 * time.Millisecond

// resize adapts the number of steps in a call to [chunkTarget], at most fourfold at a time.
func resize(chunk int, took time.Duration) int {
	scale := float64(chunkTarget) / float64(max(took, time.Microsecond))
	return max(1, int(float64(chunk)*min(4, max(0.25, scale))))
}

// advance takes steps until step end, or until every run has diverged.
func (r *runner) advance(end int) error {
	for r.step < end && !r.dead() {
		next, err := r.call(end)
		if err != nil {
			return fmt.Errorf("training: step %d on %s: %s", r.step, r.options.Backend.Name(), reason(err))
		}
		if r.owned {
			discard(r.state())
		}
		r.list = append(next[:len(next):len(next)], r.list[len(next):]...)
		r.owned = true
		last := r.step
		if r.step = ints(r.list[atStep])[0]; r.step <= last {
			return fmt.Errorf("training: the device loop stayed at step %d", last)
		}
	}
	return nil
}

// call returns the state after step end, or after the first step before it at which a run diverges. It does not change
// the current state.
func (r *runner) call(end int) ([]*tensors.Tensor, error) {
	r.list[atEnd] = tensors.FromScalar(int32(end))
	next, err := r.exec.Call(r.list)
	if err != nil || slices.Max(ints(next[atDiverged])) == 0 {
		return next, err
	}
	return r.freeze(next)
}

// discard frees tensors at once: the garbage collector does not see device memory.
func discard(list []*tensors.Tensor) {
	for _, used := range list {
		_ = used.FinalizeAll()
	}
}

func (r *runner) interrupted() error {
	what := "the checkpoint is saved; run the same command again to resume"
	if r.options.Dir == "" {
		what = "nothing was saved; Options.Dir is empty"
	}
	return fmt.Errorf("%w at step %d of %d; %s", ErrInterrupted, r.step, r.config.Steps, what)
}

// snapshot returns the current state of the training.
func (r *runner) snapshot() Snapshot {
	now := split(r.problem, r.config, r.list)
	return Snapshot{Step: r.step, Params: now.params, Average: now.average, State: now.state}
}

// evaluate appends a point to the history if one is due at the current step.
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

// meanLoss returns the [Point].Loss of the steps after last.
func (r *runner) meanLoss(last int) PerRun {
	if r.step == 0 {
		return nil
	}
	loss := PerRun(tensorx.Numbers(r.list[atLossSum]))
	diverged, lastLoss := ints(r.list[atDiverged]), tensorx.Numbers(r.list[atLastLoss])
	for i := range loss {
		switch d := diverged[i]; {
		case d == 0:
			loss[i] /= float64(r.step - last)
		case d > last+1:
			loss[i] /= float64(d - 1 - last) // the sum covers only the steps before the divergence
		default:
			loss[i] = lastLoss[i] // no finite step since the previous point
		}
	}
	return loss
}

func (r *runner) report(first int, stopped, finished bool) {
	if r.options.Progress == nil {
		return
	}
	s := Status{Step: r.step, Steps: r.config.Steps, FirstStep: first, Loss: tensorx.Numbers(r.list[atLastLoss]),
		Diverged: ints(r.list[atDiverged]), Elapsed: time.Since(r.began), Snapshot: r.snapshot(),
		Stopped: stopped || r.step < r.config.Steps && r.dead()}
	if finished && !s.Stopped { // perhaps by Options.Stop
		s.Steps = r.step
	}
	if n := len(r.history); n > 0 {
		s.Value = r.history[n-1].Value
	}
	r.options.Progress(s)
}
