package theory

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx"
	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
	"operator-omm/ommlx/spectral"
)

// Section 2.3 asks for a point spectrum that is isolated and has a gap to the essential spectrum. Needed are λ_k >
// λ_{k+1} and λ_k above the essential spectrum: eigenvalues 1/n² that accumulate at 0, the essential spectrum, have no
// such gap, and the minimiser is the leading space however many of them there are. What is needed besides is that T is
// self-adjoint: on real functions ⟨f, Tf⟩ ≥ 0 does not imply it.
func TestSpectrumOfAnOperator(t *testing.T) {
	claim, symmetric := claims.Of(t, "operator-minimiser"), claims.Of(t, "operator-spectrum")
	const k = 3
	omm := onMatrix(t, ommlx.OMM{})
	for _, d := range []int{8, 32, 96} {
		values := make([]float64, d)
		least := 0.0
		for i := range values {
			values[i] = 1 / square(float64(i+1))
			if i < k {
				least -= values[i]
			}
		}
		rng := graphtest.NewRand(800)
		a, w := Symmetric(rng, values)
		var eigen mat.EigenSym
		require.True(t, eigen.Factorize(spectral.SymmetricPart(a), true))
		var found mat.Dense
		eigen.VectorsTo(&found)
		ommtest.Within(t, symmetric.Printed, "distance of the Gram matrix of eigenvectors of a self-adjoint T from I",
			matrixDifference(Eye(d), Product(found.T(), &found)), 1e-12)
		ommtest.Within(t, symmetric.Printed, "distance of its eigenvalues from the descending λ_n ≥ 0",
			math.Abs(eigen.Values(nil)[d-1]-values[0])+math.Abs(eigen.Values(nil)[0]-values[d-1]), 1e-12)
		loss, v := minimise(t, omm, Scaled(1/math.Sqrt(float64(d)), Gaussian(rng, d, k)), a)
		ommtest.Within(t, claim.Corrected, "distance of the minimum from −Σ_{i≤3} λ_i for λ_n = 1/n², n up to 8, "+
			"32, 96", math.Abs(loss-least), 1e-10)
		projector := Product(Columns(w, 0, k), Columns(w, 0, k).T())
		ommtest.Within(t, claim.Corrected, "relative distance of VVᵀ there from W_{1:k}W_{1:k}ᵀ",
			matrixDifference(projector, Product(v, v.T())), 1e-3)
		if d == 96 {
			claim.Note("the smallest gap of the spectrum is %.0e there", values[d-2]-values[d-1])
		}
	}

	turned := mat.NewDense(2, 2, []float64{1, -1, 1, 1}) // ⟨f, Tf⟩ = |f|²
	require.Equal(t, []float64{1, 1}, eigenvaluesOf(t, turned), "of the symmetric part")
	var eigen mat.Eigen
	require.True(t, eigen.Factorize(turned, mat.EigenNone))
	require.InDelta(t, 1, math.Abs(imag(eigen.Values(nil)[0])), 1e-9)
	symmetric.Note("T = [1 −1; 1 1] has ⟨f, Tf⟩ = ‖f‖² for real f, and the eigenvalues 1 ± i")
}
