package rl

import (
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/testkit"
)

// The penalty of f_i has the gradient of α_i‖M[f_1, …, f_i] − I‖² with sequential nesting, of ‖M[f_i, …, f_k] − I‖² in
// the reversed form, and of Σ_j α_j‖M[f_1, …, f_j] − I‖² with joint nesting.
func TestPenaltyGradient(t *testing.T) {
	const batch, k, kappa = 7, 4, 0.7
	weights := []float64{4, 3, 2, 1}
	f, tf := testkit.Gaussian(testkit.NewRand(137), batch, k), testkit.Gaussian(testkit.NewRand(138), batch, k)
	for _, p := range []Penalised{
		{OMM: ommlx.OMM{Nesting: ommlx.Sequential, Weights: weights}, Kappa: kappa},
		{OMM: ommlx.OMM{Nesting: ommlx.Sequential, Weights: weights}, Kappa: kappa, Reversed: true},
		{OMM: ommlx.OMM{Nesting: ommlx.Joint, Weights: weights}, Kappa: kappa},
	} {
		require.NoError(t, ommlx.Check(p, k))
		out := testkit.Compile(t, func(in []*Node) []*Node {
			b := ommlx.Batch{F: in[0], TF: in[1]}
			plain, _ := p.OMM.Loss(b, nil)
			with, _ := p.Loss(b, nil)
			// gradient returns the gradient for f of the penalty of functions from, …, to − 1.
			gradient := func(from, to int) *Node {
				part := Slice(in[0], AxisRange(), AxisRange(from, to))
				m := ommlx.SecondMoment(part, part)
				unit := DiagonalWithValue(ScalarOne(m.Graph(), m.DType()), to-from)
				return Gradient(MulScalar(ReduceAllSum(Square(Sub(m, unit))), kappa), in[0])[0]
			}
			want := ZerosLike(in[0])
			for i, weight := range weights {
				g := MulScalar(gradient(0, i+1), weight)
				if p.Reversed {
					g = gradient(i, k)
				}
				if p.Nesting == ommlx.Sequential {
					columns := Iota(g.Graph(), g.Shape(), 1)
					column := Equal(columns, Scalar(g.Graph(), columns.DType(), i))
					g = Where(column, g, ZerosLike(g))
				}
				want = Add(want, g)
			}
			return []*Node{want, Gradient(Sub(with, plain), in[0])[0]}
		}).Call(t, f, tf)
		testkit.RequireClose(t, out[0], out[1], 1e-12, p.Name())
	}
}
