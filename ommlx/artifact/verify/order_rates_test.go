package verify

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/testkit"
)

// Where higher order does help gradient descent. The curvatures at W_{1:k} are 4(λ_i + λ_j) w_1 in norms and overlaps,
// which order p > 1 leaves flat, and 2(λ_i − λ_l) Σ_p w_p in turns. The largest step that is stable is 2 over the
// largest of them: it is limited by the norms to 1/(4λ_1) for p = 1, and by the turns to 1/(λ_1 − λ_d) for p > 1, so
// that the number of steps for an angle is proportional to 4λ_1/(λ_k − λ_{k+1}) and to (λ_1 − λ_d)/(λ_k − λ_{k+1}). A
// quarter of order 1 with three quarters of order 2 has the second condition number, and a minimum that is not flat.
func TestHigherOrderAllowsLargerSteps(t *testing.T) {
	claim := papertest.Of(t, "higher-order-can-help")
	const k = 3
	s := newSpectrum(testkit.NewRand(802), 1, 0.9, 0.8, 0.5, 0.3, 0.02)
	turn := s.values[0] - s.values[libraryStates-1]
	first := 0.0 // steps of order 1 in which the angle falls by e
	for _, c := range []struct {
		orders  []float64
		largest float64 // curvature
	}{
		{[]float64{1}, 8 * s.values[0]},
		{[]float64{0, 1}, 2 * turn},
		{[]float64{0, 0, 1}, 2 * turn},
		{[]float64{1, 1}, 8 * s.values[0]},
		{[]float64{0.25, 0.75}, max(2*s.values[0], 2*turn)},
	} {
		omm := ommlx.OMM{Orders: c.orders}
		program := onMatrix(t, omm)
		// away descends from near W_{1:k} and returns the distance from the leading projector after each step.
		away := func(size float64, steps int) (distances []float64) {
			noise := Scaled(1e-3, Gaussian(testkit.NewRand(803), libraryStates, k))
			Descend(program, Combine(1, s.leading(k), 1, noise), s.a, size, steps, func(_ int, v *mat.Dense) bool {
				distance := mat.Norm(Product(Columns(s.w, k, libraryStates).T(), v), 2)
				if c.largest > 2*turn { // the norms are what becomes unstable
					distance += mat.Norm(Combine(1, Gram(v), -1, Eye(k)), 2)
				}
				distances = append(distances, distance)
				return true
			})
			return distances[1:]
		}
		limit := 2 / c.largest
		below, above := away(0.95*limit, 150), away(1.05*limit, 25)
		claim.Corrected.Within(t, fmt.Sprintf("distance left of 1e-3 after 150 steps of 0.95 times the limit, %s",
			omm.Name()), below[149], 2e-4)
		require.Greater(t, above[24], 2*above[0], "%s: 1.05 times the limit", omm.Name())

		// The rate of the slowest turn at half the limit, while the angle falls from 1e-7 to 1e-10.
		want := 1 - limit*floats.Sum(c.orders)*(s.values[k-1]-s.values[k])
		from, to := int(math.Log(1e-4)/math.Log(want)), int(math.Log(1e-7)/math.Log(want))
		slow := away(limit/2, to+1)
		factor := math.Pow(slow[to]/slow[from], 1/float64(to-from))
		claim.Corrected.Within(t, fmt.Sprintf("factor of the angle in a step of half the limit, %s", omm.Name()),
			math.Abs(factor-want), 5e-3)
		steps := -1 / math.Log(factor)
		if first == 0 {
			first = steps
			continue
		}
		claim.Printed.Within(t, "steps for an angle near the minimum at half the largest stable step, over those for "+
			"order 1, every order and mixture", steps/first, 1)
		claim.Note("%s: %.2f of the steps of order 1", omm.Name(), steps/first)
	}
}
