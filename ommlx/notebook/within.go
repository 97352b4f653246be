package notebook

import (
	"math"

	"operator-omm/ommlx/learn"
)

// Within requires that no learned eigenvalue errs by more than a share of the true one, in the order of learned.Values.
// See [Require].
func Within(learned *learn.Learned, truth []float64, share float64) {
	for i, v := range learned.Values {
		Require(math.Abs(v-truth[i]) <= share*math.Abs(truth[i]),
			"eigenvalue %d is %g, the truth %g: it errs by more than %g of it", i+1, v, truth[i], share)
	}
}
