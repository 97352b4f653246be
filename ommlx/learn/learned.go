package learn

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/net"
	"omm-go/ommlx/spectral"
	"omm-go/ommlx/train"
)

// Learned are k learned eigenfunctions. The embedded Run is that of the seed whose functions are best.
type Learned struct {
	Run
	Runs []Run // one for each seed
	// Best is the index of the embedded one: of all that can be judged, that with the highest score on pairs held out,
	// else that with the lowest OMM loss; −1: none can.
	Best int
	// Spread is the standard deviation of each of Values over the runs that can be judged; nil where there is one.
	Spread []float64
	// Result is the training: loss history, parameters, seconds. Of a loaded file it has the parameters alone.
	Result *train.Result
	Task   Task // what the operator became, with the functions and the defaults that it chose
	// Engine is the name of the backend that computed: "xla", or "SimpleGo (go)", see [Settings].Backend.
	Engine string

	settings Settings
	k        int
}

// Run is what one seed learned, in the units of the operator as it was given, on the sample of [Settings].Judge. Of a
// run that diverged, or whose functions have no Ritz values, Cause alone is known, and Values is nil.
//
// The functions are the Ritz functions: those in the span of all that were trained that come nearest to eigenfunctions.
// They are orthonormal, and in order.
type Run struct {
	Values    []float64 // k Ritz values, the leading first
	Residuals []float64 // k, ‖Tφ_i − λ_i φ_i‖ for ‖φ_i‖ = 1; a self-adjoint T has an eigenvalue that near to λ_i
	// Bounds are how far each of Values can be from the eigenvalue, k, by Lehmann and Maehly with the value and the
	// residual of a function further down for what separates them ([spectral.LehmannMaehly]), and by what float32
	// rounds. They hold if T is self-adjoint, no eigenvalue was missed and the samples suffice. NaN where no function
	// further down is told apart, as for the last one, and where Tf is sampled. They are loose: for the four states of
	// −∇² − 20/cosh²x they are 7 to 80 times the error (TestBoundsOfPoschlTeller).
	Bounds    []float64
	HeldOut   *HeldOut  // of [Pairs]; nil elsewhere
	Quotients []float64 // Rayleigh quotients of the trained functions, one for each, in the order of their training
	// Diagnosis is of the functions as they were trained, and of the operator as it was trained: scaled, or inverted.
	Diagnosis spectral.Diagnosis
	Diverged  int    // step at which the run stopped being finite; 0: it never did
	Cause     string // what was not finite then, or why the functions cannot be judged

	rotation *mat.Dense // from trained to Ritz functions, k'×k
	atBorder []float64  // k mean squares at the border of a box, relative to even ones; nil where there is no box
}

// judge evaluates all runs by a program of [Learned.judging].
func (l *Learned) judge(evaluate evaluator) error {
	out, err := evaluate(l.Result.Snapshot)
	if err != nil {
		return err
	}
	for r, values := range out {
		run := Run{Diverged: l.Result.Diverged[r], Cause: l.Result.Causes[r]}
		if run.Diverged == 0 {
			if err := run.judge(values, l.k, l.Task); err != nil {
				run = Run{Cause: err.Error()}
			}
		}
		l.Runs = append(l.Runs, run)
	}
	for r, run := range l.Runs {
		if run.judged() && (l.Best < 0 || run.better(l.Runs[l.Best])) {
			l.Best = r
		}
	}
	if l.Best < 0 {
		return fmt.Errorf("no run can be judged; of that of seed %d: %s", l.settings.Seeds[0], l.Runs[0].Cause)
	}
	l.Run = l.Runs[l.Best]
	l.Spread = spread(l.Runs, l.k)
	return nil
}

// judged reports whether there is something to tell of the run.
func (r Run) judged() bool { return r.Values != nil }

// scale is the largest |λ_i|.
func (r Run) scale() float64 { return floats.Norm(r.Values, math.Inf(1)) }

