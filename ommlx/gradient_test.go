package ommlx_test

import (
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx"
	"operator-omm/ommlx/claims"
)

// frozen is a loss in which every stop-gradient has become an argument of its own: what moves comes first, what stands
// still second. Then the gradient of the loss proper is the ordinary one of frozen for its first point.
type frozen func(moving, still point) float64

// requireCentralDifferences compares the gradients with (L(x+h) − L(x−h))/2h, entry by entry, and returns the largest relative
// difference.
func requireCentralDifferences(t *testing.T, loss frozen, at point, e evaluation) (largest float64) {
	t.Helper()
	const h = 1e-5
	moving := point{at.f.clone(), at.tf.clone(), at.c1.clone(), at.c2.clone()}
	for which, x := range []array{moving.f, moving.tf, moving.c1, moving.c2} {
		want := newArray(x.Dims...)
		for i, v := range x.Data {
			x.Data[i] = v + h
			up := loss(moving, at)
			x.Data[i] = v - h
			want.Data[i] = (up - loss(moving, at)) / (2 * h)
			x.Data[i] = v
		}
		requireClose(t, want, e.gradients[which], 1e-7, []string{"dF", "dTF", "dC1", "dC2"}[which])
		largest = max(largest, arrayDifference(want, e.gradients[which]))
	}
	return largest
}

// Objectives without stop-gradients: differences of the loss itself.
func TestGradientsAgainstCentralDifferences(t *testing.T) {
	for _, o := range objectives(t) {
		switch o := o.(type) {
		case ommlx.OMM:
			if o.Nesting == ommlx.Sequential {
				continue
			}
		case ommlx.LoRA:
			if o.Nesting == ommlx.Sequential {
				continue
			}
		default:
			continue
		}
		t.Run(o.Name(), func(t *testing.T) {
			at := gaussianPoint(newRand(71), 4, 4)
			p := newProgram(t, lossProgram(o))
			requireCentralDifferences(t, func(moving, _ point) float64 {
				return evaluate(t, p, moving, nil).loss.Data[0]
			}, at, evaluate(t, p, at, nil))
		})
	}
}

// Objectives with stop-gradients, each written out on the host with what stands still as an argument of its own.
func TestPartialGradientsAgainstCentralDifferences(t *testing.T) {
	sequential := claims.Of(t, "seq-surrogate-gradient")
	const batch, k = 4, 3
	dot := func(a array, i int, b array, j int) float64 { return secondMoment(a, b).Data[i*k+j] }
	seqMoment := func(fMoving, fStill, gMoving, gStill array) array {
		m := newArray(k, k)
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
	surrogate := func(operator, a, b array) float64 {
		sum := 0.0
		for i := range k {
			sum -= 2 * operator.Data[i*k+i]
			for j := range k {
				sum += a.Data[i*k+j] * b.Data[j*k+i]
			}
		}
		return sum
	}
	state := lateState(ommlx.ALLO{}, 0, k)
	allo := func(m, s point) float64 {
		sum := 0.0
		for i := range m.f.Data {
			sum += (m.f.Data[i] - m.tf.Data[i]) * (m.f.Data[i] - m.tf.Data[i]) / batch
		}
		for i := range k {
			for j := 0; j <= i; j++ {
				e1, e2 := dot(m.c1, i, s.c1, j), dot(m.c2, i, s.c2, j)
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
		{ommlx.OMM{Nesting: ommlx.Sequential}, func(m, s point) float64 {
			projected := seqMoment(m.f, s.f, m.tf, s.tf)
			return surrogate(projected, seqMoment(m.f, s.f, m.f, s.f), projected)
		}},
		{ommlx.LoRA{Nesting: ommlx.Sequential}, func(m, s point) float64 {
			overlap := seqMoment(m.f, s.f, m.f, s.f)
			return surrogate(seqMoment(m.f, s.f, m.tf, s.tf), overlap, overlap)
		}},
		{ommlx.Sanger{Printed: ommlx.SangerDetached}, func(m, s point) float64 {
			return surrogate(newArray(k, k), seqMoment(m.f, s.f, m.f, s.f), secondMoment(s.f, s.tf))
		}},
		{ommlx.Sanger{Printed: ommlx.SangerBothGradients}, func(m, s point) float64 {
			return surrogate(secondMoment(m.f, m.tf), seqMoment(m.f, s.f, m.f, s.f), secondMoment(s.f, s.tf))
		}},
		{ommlx.ALLO{}, allo},
	} {
		t.Run(c.objective.Name(), func(t *testing.T) {
			at := gaussianPoint(newRand(72), batch, k)
			var s []array
			if _, ok := c.objective.(ommlx.ALLO); ok {
				s = state
			}
			deviation := requireCentralDifferences(t, c.loss, at, evaluateOnce(t, c.objective, at, s))
			if omm, ok := c.objective.(ommlx.OMM); ok && omm.Nesting == ommlx.Sequential {
				sequential.Printed("relative difference of the gradients and differences of the printed loss, stopped functions held still", deviation, 1e-7)
			}
		})
	}
}

// A shift adds κ times the gradient for TF to that for F.
func TestShiftAddsToTheGradientForF(t *testing.T) {
	claim := claims.Of(t, "shift-makes-psd")
	at := gaussianPoint(newRand(73), 6, 3)
	const kappa = 0.7
	shifted := at
	shifted.tf = at.tf.clone()
	for i, v := range at.f.Data {
		shifted.tf.Data[i] += kappa * v
	}
	inner := evaluateOnce(t, ommlx.OMM{Nesting: ommlx.Sequential}, shifted, nil)
	outer := evaluateOnce(t, ommlx.Shifted{Objective: ommlx.OMM{Nesting: ommlx.Sequential}, Kappa: kappa}, at, nil)
	require.Equal(t, inner.loss, outer.loss)
	want := inner.dF.clone()
	for i, v := range inner.dTF.Data {
		want.Data[i] += kappa * v
	}
	within(t, claim.Printed, "relative difference of the shifted gradient for f and that for T + κI, by the chain rule", arrayDifference(want, outer.dF), 1e-13)
	requireClose(t, inner.dTF, outer.dTF, 1e-13, "dTF")
}

// A network whose output is used as F, C1 and C2 at once gets the sum of their gradients: nil constraint batches mean F.
func TestConstraintBatchesDefaultToF(t *testing.T) {
	at := gaussianPoint(newRand(74), 6, 3)
	at.c1, at.c2 = at.f, at.f
	state := lateState(ommlx.ALLO{}, 0, 3)
	given := evaluateOnce(t, ommlx.ALLO{}, at, state)
	p := newProgram(t, func(in []*Node) []*Node {
		loss, next := ommlx.ALLO{}.Loss(ommlx.Batch{F: in[0], TF: in[1]}, in[2:])
		return append([]*Node{loss, Gradient(loss, in[0])[0]}, next...)
	})
	out := p.call(t, append([]array{at.f, at.tf}, state...)...)
	requireClose(t, given.loss, out[0], 1e-13, "loss")
	sum := given.dF.clone()
	for i := range sum.Data {
		sum.Data[i] += given.dC1.Data[i] + given.dC2.Data[i]
	}
	requireClose(t, sum, out[1], 1e-13, "gradient")
	for i, s := range given.next {
		requireClose(t, s, out[2+i], 1e-13, "state")
	}
}
