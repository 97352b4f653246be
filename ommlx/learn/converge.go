package learn

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"omm-go/ommlx/spectral"
)

// A table with exact moments trains in cycles: the learning rate falls to zero over the first, and again over each
// longer one, until the residuals are below the gaps or the budget is used.
var cycleEnds = []int{3_000, 12_000, 48_000}

const (
	cycleChecks = 1_000         // steps between evaluations, a divisor of all ends
	mostWork    = 5_000_000_000 // Task.Work times steps: about 20 s on XLA, one cycle is always trained
	apart       = 0.05          // residual relative to the gap at which functions are separated
)

// cyclesFor returns the ends of the cycles within the budget, or nil if the number of steps is fixed.
func (s Settings) cyclesFor(t Task) []int {
	if s.Steps != 0 || t.Defaults.Steps != 0 || s.Optimiser != nil || t.Apply == nil || t.Work == 0 {
		return nil
	}
	ends := cycleEnds
	for len(ends) > 1 && (t.Work*ends[len(ends)-1] > mostWork || t.NotSymmetric != "") { // residuals stay
		ends = ends[:len(ends)-1]
	}
	return ends
}

// unsettled is the largest residual relative to what separates its function from the next: at most 1 after a complete
// training, and large if an eigenvalue was missed.
func (r Run) unsettled() float64 {
	worst, scale, next := 0.0, r.scale(), r.outside.most
	if math.IsNaN(next) { // unknown
		if next = math.Inf(-1); len(r.Values) == 1 {
			next = 0
		}
	}
	all := slices.Concat([]float64{math.Inf(1)}, r.Values, []float64{next})
	for i, v := range r.Values {
		if math.IsNaN(v) || r.missed(i) > converged*scale {
			return math.MaxFloat32
		}
		gap := min(all[i]-v, math.Abs(v-all[i+2]))
		worst = max(worst, r.Residuals[i]/max(converged*scale, apart*gap, math.SmallestNonzeroFloat64))
	}
	return worst
}

// missed is how far value i is at least below the eigenvalue, by the functions and a vector outside them; 0: unknown.
func (r Run) missed(i int) float64 {
	if i >= len(r.outside.least) || math.IsNaN(r.Values[i]) {
		return 0
	}
	return max(0, r.outside.least[i]-r.Values[i])
}

// ended reports why a training in cycles ended.
func (l *Learned) ended() string {
	switch cycles := l.settings.cycles; {
	case cycles == nil:
		return ""
	case l.unsettled() <= 1:
		return fmt.Sprintf("residuals are below the gaps after %d of at most %d steps", l.Result.Step,
			cycles[len(cycles)-1])
	}
	return fmt.Sprintf("the default budget of %d steps ended before all residuals were below the gaps", l.Result.Step)
}

const (
	slight       = 0.02 // least k-th eigenvalue, relative to the radius, for which no shift is needed
	roughly      = 1e-3 // tolerance of the eigenvalues that decide on it
	applications = 300  // of the operator, to find them
)

// lift returns a shift κ, relative to the radius, that makes the k largest eigenvalues of an operator on n states
// positive, since a function without a positive eigenvalue vanishes (Section 2.2.2, Theorem 1). 0: no shift is needed.
// If the eigenvalues that decide are not found, κ = 1 makes all eigenvalues positive.
func lift(n, k int, radius float64, apply func(dst, src []float64)) float64 {
	solver := spectral.Lanczos{K: k, Tolerance: roughly, MaxApplications: applications}
	leading, err := solver.Solve(n, apply)
	if err != nil {
		return 1
	}
	if leading.Values[k-1] > slight*radius {
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
	return max(0, lowest.Values[0]/radius) + 2*slight
}
