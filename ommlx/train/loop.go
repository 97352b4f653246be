package train

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx/internal/tensorx"
)

// ErrInterrupted is wrapped by the error of a training that was asked to stop and saved its checkpoint.
var ErrInterrupted = errors.New("interrupted")

// Run trains p as c says and returns the result. The same Problem and Config on the same backend give the same bits,
// however often the training was interrupted and taken up again from o.Dir. A folder that holds another training is an
// error that says in what they differ.
//
// The training ends when every run has diverged. Run then returns the result so far together with an error that wraps
// [ErrDiverged]. The error of a training that ctx stopped wraps [ErrInterrupted], that of one which another process is
// at work on [ErrHeld], that of one whose folder holds another training [ErrForeign].
func Run(ctx context.Context, p Problem, c Config, o Options) (*Result, error) {
	if err := cmp.Or(c.Validate(), p.validate()); err != nil {
		return nil, err
	}
	if o.Backend == nil {
		return nil, fmt.Errorf("training: no backend given; package backend opens one")
	}
	list, l, err := p.initial(c)
	if err != nil {
		return nil, err
	}
	d, err := divide(o.Backend, o.Devices, len(p.Seeds))
	if err != nil {
		return nil, err
	}
	mark := d.mark()
	list, l.data = append(list, mark...), l.data+len(mark)
	r := &runner{problem: p, config: c, options: o, layout: l, division: d, owned: d.mesh != nil}
	var state []*tensors.Tensor // of a checkpoint
	if o.Dir != "" {
		lock, err := acquire(o.Dir)
		if err != nil {
			return nil, err
		}
		defer lock.Close()
		if o.Locked != nil {
			if err := o.Locked(); err != nil {
				return nil, err
			}
		}
		if r.identity, r.watched, err = p.identity(o.Backend, c); err != nil {
			return nil, err
		}
		if state, err = r.restore(); err != nil {
			return nil, err
		}
	}
	r.enter()
	if state != nil {
		r.owned = true
		copy(list, state)
	}
	if r.lists, err = d.place(o.Backend, l, list); err != nil {
		return nil, err
	}
	if !r.finished() {
		if err := r.compile(); err != nil {
			return nil, err
		}
		defer r.exec.Finalize()
	}
	result, err := r.run(ctx)
	if result != nil && o.Keep != nil {
		if err := o.Keep(result); err != nil {
			return nil, err
		}
	}
	return result, err
}

type runner struct {
	problem  Problem
	config   Config
	options  Options
	layout   layout
	division division
	identity identity            // of the checkpoints; nil without a folder
	watched  []string            // names of what the loss watches
	lists    [][]*tensors.Tensor // the loop's state on each device, data last
	step     int
	history  []Point
	pilingUp bool // old checkpoints could not be removed, which was said
	owned    bool // the lists, but for the data, are the loop's own: none of their tensors is the caller's
	exec     *graph.Exec

	sessions []Session // each once
	began    time.Time // of this session
	seconds  float64   // of the sessions before this one
}

// dead reports whether every run has diverged.
func (r *runner) dead() bool { return !slices.Contains(ints(r.lists[0][atDiverged]), 0) }

func (r *runner) finished() bool {
	n := len(r.history)
	if r.options.Stop != nil && n > 0 && r.history[n-1].Step == r.step && r.options.Stop(r.history) {
		return true
	}
	return r.step == r.config.Steps || r.dead()
}

// elapsed is the time in the loop, in seconds.
func (r *runner) elapsed() float64 { return r.seconds + time.Since(r.began).Seconds() }

