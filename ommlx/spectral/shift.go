package spectral

import "gonum.org/v1/gonum/floats"

const (
	minPositive       = 0.02 // k-th eigenvalue, relative to the radius, for which no shift is needed
	shiftTolerance    = 1e-3 // of the eigenvalues that decide on it
	shiftApplications = 300  // of the operator, to find them
)

// PositiveShift returns a shift κ, relative to the radius, that makes the k largest eigenvalues of an operator on n
// states positive, since a function without a positive eigenvalue vanishes (Section 2.2.2, Theorem 1). 0: no shift is
// needed. If the eigenvalues that decide are not found, κ = 1 makes all eigenvalues positive.
func PositiveShift(n, k int, radius float64, apply func(dst, src []float64)) float64 {
	solver := Lanczos{K: k, Tolerance: shiftTolerance, MaxApplications: shiftApplications}
	leading, err := solver.Solve(n, apply)
	if err != nil {
		return 1
	}
	if leading.Values[k-1] > minPositive*radius {
		return 0
	}
	solver.K = 1
	lowest, err := solver.Solve(n, func(dst, src []float64) {
		apply(dst, src)
		floats.Scale(-1, dst)
	})
	if err != nil {
		return 1
	}
	return max(0, lowest.Values[0]/radius) + 2*minPositive
}
