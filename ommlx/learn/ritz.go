package learn

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/spectral"
)

// rounding is twice the unit roundoff of float32: F and TF are each rounded.
const rounding = 1. / (1 << 23)

// ritz fills in the fields in the units of the original operator, except Bounds: see the pairs that it returns. If
// functions are linearly dependent, there are fewer than k pairs and the rest of the fields is NaN.
func (r *Run) ritz(v view, k int, lowest bool) (*ritzPairs, error) {
	f, tf := v.ownF, v.ownTF
	own, err := spectral.Diagnose(f, tf, nil)
	if err != nil {
		return nil, err
	}
	r.Quotients = own.Quotients
	if own.Ritz == nil {
		own.Ritz, own.Rotation = spectral.RitzPairs(own.Overlap, own.Projected, dependent)
	}
	if own.Ritz == nil {
		return nil, errors.New("all functions are 0: start with larger functions or take smaller steps, and check " +
			"that not all inputs of the network are equal")
	}
	points, trained := f.Dims()
	found := len(own.Ritz)
	all := &ritzPairs{rotation: mat.NewDense(trained, found, nil), sign: 1, outside: outside{most: math.NaN()}}
	if lowest {
		all.sign = -1
	}
	for i := range found {
		from := i
		if lowest {
			from = found - 1 - i
		}
		all.values = append(all.values, own.Ritz[from])
		all.rotation.SetCol(i, mat.Col(nil, from, own.Rotation))
	}
	all.phi, all.applied = product(f, all.rotation), product(tf, all.rotation)
	var applied []float64 // norms of TF
	for j := range trained {
		applied = append(applied, mat.Norm(tf.ColView(j), 2)/math.Sqrt(float64(points)))
	}
	for i, value := range all.values {
		rest, phi := mat.Col(nil, i, all.applied), mat.Col(nil, i, all.phi)
		floats.AddScaled(rest, -value, phi)
		// The rotation also enlarges the rounding errors of f and Tf.
		var rounded float64
		for j := range trained {
			rounded += rounding * math.Abs(all.rotation.At(j, i)) * (applied[j] + math.Abs(value)*own.Norms[j])
		}
		all.rounded = append(all.rounded, rounded)
		all.residuals = append(all.residuals, floats.Norm(rest, 2)/floats.Norm(phi, 2)+rounded)
	}
	r.Values, r.Residuals = first(k, all.values), first(k, all.residuals)
	r.rotation = mat.NewDense(trained, k, unknown(trained*k))
	r.rotation.Copy(all.rotation)
	return all, nil
}

// first returns the first k numbers, NaN if there are fewer.
func first(k int, x []float64) []float64 { return append(slices.Clone(x), unknown(k)...)[:k] }

// dependent is the variance of a direction, relative to the largest, up to which functions differ by rounding only.
const dependent = 1e-6
