package learn

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/spectral"
	"omm-go/ommlx/train"
)

const (
	heldOutShare = 0.1
	// heldOutBlocks is the number of blocks of consecutive pairs that are held out or trained on as a whole: enough for
	// both parts to cover the data, and few enough that pairs of a trajectory have most of their neighbours in their
	// part.
	heldOutBlocks = 100
	// heldOutLeast pairs are held out of few ones, as far as a third of them is that many.
	heldOutLeast = 50
	// parted is how many standard errors, and overfit how much, a value on held-out pairs must lie below that on the
	// pairs that trained it to be called overfitted.
	parted, overfit = 4, 0.05
)

// HeldOut is what the Ritz functions of a run are worth on pairs that no step saw.
type HeldOut struct {
	Values []float64 // k Rayleigh quotients
	Errors []float64 // k, their standard errors for independent pairs; pairs of one trajectory have larger ones
	// Scores are the VAMP-2 scores of the first 1, 2, … k functions: the sum of the squares of the eigenvalues of
	// M[f,Tf] c = θ M[f] c on these pairs, at most their number. The constant counts with 1, as in deeptime. Functions
	// after which it does not rise are not worth having, which is a way to choose k. Source: Wu and Noé 2020 (Journal
	// of Nonlinear Science 30), for a reversible process.
	Scores []float64
	Pairs  int // how many were held out
}

// Score is that of all k functions.
func (h HeldOut) Score() float64 { return h.Scores[len(h.Scores)-1] }

// split divides pairs into those that train and those that are held out.
func (o Pairs) split() (trained, heldOut Pairs) {
	n, d := o.From.Dims()
	share := o.HeldOut
	if share == 0 {
		share = max(heldOutShare, min(1./3, heldOutLeast/float64(n)))
	}
	size := max(1, n/heldOutBlocks)
	var from, to [2][]float64 // of those that train and of those that are held out
	for i := range n {
		block, part := float64(i/size), 0
		if share > 0 && math.Floor((block+1)*share+1e-9) > math.Floor(block*share+1e-9) {
			part = 1
		}
		from[part] = append(from[part], mat.Row(nil, i, o.From)...)
		to[part] = append(to[part], mat.Row(nil, i, o.To)...)
	}
	if from[1] == nil {
		return o, Pairs{}
	}
	return pairsOf(d, from[0], to[0]), pairsOf(d, from[1], to[1])
}

// tables are both ends of the pairs; nil where there are none.
func (o Pairs) tables() []*tensors.Tensor {
	if o.From == nil {
		return nil
	}
	return []*tensors.Tensor{train.Table(o.From), train.Table(o.To)}
}

// heldOutOf judges functions at both ends of pairs, n×k.
func heldOutOf(start, end *mat.Dense) (*HeldOut, error) {
	d, err := ofPairs(start, end)
	if err != nil {
		return nil, err
	}
	n, k := start.Dims()
	h := &HeldOut{Pairs: n, Values: d.Quotients}
	for i, value := range h.Values {
		var norm, square float64
		for p := range n {
			a, b := start.At(p, i), end.At(p, i)
			norm, square = norm+(a*a+b*b)/2, square+math.Pow(a*b-value*(a*a+b*b)/2, 2)
		}
		h.Errors = append(h.Errors, math.Sqrt(square)/norm)
	}
	for i := range k {
		h.Scores = append(h.Scores, score(d, i+1))
	}
	return h, nil
}

// ofPairs diagnoses functions at both ends of pairs, n×k, each of which counts in both directions.
func ofPairs(start, end *mat.Dense) (spectral.Diagnosis, error) {
	var f, tf mat.Dense
	f.Stack(start, end)
	tf.Stack(end, start)
	return spectral.Diagnose(&f, &tf, nil)
}

// score is the sum of the squares of the Ritz values of the first k functions, tr (M[f]⁻¹ M[f,Tf])²; NaN where they are
// dependent.
func score(d spectral.Diagnosis, k int) float64 {
	var x mat.Dense
	if x.Solve(d.Overlap.Slice(0, k, 0, k), d.Projected.Slice(0, k, 0, k)) != nil {
		return math.NaN()
	}
	x.Mul(&x, &x)
	return mat.Trace(&x)
}

// overfitted says for which functions the values on the pairs that trained them do not hold on others.
func (r Run) overfitted() string {
	if r.HeldOut == nil {
		return ""
	}
	which := make([]bool, len(r.Values))
	for i, v := range r.HeldOut.Values {
		which[i] = r.Values[i]-v > max(overfit, parted*r.HeldOut.Errors[i])
	}
	i := slices.Index(which, true)
	if i < 0 {
		return ""
	}
	return fmt.Sprintf("%s overfitted: function %d has the value %.3g on the pairs that trained it, "+
		"but %.2g ± %.1g on the %d held out; take fewer steps or a smaller network, or give more pairs",
		areFunctions(which), i+1, r.Values[i], r.HeldOut.Values[i], r.HeldOut.Errors[i], r.HeldOut.Pairs)
}
