package learn

import (
	"fmt"
	"math"
	"slices"
)

// A table with exact moments trains in cycles: the learning rate falls to zero over the first, and again over each
// longer one, until the residuals are below the gaps or the budget is used.
var cycleEnds = []int{3_000, 12_000, 48_000}

const (
	cycleChecks = 1_000         // steps between evaluations, a divisor of all ends
	maxWork     = 5_000_000_000 // Task.work times steps: about 20 s on XLA, one cycle is always trained
	maxSettled  = 0.05          // residual relative to the gap at which a training may end
)

// cyclesFor returns the ends of the cycles within the budget, or nil if the number of steps is fixed.
func (s Settings) cyclesFor(t Task) []int {
	if s.Steps != 0 || t.defaults.Steps != 0 || s.Optimiser != nil || t.apply == nil || t.work == 0 {
		return nil
	}
	ends := cycleEnds
	for len(ends) > 1 && (t.work*ends[len(ends)-1] > maxWork || t.notSymmetric != "") { // residuals stay
		ends = ends[:len(ends)-1]
	}
	return ends
}

// unsettled is the largest residual relative to what separates its function from the next: at most 1 after a complete
// training, and large if an eigenvalue was missed.
func (r Run) unsettled() float64 {
	worst, resolution, next := 0.0, r.resolution(), r.outside.Most
	if math.IsNaN(next) { // unknown
		if next = math.Inf(-1); len(r.Values) == 1 {
			next = 0
		}
	}
	all := slices.Concat([]float64{math.Inf(1)}, r.Values, []float64{next})
	for i, v := range r.Values {
		if math.IsNaN(v) || r.missed(i) > resolution {
			return math.MaxFloat32
		}
		gap := min(all[i]-v, math.Abs(v-all[i+2]))
		worst = max(worst, r.Residuals[i]/max(resolution, maxSettled*gap, math.SmallestNonzeroFloat64))
	}
	return worst
}

// missed is how far value i is at least below the eigenvalue, by the functions and a vector outside them; 0: unknown.
func (r Run) missed(i int) float64 {
	if i >= len(r.outside.Least) || math.IsNaN(r.Values[i]) {
		return 0
	}
	return max(0, r.outside.Least[i]-r.Values[i])
}

// ended reports why a training in cycles ended.
func (l *Learned) ended() string {
	switch cycles := l.settings.cycles; {
	case cycles == nil:
		return ""
	case l.unsettled() <= 1:
		return fmt.Sprintf("converged after %d of at most %d steps", l.Result.Step, cycles[len(cycles)-1])
	}
	return fmt.Sprintf("not converged after %d steps, the default limit", l.Result.Step)
}