func (r *runner) run(ctx context.Context) (*Result, error) {
	r.began = time.Now()
	first, saved, chunk := r.step, r.began, 1
	every := cmp.Or(r.options.CheckpointEvery, 30*time.Second)
	if err := r.evaluate(); err != nil {
		return nil, err
	}
	for !r.finished() {
		end := min(r.nextEvaluation(), r.step+chunk)
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
		r.report(first, stopped)
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
	now, err := r.snapshot()
	if err != nil {
		return nil, err
	}
	result := &Result{Snapshot: now, Diverged: ints(r.lists[0][atDiverged]),
		Causes: causes(ints(r.lists[0][atCause]), r.watched), History: r.history,
		Seconds: r.elapsed(), Sessions: r.sessions}
	return result, result.divergence(r.watched)
}

// chunkTarget is how long one call of the device should take: long enough that calls cost nothing, short enough that
// progress is seen and Ctrl-C is heard.
const chunkTarget = 500 * time.Millisecond

// resize adapts the steps of one call to [chunkTarget], at most fourfold at a time.
func resize(chunk int, took time.Duration) int {
	scale := float64(chunkTarget) / float64(max(took, time.Microsecond))
	return max(1, int(float64(chunk)*min(4, max(0.25, scale))))
}

// advance takes steps until there have been end of them, or no run is alive.
func (r *runner) advance(end int) error {
	if err := r.set(atEnd, tensors.FromScalar(int32(end))); err != nil {
		return err
	}
	for r.step < end && !r.dead() {
		out, err := r.exec.Call(slices.Concat(r.lists...))
		if err != nil {
			return built(fmt.Sprintf("training: step %d on %s", r.step, r.options.Backend.Name()), err)
		}
		for device, list := range r.lists {
			state := len(list) - r.layout.data
			if r.owned { // now, since the garbage collector does not see memory of the device
				for _, used := range list[:state] {
					_ = used.FinalizeAll()
				}
			}
			r.lists[device] = append(out[device*state:(device+1)*state:(device+1)*state], list[state:]...)
		}
		r.owned = true
		next := ints(r.lists[0][atStep])[0]
		if next <= r.step {
			return fmt.Errorf("training: the device loop stayed at step %d", r.step)
		}
		r.step = next
	}
	return nil
}

// set puts a tensor in the place of an entry of the loop's list, whole on each device.
func (r *runner) set(at int, t *tensors.Tensor) error {
	parts, err := r.division.parts(r.options.Backend, t, false)
	if err != nil {
		return err
	}
	for device, list := range r.lists {
		list[at] = parts[device]
	}
	return nil
}

func (r *runner) interrupted() error {
	what := "the checkpoint is saved: run the same command again to go on from there"
	if r.options.Dir == "" {
		what = "nothing was saved, since no folder for checkpoints was given"
	}
	return fmt.Errorf("%w at step %d of %d; %s", ErrInterrupted, r.step, r.config.Steps, what)
}

// snapshot is where the training is.
func (r *runner) snapshot() (Snapshot, error) {
	whole, err := r.division.whole(r.layout, r.lists)
	if err != nil {
		return Snapshot{}, fmt.Errorf("training: step %d: %w", r.step, err)
	}
	p := split(r.layout, whole)
	return Snapshot{Step: r.step, Params: p.params, Average: p.average, State: p.state}, nil
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
	if err := r.set(atLossSum, vector(r.lists[0][atLossSum].DType(), len(r.problem.Seeds))); err != nil {
		return err
	}
	if r.options.Eval != nil {
		now, err := r.snapshot()
		if err == nil {
			point.Value, err = r.options.Eval(now)
		}
		if err != nil {
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
	loss := PerRun(tensorx.Numbers(r.lists[0][atLossSum]))
	diverged, lastLoss := ints(r.lists[0][atDiverged]), tensorx.Numbers(r.lists[0][atLastLoss])
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

func (r *runner) report(first int, stopped bool) {
	if r.options.Progress == nil {
		return
	}
	s := Status{Step: r.step, Steps: r.config.Steps, FirstStep: first, Loss: tensorx.Numbers(r.lists[0][atLastLoss]),
		Diverged: ints(r.lists[0][atDiverged]), Elapsed: time.Since(r.began),
		Stopped: stopped || r.step < r.config.Steps && r.dead()}
	if n := len(r.history); n > 0 {
		s.Value = r.history[n-1].Value
	}
	r.options.Progress(s)
}
