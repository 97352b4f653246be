package notebook

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/linalg"
)

// BatchAngle returns the sine of the largest angle by which batches of a size turn the space of the leading k of the
// eigenvectors W, to first order in 1/B: each f_i ends where the mean gradient towards φ_l balances the restoring rate
// 2(λ_i − λ_l). The mean gradient has a part that is proportional to the gap and a part that is not, which orders above
// 1 do not have; gapped leaves it out. Batches draw the d states at random, φ = √d·w.
func BatchAngle(values []float64, w *mat.Dense, k, size int, gapped bool) float64 {
	d := len(values)
	turned := mat.NewDense(d-k, k, nil)
	turned.Apply(func(l, i int, _ float64) float64 {
		gap, pull := values[i]-values[l+k], 0.0
		for b := range k {
			fourth := 0.0 // E[φ_i φ_l φ_b²]
			for x := range d {
				fourth += float64(d) * w.At(x, i) * w.At(x, l+k) * w.At(x, b) * w.At(x, b)
			}
			pull -= gap * fourth
			if !gapped {
				pull += 2 * (values[i] + values[b]) * fourth
			}
		}
		return pull / float64(size) / (2 * gap)
	}, turned)
	return math.Sin(math.Atan(linalg.SingularValues(turned)[0]))
}
