package learn

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/net"
	"omm-go/ommlx/spectral"
	"omm-go/ommlx/train"
)

// Learned is the result of [Learn]: k eigenvalues and eigenfunctions with their diagnostics. The embedded Run is the
// best of Runs.
type Learned struct {
	Run
	Runs []Run // one per seed
	// Best is the index of the embedded run: the one with the highest score on held-out pairs or, without them, the
	// lowest OMM loss, for NeuralEF and SpIN the largest sum of Ritz values; −1 if no run can be evaluated.
	Best int
	// Spread is the standard deviation of each of Values over the runs that can be evaluated; nil if there is only one.
	Spread []float64
	// Result is the training: loss history, parameters, seconds. After [Load] it has only the parameters.
	Result *train.Result
	Task   Task // made by the operator, with its functions and defaults
	// Ended reports whether a training with the default number of steps converged, with residuals below the gaps
	// between eigenvalues, or ended at the limit. It is empty if the number of steps was fixed.
	Ended string
	// Engine is the name of the backend: "xla" or "SimpleGo (go)"; see [Settings].Options.
	Engine string

	settings Settings
	k        int
	basis    *basis // of EDMD, instead of the functions of Task
	behind   string // what simpler functions of the same pairs found and these did not; see [Learned.compare]
}

// Run is the result of one seed, in the units of the original operator, evaluated on [Settings].EvalBatch samples. Its
// functions are Ritz functions: the best approximations to eigenfunctions in the span of the trained functions,
// orthonormal and in order. If the run diverged or has no Ritz values, Values is nil and Cause is the reason.
type Run struct {
	Values    []float64 // k Ritz values, the leading first
	Residuals []float64 // k, ‖Tφ_i − λ_i φ_i‖ for ‖φ_i‖ = 1; a self-adjoint T has an eigenvalue within this of λ_i
	// Bounds limit the error of each of the k Values. For a Matrix, Sparse or Graph they are proved, up to a chance of
	// 10⁻¹⁰ over starts: the largest eigenvalue ρ on the complement of the functions is found by the Lanczos method and
	// enters [spectral.LehmannMaehly], with products in float64. Elsewhere they are estimates: ρ is the value plus the
	// residual of a later function whose residual is small against the gaps; they hold if no eigenvalue was missed and
	// the samples suffice, and the last function that was trained has none. Both include rounding. Bounds are NaN if T
	// is not self-adjoint, Tf is sampled, no later function has converged or the Lanczos method has not. They are
	// loose: 7 to 80 times the error in TestBoundsOfPoschlTeller.
	Bounds  []float64
	HeldOut *spectral.PairScores // on held-out pairs; nil if there are no pairs
	// StandardErrors are those of the k Values on the evaluation sample of a Noisy [Task]; otherwise nil.
	StandardErrors []float64
	Quotients      []float64 // Rayleigh quotients of the trained functions, in training order
	// Diagnosis describes the trained functions before the Ritz step, with the operator in its scaled or inverted form.
	Diagnosis spectral.Diagnosis
	Diverged  int    // step at which the run became NaN or infinite; 0: never
	Cause     string // the quantity that was not finite, or why the functions cannot be evaluated

	radius   float64 // [Task].radius
	outside  spectral.Outside
	edge     float64    // largest eigenvalue outside the trained functions, if known, otherwise their last Ritz value
	rotation *mat.Dense // from trained to Ritz functions, k'×k
	crossed  []float64  // k, the number of training pairs in which a function changes sign; nil without pairs
}

// evaluateRuns evaluates all runs by the program of [Learned.evaluator].
func (l *Learned) evaluateRuns(program train.Evaluator) error {
	runs, err := program(l.Result.Snapshot)
	if err != nil {
		return err
	}
	anyNorms := l.traits().AnyNorms
	for r, matrices := range runs {
		run := Run{Diverged: l.Result.Diverged[r], Cause: l.Result.Causes[r]}
		if run.Diverged == 0 {
			if err := run.evaluate(l.view(matrices), l.k, l.Task, true); err != nil {
				run = Run{Cause: err.Error()}
			}
		}
		if l.Runs = append(l.Runs, run); run.evaluated() && (l.Best < 0 || run.better(l.Runs[l.Best], anyNorms)) {
			l.Best = r
		}
	}
	if l.Best < 0 {
		return fmt.Errorf("no run can be evaluated: seed %d: %s", l.settings.Seeds[0], l.Runs[0].Cause)
	}
	l.Run, l.Spread = l.Runs[l.Best], spread(l.Runs, l.k)
	l.Ended = l.ended()
	l.behind = l.compare()
	return l.countCrossings()
}

func (r Run) evaluated() bool { return r.Values != nil }

