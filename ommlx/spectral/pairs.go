package spectral

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// PairScores rate k functions of a transition operator on pairs (x, x') that they were not fitted to.
type PairScores struct {
	Values []float64 // k Rayleigh quotients
	Errors []float64 // k, their standard errors for independent pairs; pairs of one trajectory have larger ones
	// Scores are the VAMP-2 scores of the first 1, 2, … k functions, [Diagnosis.Score]. The constant counts as 1, as in
	// deeptime. To choose k, stop where the score no longer rises.
	Scores []float64
	Pairs  int // their number
}

// Score is the score of all k functions.
func (s PairScores) Score() float64 { return s.Scores[len(s.Scores)-1] }

// ScorePairs scores functions by their values at both ends of pairs, n×k each.
func ScorePairs(start, end *mat.Dense) (*PairScores, error) {
	d, err := DiagnosePairs(start, end)
	if err != nil {
		return nil, err
	}
	n, k := start.Dims()
	s := &PairScores{Pairs: n, Values: d.Quotients}
	for i, value := range s.Values {
		var norm, square float64
		for p := range n {
			a, b := start.At(p, i), end.At(p, i)
			norm, square = norm+(a*a+b*b)/2, square+math.Pow(a*b-value*(a*a+b*b)/2, 2)
		}
		s.Errors = append(s.Errors, math.Sqrt(square)/norm)
	}
	for i := range k {
		s.Scores = append(s.Scores, d.Score(i+1))
	}
	return s, nil
}

// DiagnosePairs diagnoses functions of a transition operator by their values at both ends of pairs, n×k each. Each pair
// counts in both directions.
func DiagnosePairs(start, end *mat.Dense) (Diagnosis, error) {
	var f, tf mat.Dense
	f.Stack(start, end)
	tf.Stack(end, start)
	return Diagnose(&f, &tf, nil)
}

// Score is the VAMP-2 score of the first k functions: the sum of the squares of their Ritz values,
// tr (M[f]⁻¹ M[f,Tf])², at most k for a transition operator; NaN if they are dependent. Source: Wu and Noé 2020
// (Journal of Nonlinear Science 30), for a reversible process.
func (d Diagnosis) Score(k int) float64 {
	var x mat.Dense
	if x.Solve(d.Overlap.Slice(0, k, 0, k), d.Projected.Slice(0, k, 0, k)) != nil {
		return math.NaN()
	}
	x.Mul(&x, &x)
	return mat.Trace(&x)
}
