package theory

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"operator-omm/ommlx/internal/graphtest"
)

// minimise runs L-BFGS from v.
func minimise(t *testing.T, p graphtest.Program, a *mat.Dense, v graphtest.Array) (loss float64, at *mat.Dense) {
	t.Helper()
	evaluateAt := func(x []float64) []graphtest.Array {
		return p.Call(t, graphtest.Array{Dims: v.Dims, Data: x}, graphtest.FromMatrix(a))
	}
	result, err := optimize.Minimize(optimize.Problem{
		Func: func(x []float64) float64 { return evaluateAt(x)[0].Data[0] },
		Grad: func(grad, x []float64) { copy(grad, evaluateAt(x)[1].Data) },
	}, v.Data, &optimize.Settings{GradientThreshold: 1e-10, MajorIterations: 2000}, &optimize.LBFGS{})
	if result == nil {
		require.NoError(t, err)
	}
	return result.F, graphtest.Array{Dims: v.Dims, Data: result.X}.Matrix()
}

// flow follows V̇ = −∇L for a time by Runge–Kutta steps of order 4 and calls visit after each; it stops where ‖V‖
// passes 100.
func flow(t require.TestingT, p graphtest.Program, v, a *mat.Dense, time, step float64, visit func(v *mat.Dense)) {
	field := func(v *mat.Dense) *mat.Dense {
		_, gradient := evaluate(t, p, v, a)
		return combine(-1, gradient, 0, gradient)
	}
	for range int(math.Round(time / step)) {
		k1 := field(v)
		k2 := field(combine(1, v, step/2, k1))
		k3 := field(combine(1, v, step/2, k2))
		k4 := field(combine(1, v, step, k3))
		slope := combine(1, combine(1, k1, 2, k2), 1, combine(2, k3, 1, k4))
		v = combine(1, v, step/6, slope)
		visit(v)
		if !(mat.Norm(v, 2) < 100) {
			return
		}
	}
}
