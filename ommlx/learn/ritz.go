package learn

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/spectral"
)

// rounding is the unit of float32, twice: F and TF are each rounded.
const rounding = 1. / (1 << 23)

// ritz fills what is in the units of the original operator, except the bounds, which the pairs that it returns have.
func (r *Run) ritz(v view[*mat.Dense], k int, lowest bool) (*ritzPairs, error) {
	f, tf := v.ownF, v.ownTF
	own, err := spectral.Diagnose(f, tf, nil)
	if err != nil {
		return nil, err
	}
	if own.Ritz == nil {
		why := "ask for fewer, or train longer"
		if advice := r.Diagnosis.Advice(); len(advice) > 0 {
			why = advice[0]
		}
		return nil, fmt.Errorf("the functions are linearly dependent, so they have no Ritz values; %s", why)
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
		// Rounding of f and Tf is rotated and enlarged with them.
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

// ritzPairs are all Ritz functions of a run, the leading first, also those beyond k.
type ritzPairs struct {
	values, residuals, rounded []float64  // k'
	rotation                   *mat.Dense // k'×k'
	phi, applied               *mat.Dense // φ and Tφ, N×k'
	sign                       float64    // −1 where the lowest come first
}

// bounds returns [Run].Bounds of all k' functions: for each the least over the functions m further down that separate
// the functions before them from the rest of the spectrum.
func (p *ritzPairs) bounds() []float64 {
	bounds := unknown(len(p.values))
	points, trained := p.phi.Dims()
	var signed mat.Dense
	signed.Scale(p.sign, p.applied)
	for m := 1; m < trained; m++ {
		rho := p.sign*p.values[m] + p.residuals[m]
		upper, err := spectral.LehmannMaehly(mat.DenseCopyOf(p.phi.Slice(0, points, 0, m)),
			mat.DenseCopyOf(signed.Slice(0, points, 0, m)), nil, rho)
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

// shareOf is the mean square of Ritz functions where inside, N×1, is positive, relative to that everywhere.
func shareOf(inside, f, rotation *mat.Dense) []float64 {
	phi := product(f, rotation)
	points, k := phi.Dims()
	shares := make([]float64, k)
	for i := range shares {
		var there, all, count float64
		for p := range points {
			square := phi.At(p, i) * phi.At(p, i)
			all += square
			if inside.At(p, 0) > 0 {
				there, count = there+square, count+1
			}
		}
		shares[i] = there / count / (all / float64(points))
	}
	return shares
}
