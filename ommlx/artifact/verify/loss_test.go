package verify

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	. "omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
)

// The classical Runge–Kutta method has order 4: halving the step divides the error by 16.
func TestFlowHasOrderFour(t *testing.T) {
	quadratic := func(v, _ *mat.Dense) (float64, *mat.Dense) { return squaredNorm(v) / 2, v }
	one := mat.NewDense(1, 1, []float64{1})
	errorAt := func(step float64) float64 {
		return Flow(quadratic, one, nil, 1, step, func(float64, *mat.Dense) {}).At(0, 0) - math.Exp(-1)
	}
	require.InEpsilon(t, 16, errorAt(0.1)/errorAt(0.05), 0.1)
	require.InDelta(t, 0.25, Descend(quadratic, one, nil, 0.5, 2, nil).At(0, 0), 0)
}

func TestAngles(t *testing.T) {
	w := Columns(IdentityMatrix(4), 0, 2)
	v := mat.NewDense(4, 2, []float64{-3, 0, 0, 1, 3e-9, 0, 0, math.Sqrt(3)})
	require.InDeltaSlice(t, []float64{1e-9, math.Pi / 3}, Angles(v, w), 1e-14)
	require.InDelta(t, math.Sqrt(3)/2, SineOfLargestAngle(v, w), 1e-14)
	v.Set(0, 0, math.Inf(1))
	require.True(t, math.IsNaN(SineOfLargestAngle(v, w)))
}

// The average of SpIN starts at I. If VᵀV = I, its loss in the first step is −tr(VᵀAV).
func TestObjectiveStartsFromItsInitialState(t *testing.T) {
	s := newSpectrum(testkit.NewRand(705), 3, 2, 1)
	loss, _ := onMatrix(ommlx.SpIN{})(s.leading(2), s.a)
	require.InDelta(t, -5, loss, 1e-12)
}

// The loss −2Ns² + MNs⁴ of s·f and s·Tf has its minimum at s = 1/√M.
func TestRest(t *testing.T) {
	f, tf := mat.NewDense(2, 1, []float64{2, 0.5}), mat.NewDense(2, 1, []float64{0.5, 2}) // M = 2.125, N = 1
	require.InDelta(t, 1/math.Sqrt(2.125), onValues(lossOf(ommlx.OMM{})).Rest(f, tf, 3), 1e-6)
}

// Section 2.3 requires a gap to the essential spectrum. Eigenvalues 1/n² have none, and still the minimiser is the
// leading space however many there are.
func TestSpectrumOfAnOperator(t *testing.T) {
	claim, symmetric := papertest.Of(t, "operator-minimiser"), papertest.Of(t, "operator-spectrum").Printed
	for _, d := range []int{8, 32, 96} {
		values := Harmonic(d)
		floats.Mul(values, values)
		s := newSpectrum(testkit.NewRand(800), values...)
		found := eigen(s.a)
		symmetric.EqualMatrix(t, "distance of the Gram matrix of eigenvectors of T from I", IdentityMatrix(d),
			Gram(found.Vectors), 1e-12)
		symmetric.Within(t, "distance of its eigenvalues from the descending λ_n ≥ 0",
			floats.Distance(found.Values, values, math.Inf(1)), 1e-12)
		loss, v := s.minimise(order(1), 1/math.Sqrt(float64(d)), 3)
		claim.Printed.Near(t, "distance of the minimum from −Σ_{n≤3} 1/n² for d = 8, 32, 96", -s.top(3), loss, 1e-10)
		claim.Printed.EqualMatrix(t, "of VVᵀ there from W_{1:k}W_{1:k}ᵀ", projector(s.leading(3)), projector(v), 1e-3)
		claim.Note("the smallest gap of the spectrum of %d is %.0e", d, values[d-2]-values[d-1])
	}
}

// Section 2.2.3: since E = I − VᵀV keeps its signs, a flow that starts in the unit ball stays there, and reaches the
// leading space also for indefinite A.
func TestFlowStaysWithinTheUnitBall(t *testing.T) {
	claim := papertest.Of(t, "no-omm-without-psd")
	for i := range 9 {
		l := order(1 + i/3)
		s := newSpectrum(testkit.NewRand(720+uint64(i%3)), 2, 1, 0.3, -0.5, -1, -2)
		end := Flow(l, Scaled(0.99, s.orthonormal(3)), s.a, 12, 0.02, func(_ float64, v *mat.Dense) {
			claim.Corrected.Within(t, "excess of ‖V‖² over 1 in flows, p = 1, 2, 3", max(0, eigen(Gram(v)).Values[0]-1),
				1e-6)
		})
		loss, _ := l(end, s.a)
		claim.Corrected.Near(t, "distance from −Σ λ_i of the loss where it ends, p = 1, 2, 3", -s.top(3), loss, 1e-5)
		claim.Printed.Beyond(t, "share of flows from ‖V‖ = 0.99, A indefinite, that end at that minimum",
			whether[math.Abs(loss+s.top(3)) <= 1e-5], 0)
	}
}
