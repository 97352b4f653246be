package train

import (
	"fmt"
	"time"

	"operator-omm/ommlx/internal/tensorx"
)

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
