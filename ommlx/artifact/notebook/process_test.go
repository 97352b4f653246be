package notebook

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/internal/testkit"
)

func TestOrnsteinUhlenbeckOnALattice(t *testing.T) {
	o := OrnsteinUhlenbeck{Dim: 2, Lag: 0.25}
	system, box := o.Generator()
	states := testkit.Must(system.Differences(nil, box, 48, 4))
	for i, energy := range states.Values {
		require.InDelta(t, o.Values()[i], math.Exp(-0.25*energy), 0.01)
	}
	for _, square := range o.StateErrors(states) {
		require.Less(t, square, 0.001)
	}
}

func TestOrnsteinUhlenbeckPairsHaveItsEigenvalues(t *testing.T) {
	o := OrnsteinUhlenbeck{Dim: 3, Lag: 0.25}
	const n = 20_000
	x, from, to := o.Pairs(n, 1)
	require.InDelta(t, 1, stat.Variance(mat.Col(nil, 2, x), nil), 0.05)
	exact := mat.NewDense(n, 4, nil)
	for p := range n {
		a, b := x.At(p, 0), x.At(p, 1)
		exact.SetRow(p, []float64{-2, 3 * a, a*a - 1, b})
	}
	require.InDeltaSlice(t, []float64{0, 0, 0, 0}, o.Errors(x, exact), 1e-12)

	u := func(y float64) float64 { // solves u + u³/10 = y
		s := y
		for range 50 {
			s -= (s + s*s*s/10 - y) / (1 + 0.3*s*s)
		}
		return s
	}
	var before, after []float64
	for p := range n {
		before, after = append(before, u(from.At(p, 0))), append(after, u(to.At(p, 0)))
	}
	require.InDelta(t, 1, stat.Variance(before, nil), 0.05, "a rotated coordinate is standard normal")
	correlation := stat.Correlation(before, after, nil)
	require.Greater(t, correlation, math.Exp(-3.5*0.25)-0.02)
	require.Less(t, correlation, math.Exp(-0.25)+0.02)
}

func TestDoubleWellIsSlow(t *testing.T) {
	x, f, values := DoubleWell(0.2, 3)
	require.Len(t, x, 599)
	require.InDelta(t, 1, values[0], 1e-3)
	require.Greater(t, values[1], 4*values[2])
	for p := range x {
		require.InDelta(t, 1, f.At(p, 0), 1e-12)
	}
	require.Negative(t, f.At(0, 1)*f.At(598, 1), "function 2 distinguishes the wells")
}
