package learn

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/spectral"
)

const (
	rounding   = 1. / (1 << 23) // twice the unit roundoff of float32: F and TF are each rounded
	rounding64 = 1. / (1 << 52) // the same for each term of a product in float64
	dependent  = 1e-6           // variance of a direction, relative to the largest, that may be rounding only
)

// ritzPairs holds all Ritz functions of a run, k' of them, or fewer if functions are dependent. The operator is T or,
// for the lowest eigenvalues, −T, so that the largest come first.
type ritzPairs struct {
	values              []float64
	rotation            *mat.Dense // of the trained functions
	phi, applied        *mat.Dense // φ and Tφ, N×k'
	residuals, roundoff []float64  // of Tφ − θφ, and its part that is due to rounding
}

// exactly replaces the float32 products of an operator on all states by products in float64, by which Ritz values and
// bounds are right to the rounding of float64 even where they are far below the spectral radius.
func (v view) exactly(apply func(dst, src []float64)) view {
	n, trained := v.ownF.Dims()
	v.ownTF = mat.NewDense(n, trained, nil)
	image := make([]float64, n)
	for j := range trained {
		apply(image, mat.Col(nil, j, v.ownF))
		v.ownTF.SetCol(j, image)
	}
	return v
}

// ritz fills in Values, Quotients and the rotation, in the units of the original operator. If functions are linearly
// dependent, there are fewer than k pairs and the other numbers are NaN. Pairs of a sampled operator have no residuals.
// exact says that Tf is rounded to float64 only.
func (r *Run) ritz(v view, k int, t Task, exact bool) (*ritzPairs, error) {
	f, tf, own, sign := v.ownF, v.ownTF, r.Diagnosis, 1.0
	if t.lowest {
		sign, tf = -1, new(mat.Dense)
		tf.Scale(sign, v.ownTF)
	}
	if tf != v.tf {
		var err error
		if own, err = spectral.Diagnose(f, tf, nil); err != nil {
			return nil, err
		}
	}
	all := &ritzPairs{values: own.Ritz, rotation: own.Rotation}
	if all.values == nil {
		all.values, all.rotation = spectral.RitzPairs(own.Overlap, own.Projected, dependent)
	}
	if all.values == nil {
		return nil, errors.New("all functions are 0: start with larger functions or take smaller steps, and check " +
			"that not all inputs of the network are equal")
	}
	r.Values, r.Quotients = first(k, all.values), slices.Clone(own.Quotients)
	floats.Scale(sign, r.Values)
	floats.Scale(sign, r.Quotients)
	points, trained := f.Dims()
	r.rotation = mat.NewDense(trained, k, unknown(trained*k))
	r.rotation.Copy(all.rotation)
	if t.Noisy {
		return all, nil
	}
	all.phi, all.applied = product(f, all.rotation), product(tf, all.rotation)
	unit, norms := rounding, make([]float64, trained) // of TF
	for j := range norms {
		norms[j] = mat.Norm(tf.ColView(j), 2) / math.Sqrt(float64(points))
		if exact { // sums of float64 may cancel
			unit, norms[j] = float64(points)*rounding64, t.radius*own.Norms[j]
		}
	}
	for i, value := range all.values {
		rest, phi := mat.Col(nil, i, all.applied), mat.Col(nil, i, all.phi)
		floats.AddScaled(rest, -value, phi)
		// The rotation also enlarges the rounding errors of f and Tf.
		var roundoff float64
		for j := range trained {
			roundoff += unit * math.Abs(all.rotation.At(j, i)) * (norms[j] + math.Abs(value)*own.Norms[j])
		}
		all.roundoff = append(all.roundoff, roundoff)
		all.residuals = append(all.residuals, floats.Norm(rest, 2)/floats.Norm(phi, 2)+roundoff)
	}
	return all, nil
}

// first returns the first k numbers, NaN if there are fewer.
func first(k int, x []float64) []float64 { return append(slices.Clone(x), unknown(k)...)[:k] }