// better compares two evaluated runs, by their values if the norms, on which the loss depends, are arbitrary.
func (r Run) better(than Run, anyNorms bool) bool {
	if r.HeldOut != nil {
		if order := cmp.Compare(r.HeldOut.Score, than.HeldOut.Score); order != 0 { // NaN is least
			return order > 0
		}
	}
	if ours, theirs := r.Diagnosis.Ritz, than.Diagnosis.Ritz; anyNorms { // nil if functions are dependent
		return ours != nil && (theirs == nil || floats.Sum(ours) > floats.Sum(theirs))
	}
	return r.Diagnosis.Loss < than.Diagnosis.Loss
}

// evaluate fills in the run. With prove, as at the end of a training, it also computes the standard errors, and a
// Lanczos method that finds no eigenvalue outside the functions proves the Bounds of an operator with known products.
func (r *Run) evaluate(v view, k int, t Task, prove bool) (err error) {
	if r.Diagnosis, err = spectral.Diagnose(v.f, v.tf, nil); err != nil {
		return err
	}
	n, trained := v.f.Dims()
	r.radius = t.radius
	known := t.apply != nil && n == t.rows
	exact := prove && known
	if exact {
		v.ownTF = linalg.Images(t.apply, v.ownF) // in float64, since values may be far below the spectral radius
	}
	all, err := r.ritz(v, k, t, exact)
	if err != nil {
		return err
	}
	r.Residuals, r.Bounds, r.outside.Most = unknown(k), unknown(k), math.NaN()
	if t.Noisy {
		r.Diagnosis.Residuals = unknown(trained)
		if prove && t.rows == 0 { // not for the progress of a training
			r.StandardErrors = spectral.QuotientErrors(linalg.Product(v.ownF, r.rotation),
				linalg.Product(v.ownTF, r.rotation), r.Values)
		}
	} else if r.Residuals = first(k, all.Residuals); t.notSymmetric == "" {
		if exact {
			r.outside = all.Outside(t.apply)
		}
		if !known || !math.IsNaN(r.outside.Most) {
			r.Bounds = first(k, all.Bounds(r.outside.Most))
		}
	}
	if r.edge = r.outside.Most; math.IsNaN(r.edge) {
		r.edge = all.Values[len(all.Values)-1]
		if t.lowest {
			r.edge *= -1
		}
	}
	if t.pairs.From != nil {
		start, end := v.f.Slice(0, n/2, 0, trained), v.tf.Slice(0, n/2, 0, trained)
		r.crossed = spectral.SignChanges(linalg.Product(start, r.rotation), linalg.Product(end, r.rotation), t.rows)
	}
	if v.start != nil {
		r.HeldOut, err = t.HeldOut.score(linalg.Product(v.start, r.rotation), linalg.Product(v.end, r.rotation))
		if err != nil {
			return fmt.Errorf("held-out pairs: %w", err)
		}
	}
	return nil
}

// unknown returns n NaNs.
func unknown(n int) []float64 { return slices.Repeat([]float64{math.NaN()}, n) }

func spread(runs []Run, k int) (deviations []float64) {
	runs = slices.DeleteFunc(slices.Clone(runs), func(r Run) bool { return !r.evaluated() })
	for i := 0; i < k && len(runs) > 1; i++ {
		values := xslices.Map(runs, func(r Run) float64 { return r.Values[i] })
		deviations = append(deviations, stat.StdDev(values, nil))
	}
	return deviations
}

var errNotEvaluated = errors.New("no run could be evaluated, so there are no functions; see the Cause of each of Runs")

// At returns the k Ritz functions of the best run at points, N×D: N×k. They are scaled to ∫φ_i² = 1 (mean square 1 over
// the law of the samples; unit vectors for a matrix). For a net.Table, points are state numbers, N×1, and nil means all
// states in order.
func (l *Learned) At(points mat.Matrix) (*mat.Dense, error) {
	if l.Best < 0 {
		return nil, errNotEvaluated
	}
	if l.basis != nil {
		if err := checkPoints(points, len(l.basis.Mean)); err != nil {
			return nil, err
		}
		return linalg.Product(l.basis.at(points), l.rotation), nil
	}
	if points != nil || !net.IsDiscrete(l.Task.Functions) {
		if err := check("learn: points", points, l.Task.Functions); err != nil {
			return nil, err
		}
	}
	p := train.Problem{Seeds: l.settings.Seeds}
	if points != nil {
		p.Data = []*tensors.Tensor{inputs(l.Task.Functions, points)}
	}
	out, err := p.Evaluate(l.settings.Options.Backend, l.Result.Snapshot, func(in train.Inputs) []*graph.Node {
		var x *graph.Node
		if points != nil {
			x = graph.BroadcastPrefix(in.Data[0], len(l.settings.Seeds))
		}
		return []*graph.Node{l.Task.Functions.Apply(in.Params, x)}
	})
	if err != nil {
		return nil, err
	}
	phi := linalg.Product(out[l.Best][0], l.rotation)
	phi.Scale(1/math.Sqrt(cmp.Or(l.Task.volume, 1)), phi)
	return phi, nil
}
