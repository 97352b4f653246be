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

	"omm-go/ommlx/spectral"
	"omm-go/ommlx/train"
)

// Learned are k learned eigenfunctions. The embedded Run is the best of Runs.
type Learned struct {
	Run
	Runs []Run // one for each seed
	// Best is the index of the embedded run: the one with the highest score on held-out pairs, else with the lowest OMM
	// loss; −1 if no run can be judged.
	Best int
	// Spread is the standard deviation of each of Values over the runs that can be judged; nil where there is one.
	Spread []float64
	// Result is the training: loss history, parameters, seconds. Of a loaded file it has only the parameters.
	Result *train.Result
	Task   Task // what the operator became, with the functions and the defaults that it chose
	// Engine is the name of the backend that computed: "xla", or "SimpleGo (go)"; see [Settings].Options.
	Engine string

	settings Settings
	k        int
}

// Run is what one seed learned, in the units of the original operator, on the sample of [Settings].Judge. A run that
// diverged, or whose functions have no Ritz values, has only a Cause; its Values are nil.
//
// The functions are the Ritz functions: those in the span of all trained functions that come nearest to eigenfunctions.
// They are orthonormal, and in order.
type Run struct {
	Values    []float64 // k Ritz values, the leading first
	Residuals []float64 // k, ‖Tφ_i − λ_i φ_i‖ for ‖φ_i‖ = 1; a self-adjoint T has an eigenvalue that near to λ_i
	// Bounds are how far each of Values can be from the eigenvalue, k, by Lehmann and Maehly with the value and the
	// residual of a function further down for what separates them ([spectral.LehmannMaehly]), and by the rounding of
	// float32. They hold if T is self-adjoint, no eigenvalue was missed and the samples suffice. NaN where no function
	// further down is separated, as for the last one, and where Tf is sampled. They are loose: for the four states of
	// −∇² − 20/cosh²x they are 7 to 80 times the error (TestBoundsOfPoschlTeller).
	Bounds    []float64
	HeldOut   *spectral.PairScores // on held-out pairs; nil without
	Quotients []float64            // Rayleigh quotients of the trained functions, in the order of their training
	// Diagnosis is of the functions as they were trained, and of the operator as it was trained: scaled, or inverted.
	Diagnosis spectral.Diagnosis
	Diverged  int    // step at which the run stopped being finite; 0: it never did
	Cause     string // what was not finite then, or why the functions cannot be judged

	rotation *mat.Dense // from trained to Ritz functions, k'×k
	atBorder []float64  // k mean squares at the border of a box, relative to even ones; nil where there is no box
}

