package spectral

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

const (
	minResidual      = 1e-5 // of a complete training in float32, relative to the largest value
	radiusResidual   = 3e-7 // the same, relative to the spectral radius
	maxError         = 0.05 // possible error of a value, relative to it, that is tolerated
	maxProvedError   = 0.01 // the same if bounds are proved
	minError         = 1e-6 // error that counts, relative to the spectral radius
	minSampledError  = 1e-4 // the same for an operator without a known radius, relative to the largest value
	minMissed        = 1e-7 // distance to an eigenvalue that was missed, relative to the spectral radius
	maxSettled       = 0.05 // residual relative to the gap at which a training may end
	maxResidualToGap = 0.5  // residual, relative to the gap, of functions that are separated
	maxDegenerate    = 1e-4 // distance of values of one level, relative to the spread of all
)

// Accuracy is what is known about the errors of k Ritz values.
type Accuracy struct {
	Values, Residuals []float64 // the leading first; a NaN is a function that does not exist
	Bounds            []float64 // limits of the errors; NaN or nil: unknown
	Outside           Outside   // of the trained functions
	Edge              float64   // the largest eigenvalue outside, if known, otherwise the last Ritz value
	Radius            float64   // the spectral radius; 0: unknown
}

// Scale is the largest |λ_i|.
func (a Accuracy) Scale() float64 {
	return floats.Norm(slices.DeleteFunc(slices.Clone(a.Values), math.IsNaN), math.Inf(1))
}

// resolution is the residual of a complete training in float32.
func (a Accuracy) resolution() float64 { return max(minResidual*a.Scale(), radiusResidual*a.Radius) }

// Unsettled is the largest residual relative to what separates its function from the next: at most 1 after a complete
// training, and large if an eigenvalue was missed.
func (a Accuracy) Unsettled() float64 {
	worst, resolution, next := 0.0, a.resolution(), a.Outside.Most
	if math.IsNaN(next) { // unknown
		if next = math.Inf(-1); len(a.Values) == 1 {
			next = 0
		}
	}
	all := slices.Concat([]float64{math.Inf(1)}, a.Values, []float64{next})
	for i, v := range a.Values {
		if math.IsNaN(v) || a.missed(i) > resolution {
			return math.MaxFloat32
		}
		gap := min(all[i]-v, math.Abs(v-all[i+2]))
		worst = max(worst, a.Residuals[i]/max(resolution, maxSettled*gap, math.SmallestNonzeroFloat64))
	}
	return worst
}

// missed is how far value i is at least below the eigenvalue, by the functions and a vector outside them; 0: unknown.
func (a Accuracy) missed(i int) float64 {
	if i >= len(a.Outside.Least) || math.IsNaN(a.Values[i]) {
		return 0
	}
	return max(0, a.Outside.Least[i]-a.Values[i])
}

// Missed returns the value that is furthest below an eigenvalue, and by how much at least; −1 for none.
func (a Accuracy) Missed() (value int, by float64) {
	value = -1
	for i, v := range a.Values {
		m := a.missed(i)
		if m > max(by, minMissed*a.Radius) && m > min(maxResidualToGap*a.nearest(i), maxError*math.Abs(v)) {
			value, by = i, m
		}
	}
	return value, by
}

// Uncertain returns the values that may be off by too much, and the largest possible error. proved says that the bounds
// are; gap is the distance from a single value to the rest of the spectrum, +Inf if it is unknown.
func (a Accuracy) Uncertain(proved bool, gap float64) (off []int, widest float64) {
	limit, least := maxError, minSampledError*a.Scale()
	if proved {
		limit, least = maxProvedError, minError*a.Radius
	}
	for i, v := range a.Values {
		possible := a.width(i) // error
		if len(a.Values) > 1 {
			gap = a.nearest(i)
		}
		if !math.IsInf(gap, 1) { // the error is about residual²/gap if the function is separated
			possible = min(possible, a.Residuals[i]*a.Residuals[i]/max(gap, 0))
		}
		if a.isUncertain(i) && possible > max(limit*math.Abs(v), least) {
			off, widest = append(off, i), max(widest, a.width(i))
		}
	}
	return off, widest
}

// Mixed returns neighbours that the Ritz step did not separate, their least distance and their largest residual. Their
// residuals r and s come from functions outside the span, at the gap g in the spectrum, and move the small matrix of
// the Ritz step by rs/g. That mixes neighbours at the distance d by rs/(gd), and by the larger residual over d if g is
// not known. Values that are nearly equal count as one degenerate level, in which mixtures are eigenfunctions too.
func (a Accuracy) Mixed() (mixed []int, distance, residual float64) {
	distance = math.Inf(1)
	for i := range len(a.Values) - 1 {
		r, s, d := a.Residuals[i], a.Residuals[i+1], a.distance(i, i+1)
		mixing := max(r, s)
		if gap := math.Abs(a.Values[i+1] - a.Edge); gap > 0 {
			mixing = min(mixing, r*s/gap)
		}
		if d < maxDegenerate*math.Abs(a.Values[0]-a.Edge) {
			continue
		}
		if (a.isUncertain(i) || a.isUncertain(i+1)) && mixing > maxResidualToGap*d {
			mixed = append(mixed, i, i+1)
			distance, residual = min(distance, d), max(residual, r, s)
		}
	}
	return slices.Compact(mixed), distance, residual
}

// isUncertain reports whether the residual of a value is more than rounding.
func (a Accuracy) isUncertain(i int) bool { return a.Residuals[i] > a.resolution() }

// distance returns |λ_i − λ_j|, +Inf if there is no value j.
func (a Accuracy) distance(i, j int) float64 {
	if j < 0 || j >= len(a.Values) {
		return math.Inf(1)
	}
	return math.Abs(a.Values[i] - a.Values[j])
}

// nearest returns the distance from a value to its nearest neighbour.
func (a Accuracy) nearest(i int) float64 { return min(a.distance(i, i-1), a.distance(i, i+1)) }

// width is the smaller of bound and residual of value i.
func (a Accuracy) width(i int) float64 {
	if i < len(a.Bounds) && a.Bounds[i] < a.Residuals[i] { // not NaN
		return a.Bounds[i]
	}
	return a.Residuals[i]
}
