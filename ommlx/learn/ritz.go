package learn

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/spectral"
)

// rounding is twice the unit roundoff of float32: F and TF are each rounded.
const rounding = 1. / (1 << 23)

// ritz fills in the fields in the units of the original operator, except Bounds: see the pairs that it returns.
func (r *Run) ritz(v view, k int, lowest bool) (*ritzPairs, error) {
	f, tf := v.ownF, v.ownTF
	own, err := spectral.Diagnose(f, tf, nil)
	if err != nil {
		return nil, err
	}
	if own.Ritz == nil {
		why := "lower k, or train longer"
		if advice := r.Diagnosis.Advice(); len(advice) > 0 {
			why = advice[0]
		}
		return nil, fmt.Errorf("the functions are linearly dependent and have no Ritz values: %s", why)
	}
	r.Quotients = own.Quotients
	points, trained := f.Dims()
	all := &ritzPairs{rotation: mat.NewDense(trained, trained, nil), sign: 1}
	if lowest {
		all.sign = -1
	}
	for i := range trained {
		from := i
		if lowest {
			from = trained - 1 - i
		}
		all.values = append(all.values, own.Ritz[from])
		all.rotation.SetCol(i, mat.Col(nil, from, own.Rotation))
	}
	all.phi, all.applied = product(f, all.rotation), product(tf, all.rotation)
	var ofTF []float64 // norms of Tf
	for j := range trained {
		ofTF = append(ofTF, mat.Norm(tf.ColView(j), 2)/math.Sqrt(float64(points)))
	}
	for i, value := range all.values {
		rest, phi := mat.Col(nil, i, all.applied), mat.Col(nil, i, all.phi)
		floats.AddScaled(rest, -value, phi)
		// The rotation also enlarges the rounding errors of f and Tf.
		var rounded float64
		for j := range trained {
			rounded += rounding * math.Abs(all.rotation.At(j, i)) * (ofTF[j] + math.Abs(value)*own.Norms[j])
		}
		all.rounded = append(all.rounded, rounded)
		all.residuals = append(all.residuals, floats.Norm(rest, 2)/floats.Norm(phi, 2)+rounded)
	}
	r.Values, r.Residuals = all.values[:k], all.residuals[:k]
	r.rotation = mat.DenseCopyOf(all.rotation.Slice(0, trained, 0, k))
	return all, nil
}

// ritzPairs holds all k' Ritz functions of a run, the leading first.
type ritzPairs struct {
	values, residuals, rounded []float64  // k'
	rotation                   *mat.Dense // k'×k'
	phi, applied               *mat.Dense // φ and Tφ, N×k'
	sign                       float64    // −1 if the lowest come first
}

// bounds returns [Run].Bounds of all k' functions: the least over all later functions m that separate the functions
// before m from the rest of the spectrum.
func (p *ritzPairs) bounds() []float64 {
	bounds := unknown(len(p.values))
	points, trained := p.phi.Dims()
	var signed mat.Dense
	signed.Scale(p.sign, p.applied)
	for m := 1; m < trained; m++ {
		rho := p.sign*p.values[m] + p.residuals[m]
		upper, err := spectral.LehmannMaehly(mat.DenseCopyOf(p.phi.Slice(0, points, 0, m)),
			mat.DenseCopyOf(signed.Slice(0, points, 0, m)), rho)
		if err != nil {
			continue // not separated
		}
		for i, u := range upper {
			if bound := math.Max(0, u-p.sign*p.values[i]) + p.rounded[i]; !(bounds[i] <= bound) { // or NaN
				bounds[i] = bound
			}
		}
	}
	return bounds
}

// shareOf returns the mean square of Ritz functions where inside, N×1, is positive, relative to the total mean square.
func shareOf(inside, f, rotation *mat.Dense) []float64 {
	phi := product(f, rotation)
	points, k := phi.Dims()
	shares := make([]float64, k)
	there := make([]float64, points) // weights, 1 inside
	for p := range there {
		if inside.At(p, 0) > 0 {
			there[p] = 1
		}
	}
	phi.MulElem(phi, phi)
	for i := range shares {
		squares := mat.Col(nil, i, phi)
		shares[i] = stat.Mean(squares, there) / stat.Mean(squares, nil)
	}
	return shares
}