// judge evaluates all runs by a program of [Learned.judging].
func (l *Learned) judge(evaluate evaluator) error {
	views, err := evaluate(l.Result.Snapshot)
	if err != nil {
		return err
	}
	for r, v := range views {
		run := Run{Diverged: l.Result.Diverged[r], Cause: l.Result.Causes[r]}
		if run.Diverged == 0 {
			if err := run.judge(v, l.k, l.Task); err != nil {
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
		return fmt.Errorf("no run can be judged; seed %d: %s", l.settings.Seeds[0], l.Runs[0].Cause)
	}
	l.Run = l.Runs[l.Best]
	l.Spread = spread(l.Runs, l.k)
	return nil
}

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

// judge fills the run.
func (r *Run) judge(v view[*mat.Dense], k int, t Task) (err error) {
	if r.Diagnosis, err = spectral.Diagnose(v.f, v.tf, nil); err != nil {
		return err
	}
	r.Diagnosis.Table, r.Diagnosis.NotSymmetric = isDiscrete(t.Functions), t.NotSymmetric
	all, err := r.ritz(v, k, t.Lowest)
	if err != nil {
		return err
	}
	r.Bounds = all.bounds()[:k]
	if v.borderF != nil {
		r.atBorder = shareOf(v.atBorder, v.borderF, r.rotation)
	}
	if t.Noisy {
		r.Residuals, r.Bounds, r.Diagnosis.Residuals = unknown(k), unknown(k), unknown(len(r.Diagnosis.Residuals))
	}
	if v.start != nil {
		if r.HeldOut, err = spectral.ScorePairs(product(v.start, r.rotation), product(v.end, r.rotation)); err != nil {
			return fmt.Errorf("on held-out pairs: %w", err)
		}
	}
	return nil
}

func product(a, b mat.Matrix) *mat.Dense {
	var ab mat.Dense
	ab.Mul(a, b)
	return &ab
}

// unknown is n times NaN.
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

var errNotJudged = errors.New("no run can be judged, so there are no functions; Runs have the causes")

// At returns the k Ritz functions at points, N×D: N×k. They belong to the best run, scaled to ∫φ_i² = 1 (an average
// of 1 over the law of samples; for a matrix, unit vectors). For a net.Table points are the numbers of states, N×1, and
// nil stands for all of them in order.
func (l *Learned) At(points mat.Matrix) (*mat.Dense, error) {
	if l.Best < 0 {
		return nil, errNotJudged
	}
	if points != nil || !isDiscrete(l.Task.Functions) {
		if err := check("points", points, l.Task.Functions); err != nil {
			return nil, err
		}
	}
	p, now := train.Problem{Seeds: l.settings.Seeds, Data: slices.Clone(l.Task.Data)}, l.Result.Snapshot
	if points != nil {
		p.Data = append(p.Data, train.Table(points))
	}
	now.Params = now.Best()
	out, err := p.Evaluate(l.settings.Options.Backend, now, func(in train.Inputs) []*graph.Node {
		var x *graph.Node
		if points != nil {
			x = graph.BroadcastPrefix(in.Data[len(l.Task.Data)], len(l.settings.Seeds))
		}
		return []*graph.Node{l.Task.Functions.Apply(in.Params, x)}
	})
	if err != nil {
		return nil, err
	}
	phi := product(out[l.Best][0], l.rotation)
	phi.Scale(1/math.Sqrt(cmp.Or(l.Task.Volume, 1)), phi)
	return phi, nil
}

// Timescales are those on which the functions of a transition operator decay, −lag/ln|λ_i|, in the units of lag, the
// time between x and x'. They should not depend on the lag: where they grow with it, the functions or the coordinates
// miss something slow. +Inf where |λ_i| ≥ 1, as for the constant.
func (r Run) Timescales(lag float64) []float64 {
	times := make([]float64, len(r.Values))
	for i, v := range r.Values {
		if times[i] = -lag / math.Log(math.Abs(v)); !(math.Abs(v) < 1) {
			times[i] = math.Inf(1)
		}
	}
	return times
}

// Propagate returns E[g(x_n)|x_0] at points x_0, N×D, of an observable g after n steps of a transition operator, as far
// as the learned functions represent it: Σ_i λ_iⁿ E[φ_i g] φ_i(x_0). g is given by its values at samples of the
// stationary law, M×D.
func (l *Learned) Propagate(points, samples mat.Matrix, g []float64, n int) ([]float64, error) {
	if samples == nil || n < 0 {
		return nil, errors.New("propagate: give samples of the stationary law, and a number of steps of at least 0")
	}
	if rows, _ := samples.Dims(); rows != len(g) {
		return nil, fmt.Errorf("propagate: g has %d values at %d samples", len(g), rows)
	}
	there, err := l.At(samples)
	if err != nil {
		return nil, err
	}
	at, err := l.At(points)
	if err != nil {
		return nil, err
	}
	var weights, future mat.VecDense
	weights.MulVec(there.T(), mat.NewVecDense(len(g), g))
	for i, v := range l.Values {
		weights.SetVec(i, weights.AtVec(i)*math.Pow(v, float64(n))/float64(len(g)))
	}
	future.MulVec(at, &weights)
	return future.RawVector().Data, nil
}
