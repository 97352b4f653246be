package learn

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/spectral"
)

const (
	rounding   = 1. / (1 << 23) // twice the unit roundoff of float32: F and TF are each rounded
	rounding64 = 1. / (1 << 52) // the same for each term of a product in float64
)

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