// better compares two runs that are judged.
func (r Run) better(than Run) bool {
	if r.HeldOut != nil {
		if order := cmp.Compare(r.HeldOut.Score(), than.HeldOut.Score()); order != 0 { // NaN is the least
			return order > 0
		}
	}
	return r.Diagnosis.Loss < than.Diagnosis.Loss
}

// judge fills the run from F and TF and, where they are others, from those in the operator's own units.
func (r *Run) judge(values []*mat.Dense, k int, t Task) (err error) {
	if r.Diagnosis, err = spectral.Diagnose(values[0], values[1], nil); err != nil {
		return err
	}
	_, r.Diagnosis.Table = t.Functions.(net.Table)
	r.Diagnosis.NotSymmetric = t.notSymmetric
	if t.Own != nil {
		values = values[2:]
	}
	all, err := r.ritz(values[0], values[1], k, t.Lowest)
	if err != nil {
		return err
	}
	r.Bounds = all.bounds()[:k]
	if t.border != nil {
		r.atBorder = shareOf(values[3], values[2], r.rotation)
	}
	if t.Noisy {
		r.Residuals, r.Bounds, r.Diagnosis.Residuals = unknown(k), unknown(k), unknown(len(r.Diagnosis.Residuals))
	}
	if t.heldOut.From != nil {
		start, end := ofHeldOut(values)
		if r.HeldOut, err = heldOutOf(product(start, r.rotation), product(end, r.rotation)); err != nil {
			return fmt.Errorf("on the pairs held out: %w", err)
		}
	}
	return nil
}

func product(a, b mat.Matrix) *mat.Dense {
	var ab mat.Dense
	ab.Mul(a, b)
	return &ab
}

// unknown are n numbers that are not known.
func unknown(n int) []float64 { return slices.Repeat([]float64{math.NaN()}, n) }

func spread(runs []Run, k int) (deviations []float64) {
	for i := range k {
		var values []float64
		for _, r := range runs {
			if r.judged() {
				values = append(values, r.Values[i])
			}
		}
		if len(values) < 2 {
			return nil
		}
		deviations = append(deviations, stat.StdDev(values, nil))
	}
	return deviations
}

var errNotJudged = errors.New("no run of this training can be judged, so it has no functions; its Runs say why")

// At returns the k Ritz functions at points, N×D: N×k. They are those of the best run, scaled to ∫φ_i² = 1 (an average
// of 1 over the law of samples; for a matrix, unit vectors). For a net.Table points are the numbers of states, N×1, and
// nil stands for all of them in order.
//
// An error says which point is none: a coordinate is not finite, or a number is that of no state; or that no run could
// be judged.
func (l *Learned) At(points mat.Matrix) (*mat.Dense, error) {
	if l.Best < 0 {
		return nil, errNotJudged
	}
	if _, table := l.Task.Functions.(net.Table); points != nil || !table {
		if err := ofPoints.check(points, l.Task.Functions); err != nil {
			return nil, err
		}
	}
	p, now := train.Problem{Seeds: l.settings.Seeds, Data: slices.Clone(l.Task.Data)}, l.Result.Snapshot
	if points != nil {
		p.Data = append(p.Data, train.Table(points))
	}
	now.Params = now.Best()
	out, err := p.Evaluate(l.settings.Backend, now, func(in train.Inputs) []*graph.Node {
		var x *graph.Node
		if points != nil {
			x = graph.BroadcastPrefix(in.Data[len(l.Task.Data)], len(l.settings.Seeds))
		}
		return []*graph.Node{apply(l.Task.Functions, in.Params, x)}
	})
	if err != nil {
		return nil, err
	}
	phi := product(out[l.Best][0], l.rotation)
	phi.Scale(1/math.Sqrt(cmp.Or(l.Task.Volume, 1)), phi)
	return phi, nil
}
