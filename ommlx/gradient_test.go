package ommlx_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
)

// frozen is a loss in which every stop-gradient has become an argument of its own: what moves comes first, what stands
// still second. Then the gradient of the loss proper is the ordinary one of frozen for its first point.
type frozen func(moving, still ommtest.Point) float64

// requireCentralDifferences compares the gradients with (L(x+h) − L(x−h))/2h, entry by entry, and returns the largest
// relative difference.
func requireCentralDifferences(t *testing.T, loss frozen, at ommtest.Point, e ommtest.Evaluation) (largest float64) {
	t.Helper()
	const h = 1e-5
	moving := ommtest.Point{F: at.F.Clone(), TF: at.TF.Clone(), C1: at.C1.Clone(), C2: at.C2.Clone()}
	for which, x := range []graphtest.Array{moving.F, moving.TF, moving.C1, moving.C2} {
		want := graphtest.NewArray(x.Dims...)
		for i, v := range x.Data {
			x.Data[i] = v + h
			up := loss(moving, at)
			x.Data[i] = v - h
			want.Data[i] = (up - loss(moving, at)) / (2 * h)
			x.Data[i] = v
		}
		graphtest.RequireClose(t, want, e.Gradients[which], 1e-7, []string{"dF", "dTF", "dC1", "dC2"}[which])
		largest = max(largest, graphtest.Difference(want, e.Gradients[which]))
	}
	return largest
}

// dot is M[a, b]_ij.
func dot(a graphtest.Array, i int, b graphtest.Array, j int) float64 {
	return ommtest.SecondMoment(a, b).Data[i*b.Dims[1]+j]
}

// seqMoment is M^seq[f, g] with what its stop-gradients hold still as arguments of their own.
func seqMoment(fMoving, fStill, gMoving, gStill graphtest.Array) graphtest.Array {
	k := fMoving.Dims[1]
	m := graphtest.NewArray(k, k)
	for i := range k {
		for j := range k {
			switch {
			case i > j:
				m.Data[i*k+j] = dot(fMoving, i, gStill, j)
			case i == j:
				m.Data[i*k+j] = dot(fMoving, i, gMoving, j)
			default:
				m.Data[i*k+j] = dot(fStill, i, gMoving, j)
			}
		}
	}
	return m
}

// surrogate is −2 tr(operator) + Σ_ij a_ij b_ji.
func surrogate(operator, a, b graphtest.Array) float64 {
	k, sum := operator.Dims[0], 0.0
	for i := range k {
		sum -= 2 * operator.Data[i*k+i]
		for j := range k {
			sum += a.Data[i*k+j] * b.Data[j*k+i]
		}
	}
	return sum
}

// Objectives with stop-gradients, each written out on the host with what stands still as an argument of its own.
func TestPartialGradientsAgainstCentralDifferences(t *testing.T) {
	sequential := ommtest.Of(t, "seq-surrogate-gradient")
	const batch, k = 4, 3
	state := lateState(ommlx.ALLO{}, 0, k)
	allo := func(m, s ommtest.Point) float64 {
		sum := 0.0
		for i := range m.F.Data {
			sum += (m.F.Data[i] - m.TF.Data[i]) * (m.F.Data[i] - m.TF.Data[i]) / batch
		}
		for i := range k {
			for j := 0; j <= i; j++ {
				e1, e2 := dot(m.C1, i, s.C1, j), dot(m.C2, i, s.C2, j)
				if i == j {
					e1, e2 = e1-1, e2-1
				}
				sum += state[0].Data[i*k+j]*(e1+e2)/2 + state[1].Data[0]*e1*e2
			}
		}
		return sum
	}
	for _, c := range []struct {
		objective ommlx.Objective
		loss      frozen
	}{
		{ommlx.OMM{Nesting: ommlx.Sequential}, func(m, s ommtest.Point) float64 {
			projected := seqMoment(m.F, s.F, m.TF, s.TF)
			return surrogate(projected, seqMoment(m.F, s.F, m.F, s.F), projected)
		}},
		{ommlx.LoRA{Nesting: ommlx.Sequential}, func(m, s ommtest.Point) float64 {
			overlap := seqMoment(m.F, s.F, m.F, s.F)
			return surrogate(seqMoment(m.F, s.F, m.TF, s.TF), overlap, overlap)
		}},
		{ommlx.Sanger{Printed: ommlx.SangerDetached}, func(m, s ommtest.Point) float64 {
			return surrogate(graphtest.NewArray(k, k), seqMoment(m.F, s.F, m.F, s.F), ommtest.SecondMoment(s.F, s.TF))
		}},
		{ommlx.Sanger{Printed: ommlx.SangerBothGradients}, func(m, s ommtest.Point) float64 {
			return surrogate(ommtest.SecondMoment(m.F, m.TF), seqMoment(m.F, s.F, m.F, s.F),
				ommtest.SecondMoment(s.F, s.TF))
		}},
		{ommlx.ALLO{}, allo},
	} {
		t.Run(c.objective.Name(), func(t *testing.T) {
			at := ommtest.GaussianPoint(graphtest.NewRand(72), batch, k)
			var s []graphtest.Array
			if _, ok := c.objective.(ommlx.ALLO); ok {
				s = state
			}
			deviation := requireCentralDifferences(t, c.loss, at, ommtest.EvaluateOnce(t, c.objective, at, s))
			if omm, ok := c.objective.(ommlx.OMM); ok && omm.Nesting == ommlx.Sequential {
				sequential.Printed("relative difference of the gradients and differences of the printed loss, "+
					"stopped functions held still", deviation, 1e-7)
			}
		})
	}
}

// A shift adds κ times the gradient for TF to that for F.
func TestShiftAddsToTheGradientForF(t *testing.T) {
	claim := ommtest.Of(t, "shift-makes-psd")
	at := ommtest.GaussianPoint(graphtest.NewRand(73), 6, 3)
	const kappa = 0.7
	shifted := at
	shifted.TF = at.TF.Clone()
	for i, v := range at.F.Data {
		shifted.TF.Data[i] += kappa * v
	}
	inner := ommtest.EvaluateOnce(t, ommlx.OMM{Nesting: ommlx.Sequential}, shifted, nil)
	outer := ommtest.EvaluateOnce(t, ommlx.Shifted{Objective: ommlx.OMM{Nesting: ommlx.Sequential},
		Kappa: kappa}, at, nil)
	require.Equal(t, inner.Loss, outer.Loss)
	want := inner.DF.Clone()
	for i, v := range inner.DTF.Data {
		want.Data[i] += kappa * v
	}
	claim.Printed.Close(t, "relative difference of the shifted gradient for f and that for T + κI, by the chain rule",
		want, outer.DF, 1e-13)
	graphtest.RequireClose(t, inner.DTF, outer.DTF, 1e-13, "dTF")
}
