package learn

import (
	"math"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/train"
)

// patience is the number of points of the history over which a score must rise.
const patience = 5

// evaluator judges all runs where a training is, by its averages if there are any.
type evaluator func(now train.Snapshot) ([][]*mat.Dense, error)

// judging returns the one program that judges, during the training and after it, for it takes as long to compile as a
// step. Its values are F and TF on the sample that judges, those in the operator's own units where they are others,
// what Task.border has to say and, behind that, the functions at both ends of the pairs held out. free gives back what
// was compiled.
func (l *Learned) judging() (judge evaluator, free func()) {
	t, seeds := l.Task, l.settings.Seeds
	p := train.Problem{Seeds: seeds, Data: slices.Concat(t.Data, t.heldOut.tables())}
	evaluate, free := p.Evaluator(l.settings.Backend, func(in train.Inputs) []*graph.Node {
		apart := in.Data[len(t.Data):]
		in.Data = in.Data[:len(t.Data):len(t.Data)]
		b := t.Draw(t.inputs(in), l.settings.Judge)
		requireFits(b, len(seeds), l.k+t.Spare)
		nodes := []*graph.Node{b.F, b.TF}
		if t.Own != nil {
			f, tf := t.Own(b)
			nodes = append(nodes, f, tf)
		}
		if t.border != nil {
			nodes = append(nodes, t.border(t.inputs(in), l.settings.Judge)...)
		}
		for _, x := range apart {
			nodes = append(nodes, apply(t.Functions, in.Params, graph.BroadcastPrefix(x, len(seeds))))
		}
		return nodes
	})
	return func(now train.Snapshot) ([][]*mat.Dense, error) {
		now.Params = now.Best()
		return evaluate(now)
	}, free
}

// ofHeldOut are the functions at both ends of the pairs held out, of what judges a run.
func ofHeldOut(values []*mat.Dense) (start, end *mat.Dense) {
	return values[len(values)-2], values[len(values)-1]
}

// watch looks at the functions at the points of the history, which are the averages where there are any, if the
// training can end by Settings.Tolerance or somebody is told of the eigenvalues.
func (l *Learned) watch(o *train.Options, evaluate evaluator) {
	tolerance, show := l.settings.Tolerance, o.Progress
	if tolerance == 0 && show == nil {
		return
	}
	var eigenvalues [][]float64 // of the last look
	o.Eval = func(now train.Snapshot) ([]float64, error) {
		out, err := evaluate(now)
		numbers := make([]float64, len(out))
		eigenvalues = make([][]float64, len(out))
		for r, values := range out {
			eigenvalues[r], numbers[r] = l.look(values)
		}
		if tolerance == 0 {
			return nil, err
		}
		return numbers, err
	}
	if tolerance > 0 {
		o.Stop = l.stops
	}
	if show != nil {
		o.Progress = func(s train.Status) {
			s.Eigenvalues = eigenvalues
			show(s)
		}
	}
}

// look returns the k Ritz values of what judges a run and what a tolerance is compared with: the largest residual
// relative to the largest value or, of pairs held out, their score. Where there are no Ritz functions, they are nil and
// +Inf or NaN.
func (l *Learned) look(values []*mat.Dense) (eigenvalues []float64, number float64) {
	if l.Task.heldOut.From != nil {
		d, err := ofPairs(ofHeldOut(values))
		if err != nil || d.Ritz == nil {
			return nil, math.NaN()
		}
		return d.Ritz[:l.k], score(d, l.k)
	}
	if l.Task.Own != nil {
		values = values[2:]
	}
	var run Run
	if _, err := run.ritz(values[0], values[1], l.k, l.Task.Lowest); err != nil {
		return nil, math.Inf(1)
	}
	return run.Values, floats.Max(run.Residuals) / run.scale()
}

// stops reports whether all residuals are within the tolerance or, where Tf is sampled, no score rises by more.
func (l *Learned) stops(history []train.Point) bool {
	last := len(history) - 1
	numbers := history[last].Value
	if l.Task.Noisy {
		if last <= patience {
			return false
		}
		numbers = floats.SubTo(make([]float64, len(numbers)), numbers, history[last-patience].Value)
	}
	return !slices.ContainsFunc(numbers, func(x float64) bool { return !(x <= l.settings.Tolerance) })
}
