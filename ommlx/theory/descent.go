package theory

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

// Descend takes steps V ← V − η∇L and returns the last V. Before each step, and at the end, visit sees V; there are as
// many steps as given, or fewer if visit returns false. nil visits nothing.
func Descend(l Loss, v, a *mat.Dense, eta float64, steps int, visit func(step int, v *mat.Dense) bool) *mat.Dense {
	for step := 0; (visit == nil || visit(step, v)) && step < steps; step++ {
		_, gradient := l(v, a)
		v = Combine(1, v, -eta, gradient)
	}
	return v
}

// RungeKutta returns V after a step of the gradient flow V̇ = −∇L, by the classical method of order 4.
func RungeKutta(l Loss, v, a *mat.Dense, step float64) *mat.Dense {
	slope := func(v *mat.Dense) *mat.Dense {
		_, gradient := l(v, a)
		return gradient
	}
	k1 := slope(v)
	k2 := slope(Combine(1, v, -step/2, k1))
	k3 := slope(Combine(1, v, -step/2, k2))
	k4 := slope(Combine(1, v, -step, k3))
	return Combine(1, v, -step/6, Combine(1, Combine(1, k1, 2, k2), 1, Combine(2, k3, 1, k4)))
}

// Flow follows the gradient flow V̇ = −∇L from V at time 0 by steps of [RungeKutta] and returns the last V; visit sees
// V after each. It ends at the given time, or where ‖V‖_F passes 100: a flow that runs away.
func Flow(l Loss, v, a *mat.Dense, time, step float64, visit func(t float64, v *mat.Dense)) *mat.Dense {
	for n := range int(math.Round(time / step)) {
		v = RungeKutta(l, v, a, step)
		visit(float64(n+1)*step, v)
		if !(mat.Norm(v, 2) < 100) {
			break
		}
	}
	return v
}

// Minimise runs L-BFGS from V for so many iterations at most, and as long as double precision tells values apart; it
// returns the least loss and where it is. The loss is evaluated once at each V that is tried. An error says that the
// loss is not finite, or what else L-BFGS did not take.
func Minimise(l Loss, v, a *mat.Dense, iterations int) (loss float64, at *mat.Dense, err error) {
	d, k := v.Dims()
	var last, gradient []float64 // where the loss was evaluated last, and its gradient there
	var value float64
	evaluate := func(x []float64) {
		if !slices.Equal(last, x) {
			last = slices.Clone(x)
			l, g := l(mat.NewDense(d, k, last), a)
			value, gradient = l, g.RawMatrix().Data
		}
	}
	result, err := optimize.Minimize(optimize.Problem{
		Func: func(x []float64) float64 { evaluate(x); return value },
		Grad: func(grad, x []float64) { evaluate(x); copy(grad, gradient) },
	}, mat.DenseCopyOf(v).RawMatrix().Data, &optimize.Settings{GradientThreshold: 1e-12, MajorIterations: iterations,
		Converger: optimize.NeverTerminate{}}, &optimize.LBFGS{Store: 20})
	if result == nil { // otherwise an error is a line search that finds no smaller number: the end of double precision
		if err == nil {
			err = errors.New("no result")
		}
		return 0, nil, fmt.Errorf("minimising a loss of a %d×%d matrix: %w", d, k, err)
	}
	if math.IsNaN(result.F) || math.IsInf(result.F, 0) {
		return 0, nil, fmt.Errorf("minimising a loss of a %d×%d matrix: it ended at %g; start from another V", d, k,
			result.F)
	}
	return result.F, mat.NewDense(d, k, result.X), nil
}
