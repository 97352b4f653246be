package theory

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/internal/ommtest"
)

// Appendix C.3 calls Neural Eigenmaps (Deng et al., "Neural Eigenfunctions Are Structured Representation Learners",
// Eq. 8) regularisation-based, without the sharp optimality of OMM. On a matrix and for columns of norm 1, v_j
// maximises
//
//	v_jᵀAv_j − α Σ_{i<j} (v_iᵀAv_j)²,
//
// where those before it do not move. With v_i = w_i that is the quadratic form of A − α Σ_{i<j} λ_i² w_iw_iᵀ, whose
// leading eigenvector is w_j if α > (λ_i − λ_j)/λ_i² for all i < j, and a repetition of some w_i if not: sharp, but for
// α large enough only.
func TestNeuralEigenmapsNeedALargeAlpha(t *testing.T) {
	claim := claims.Of(t, "eigenmaps-not-sharp")
	rapid.Check(t, func(t *rapid.T) {
		const d, k = libraryStates, 3
		s := drawSpectrum(t, d, d, 0.1, 1)
		threshold := 0.0
		for j := range k {
			for i := range j {
				threshold = max(threshold, (s.values[i]-s.values[j])/square(s.values[i]))
			}
		}
		if threshold < 1e-3 || s.values[k-1]-s.values[k] < 1e-3 {
			t.Skip("the modes cannot be told apart")
		}
		// learned returns the largest distance, over the modes, of the best Rayleigh quotient from λ_j; where an
		// earlier mode is repeated, that is its distance from the earlier eigenvalue.
		learned := func(alpha float64) (distance float64) {
			deflated := mat.DenseCopyOf(s.a)
			for j := range k {
				pairs := mat.NewSymDense(d, nil)
				for a := range d {
					for b := range a + 1 {
						pairs.SetSym(a, b, (deflated.At(a, b)+deflated.At(b, a))/2)
					}
				}
				var eigen mat.EigenSym
				require.True(t, eigen.Factorize(pairs, true))
				var vectors mat.Dense
				eigen.VectorsTo(&vectors)
				v := Columns(&vectors, d-1, d)
				distance = max(distance, math.Abs(mat.Trace(Product(v.T(), s.a, v))-s.values[j]))
				w := Columns(s.w, j, j+1)
				deflated = Combine(1, deflated, -alpha*square(s.values[j]), Product(w, w.T()))
			}
			return distance
		}
		ommtest.Within(t, claim.Corrected, "α above max (λ_i − λ_j)/λ_i²: largest difference of ⟨A⟩ from λ_j",
			learned(1.01*threshold), 1e-10)
		ommtest.Beyond(t, claim.Printed, "largest difference of ⟨A⟩ from λ_j with an α below the bound",
			learned(0.9*threshold), 1e-6)
	})
}
