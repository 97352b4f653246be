package learn

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/spectral"
	"omm-go/ommlx/train"
)

// view holds the matrices that evaluate a run, N×k'.
type view struct {
	f, tf       *mat.Dense // on the evaluation sample
	ownF, ownTF *mat.Dense // the same in the units of the original operator
	start, end  *mat.Dense // functions at both ends of the held-out pairs; or nil
}

// view names the matrices of a run, in the order of [Learned.evaluator].
func (l *Learned) view(run []*mat.Dense) view {
	v := view{f: run[0], tf: run[1], ownF: run[0], ownTF: run[1]}
	if l.Task.Own != nil {
		v.ownF, v.ownTF = run[2], run[3]
	}
	if n := len(run); l.Task.HeldOut.From != nil {
		v.start, v.end = run[n-2], run[n-1]
	}
	return v
}

// evaluator returns the program that evaluates runs during and after the training. It is compiled once, since that
// takes as long as compiling a step. free releases it.
func (l *Learned) evaluator() (program train.Evaluator, free func()) {
	t, runs := l.Task, len(l.settings.Seeds)
	p := train.Problem{Seeds: l.settings.Seeds, Data: slices.Clone(t.Data)}
	if t.HeldOut.From != nil {
		p.Data = append(p.Data, inputs(t.Functions, t.HeldOut.From), inputs(t.Functions, t.HeldOut.To))
	}
	return p.Evaluator(l.settings.Options.Backend, func(in train.Inputs) (nodes []*graph.Node) {
		heldOut := in.Data[len(t.Data):]
		in.Data = in.Data[:len(t.Data):len(t.Data)]
		b := t.draw(in, l.settings.EvalBatch, runs, l.k+t.spare)
		nodes = append(nodes, b.F, b.TF)
		if t.Own != nil {
			f, tf := t.Own(b)
			nodes = append(nodes, f, tf)
		}
		for _, x := range heldOut {
			nodes = append(nodes, t.Functions.Apply(in.Params, graph.BroadcastPrefix(x, runs)))
		}
		return nodes
	})
}

// evaluationShare is the least time between evaluations for Progress, in times that one takes.
const evaluationShare = 20

// watch evaluates the functions at the points of the history if the end of the training or Progress needs it, and for
// Progress in between. In a notebook Progress has a default, for trainings longer than a second.
func (l *Learned) watch(o *train.Options, program train.Evaluator) {
	stopping, show := l.settings.cycles != nil, o.Progress
	if show == nil && say.Notebook != nil {
		bar := train.Bar{Label: fmt.Sprintf("k = %d", l.k)}
		show = func(s train.Status) {
			if s.Elapsed > time.Second {
				bar.Show(s)
			}
		}
	}
	if !stopping && show == nil {
		return
	}
	var eigenvalues [][]float64
	var evaluated time.Time // when they were computed
	o.Eval = func(now train.Snapshot) ([]float64, error) {
		runs, err := program(now)
		var numbers []float64
		eigenvalues = nil
		for _, run := range runs {
			values, number := l.progress(l.view(run), now.Step)
			numbers = append(numbers, number)
			if now.Step > 0 { // values of the initial functions mean nothing
				eigenvalues = append(eigenvalues, values)
			}
		}
		evaluated = time.Now()
		if !stopping {
			numbers = nil
		}
		return numbers, err
	}
	if stopping {
		o.Stop = l.stops
	}
	if show != nil {
		var took time.Duration // of an evaluation between the points of the history
		o.Progress = func(s train.Status) {
			if began := time.Now(); began.Sub(evaluated) > evaluationShare*took {
				_, _ = o.Eval(s.Snapshot) // the next point of the history returns the error
				took = time.Since(began)
			}
			s.Value, s.Eigenvalues = nil, eigenvalues // Value is only for [Learned.stops]
			show(s)
		}
	}
}

// progress returns the k values of a run, on held-out pairs if there are any, and the number on which [Learned.stops]
// decides: [spectral.Accuracy.Unsettled], at the end of a cycle with the proof that no eigenvalue is missing. Without
// Ritz functions there are no values.
func (l *Learned) progress(v view, step int) (eigenvalues []float64, number float64) {
	var run Run
	if err := run.evaluate(v, l.k, l.Task, slices.Contains(l.settings.cycles, step)); err != nil {
		return nil, math.MaxFloat32
	}
	if run.HeldOut != nil && l.settings.cycles == nil {
		return run.HeldOut.Values, math.NaN()
	}
	return run.Values, run.accuracy().Unsettled()
}

// stops reports whether all runs have settled at the end of a cycle.
func (l *Learned) stops(history []train.Point) bool {
	last := history[len(history)-1]
	return slices.Contains(l.settings.cycles, last.Step) &&
		!slices.ContainsFunc(last.Value, func(x float64) bool { return !(x <= 1) })
}

const (
	rounding   = 1. / (1 << 23) // twice the unit roundoff of float32: F and TF are each rounded
	rounding64 = 1. / (1 << 52) // the same for each term of a product in float64
)

// ritz fills in Values, Quotients and the rotation, in the units of the original operator, and returns all Ritz
// functions of T or, for the lowest eigenvalues, of −T. If functions are linearly dependent, there are fewer than k and
// the other numbers are NaN. Those of a sampled operator have no residuals. exact says that Tf is rounded to float64
// only.
func (r *Run) ritz(v view, k int, t Task, exact bool) (*spectral.RitzFunctions, error) {
	f, tf, own, sign := v.ownF, v.ownTF, r.Diagnosis, 1.0
	if t.lowest {
		sign, tf = -1, new(mat.Dense)
		tf.Scale(sign, v.ownTF)
	}
	var err error
	if tf != v.tf {
		if own, err = spectral.Diagnose(f, tf, nil); err != nil {
			return nil, err
		}
	}
	all, err := spectral.NewRitzFunctions(own)
	if err != nil {
		return nil, err
	}
	r.Values, r.Quotients = first(k, all.Values), slices.Clone(own.Quotients)
	floats.Scale(sign, r.Values)
	floats.Scale(sign, r.Quotients)
	points, trained := f.Dims()
	r.rotation = mat.NewDense(trained, k, unknown(trained*k))
	r.rotation.Copy(all.Rotation)
	if t.Noisy {
		return all, nil
	}
	unit, images := rounding, make([]float64, trained) // of TF
	for j := range images {
		images[j] = mat.Norm(tf.ColView(j), 2) / math.Sqrt(float64(points))
		if exact { // sums of float64 may cancel
			unit, images[j] = float64(points)*rounding64, t.radius*own.Norms[j]
		}
	}
	all.Measure(f, tf, unit, own.Norms, images)
	return all, nil
}

// first returns the first k numbers, NaN if there are fewer.
func first(k int, x []float64) []float64 { return append(slices.Clone(x), unknown(k)...)[:k] }
