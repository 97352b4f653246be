package learn

import (
	"math"

	"operator-omm/ommlx/train"
)

// patience is the number of points of the history over which a score must rise.
const patience = 5

// stopEarly lets the training end by Settings.Tolerance: at its points every run is judged by its largest residual
// relative to the largest value or, where Tf is sampled, by the score on pairs held out. The function that it returns
// frees what was compiled.
func (l *Learned) stopEarly(o *train.Options) (free func()) {
	p, values, tolerance := train.Problem{Seeds: l.settings.Seeds, Data: l.Task.Data}, l.judged, l.settings.Tolerance
	if l.Task.Noisy {
		p.Data, values = l.Task.heldOut.tables(), l.atEnds
	}
	evaluate, free := p.Evaluator(l.settings.Backend, values)
	o.Eval = func(now train.Snapshot) ([]float64, error) {
		out, err := evaluate(now)
		if err != nil {
			return nil, err
		}
		numbers := make([]float64, len(out))
		for r, values := range out {
			if l.Task.Noisy {
				numbers[r] = heldOutOf(values[0], values[1]).Score()
				continue
			}
			var run Run
			if numbers[r] = math.Inf(1); run.judge(values, l.k, l.Task) == nil {
				numbers[r] = 0
				scale := math.Max(math.Abs(run.Values[0]), math.Abs(run.Values[l.k-1]))
				for _, residual := range run.Residuals {
					numbers[r] = math.Max(numbers[r], residual/scale)
				}
			}
		}
		return numbers, nil
	}
	o.Stop = func(history []train.Point) bool {
		last := len(history) - 1
		for r, now := range history[last].Value {
			if !l.Task.Noisy && !(now <= tolerance) {
				return false
			}
			if l.Task.Noisy && (last <= patience || now-history[last-patience].Value[r] >= tolerance) {
				return false
			}
		}
		return true
	}
	return free
}
