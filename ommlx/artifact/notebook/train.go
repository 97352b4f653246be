package notebook

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/spectral"
	"omm-go/ommlx/train"
)

// Evaluated is k functions of one run, compared with exact ones on N points of equal weight.
type Evaluated struct {
	F         *mat.Dense // N×k
	Norms     []float64  // root mean square of each function
	Angles    []float64  // from each function to its exact one, in radians, from 0 to π/2
	Quotients []float64  // Rayleigh quotients ⟨f_i,Tf_i⟩/⟨f_i,f_i⟩
}

// Evaluation is a training with evaluations on the way.
type Evaluation struct {
	Runs  []Evaluated   // after training, with averaged parameters if there are any
	Mean  draw.Series   // the mean angle of all functions of all runs, against the step
	Modes []draw.Series // the angle of each function of the first run, against the step
}

// TrainEvaluated trains a problem, with its progress below the cell, and evaluates each run every c.EvalEvery steps
// and at the end. values builds f and Tf, each [R, N, k], at the N points of exact, whose functions are orthonormal in
// the mean over these points. If a value is not finite or a function is zero, the cell ends, or, after the training, an
// error is returned.
func TrainEvaluated(label string, p train.Problem, c train.Config, values func(in train.Inputs) (f, tf *graph.Node),
	exact *mat.Dense) (Evaluation, error) {
	evaluate, free := p.Evaluator(Engine(), func(in train.Inputs) []*graph.Node {
		f, tf := values(in)
		return []*graph.Node{f, tf}
	})
	defer free()
	n, _ := exact.Dims()
	weights, unit := slices.Repeat([]float64{1 / float64(n)}, n), linalg.Scaled(1/math.Sqrt(float64(n)), exact)
	evaluateRuns := func(now train.Snapshot) (runs []Evaluated, err error) {
		all, err := evaluate(now)
		for r, values := range all {
			f, tf := values[0], values[1]
			quotients, err := spectral.RayleighQuotients(f, tf, weights)
			if err != nil {
				return nil, fmt.Errorf("run %d at step %d: %w", r+1, now.Step, err)
			}
			norms, _ := spectral.Norms(f, weights) // fails only where the quotients do
			runs = append(runs, Evaluated{F: f, Norms: norms, Angles: linalg.Angles(f, unit), Quotients: quotients})
		}
		return runs, err
	}
	var modes draw.Curves
	eval := func(now train.Snapshot) (scores []float64, err error) {
		runs, err := evaluateRuns(now)
		if err != nil {
			return nil, err
		}
		for _, run := range runs {
			scores = append(scores, stat.Mean(run.Angles, nil))
		}
		Record(&modes, "mode", now.Step, runs[0].Angles)
		return scores, nil
	}
	result := Train(label, p, c, train.Options{Eval: eval})
	result.Params = result.Best()
	runs, err := evaluateRuns(result.Snapshot)
	return Evaluation{Runs: runs, Mean: Curve(label, result.History), Modes: modes.Series}, err
}
