package learn

import (
	"math"

	"github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/train"
)

// patience is the number of points of the history over which a score must rise.
const patience = 5

// stopEarly lets the training end by Settings.Tolerance: at its points the functions of every run, which are the
// averages where there are any, are judged by their largest residual relative to the largest value or, where Tf is
// sampled, by the score on pairs held out. The function that it returns frees what was compiled.
func (l *Learned) stopEarly(o *train.Options) (free func()) {
	p := train.Problem{Seeds: l.settings.Seeds, Data: l.Task.Data}
	values := func(in train.Inputs) []*graph.Node { return l.Task.own(l.draw(in)) }
	number, enough := l.residual, l.allResolved
	if l.Task.Noisy {
		p.Data, values = l.Task.heldOut.tables(), l.atEnds
		number, enough = l.scoreOf, l.noneRises
	}
	evaluate, free := p.Evaluator(l.settings.Backend, values)
	o.Eval = func(now train.Snapshot) ([]float64, error) {
		now.Params = now.Best()
		out, err := evaluate(now)
		var numbers []float64
		for _, values := range out {
			numbers = append(numbers, number(values[0], values[1]))
		}
		return numbers, err
	}
	o.Stop = enough
	return free
}

// residual is the largest residual of f and Tf relative to the largest value; +Inf where there are no Ritz functions.
func (l *Learned) residual(f, tf *mat.Dense) float64 {
	var run Run
	if _, err := run.ritz(f, tf, l.k, l.Task.Lowest); err != nil {
		return math.Inf(1)
	}
	return floats.Max(run.Residuals) / run.scale()
}

func (l *Learned) allResolved(history []train.Point) bool {
	for _, residual := range history[len(history)-1].Value {
		if !(residual <= l.settings.Tolerance) {
			return false
		}
	}
	return true
}

// scoreOf is the score of functions at both ends of pairs; NaN where there is none.
func (l *Learned) scoreOf(start, end *mat.Dense) float64 {
	d, err := ofPairs(start, end)
	if err != nil {
		return math.NaN()
	}
	return score(d, l.k)
}

func (l *Learned) noneRises(history []train.Point) bool {
	last := len(history) - 1
	if last <= patience {
		return false
	}
	for r, now := range history[last].Value {
		if !(now-history[last-patience].Value[r] < l.settings.Tolerance) {
			return false
		}
	}
	return true
}
