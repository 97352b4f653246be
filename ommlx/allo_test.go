package ommlx_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/testkit"
)

// alloState applies the update rules of ALLO's doc comment on the host.
type alloState struct {
	duals, q testkit.Array
	barrier  float64
	steps    int
}

func (s *alloState) step(a ommlx.ALLO, c1, c2 testkit.Array) {
	k := c1.Dims[1]
	m1, m2 := testkit.SecondMoment(c1, c1), testkit.SecondMoment(c2, c2)
	growth := 0.0
	for n := range s.q.Data {
		i, j := n/k, n%k
		var e1, e2 float64 // β is lower triangular
		if j <= i {
			e1, e2 = m1.Data[n], m2.Data[n]
		}
		if i == j {
			e1, e2 = e1-1, e2-1
		}
		s.duals.Data[n] = max(-a.MaxDual, min(a.MaxDual, s.duals.Data[n]+a.DualRate*(e1+e2)/2))
		if s.steps == 0 {
			s.q.Data[n] = e1 * e2
		} else {
			s.q.Data[n] += a.ErrorRate * (e1*e2 - s.q.Data[n])
		}
		growth += max(s.q.Data[n], 0)
	}
	s.barrier = min(a.MaxBarrier, s.barrier+a.BarrierRate*growth/float64(k*k))
	s.steps++
}

// The zero value has the paper's settings, and the state follows the rules over several steps, including clipping.
func TestALLOState(t *testing.T) {
	const batch, k, steps = 12, 3, 6
	papers := ommlx.ALLO{Barrier: 2, BarrierRate: 0.01, MaxBarrier: 1e4, DualRate: 1e-4, MaxDual: 100, ErrorRate: 0.1}
	clipping := ommlx.ALLO{Barrier: 1, BarrierRate: 0.5, MaxBarrier: 1.4, DualRate: 0.1, MaxDual: 0.15, ErrorRate: 0.3}
	for name, c := range map[string]struct{ set, means ommlx.ALLO }{
		"zero value": {ommlx.ALLO{}, papers}, "clipping": {clipping, clipping},
	} {
		t.Run(name, func(t *testing.T) {
			p := testkit.Compile(t, testkit.OnBatch(c.set, testkit.OneBatch))
			state := testkit.InitState(c.set, 0, k)
			want := alloState{testkit.NewArray(k, k), testkit.NewArray(k, k), c.means.Barrier, 0}
			rng := testkit.NewRand(81)
			for range steps {
				at := testkit.GaussianPoint(rng, batch, k)
				at.C1, at.C2 = at.C1.Scaled(1.3), at.C2.Scaled(1.3)
				e := testkit.EvaluateAt(t, p, at, state)
				want.step(c.means, at.C1, at.C2)
				state = e.Next
				testkit.RequireClose(t, want.duals, state[0], 1e-12, "duals")
				require.InEpsilon(t, want.barrier, state[1].Data[0], 1e-12, "barrier")
				testkit.RequireClose(t, want.q, state[2], 1e-12, "running quadratic error")
			}
			if name == "clipping" {
				require.Equal(t, c.means.MaxBarrier, state[1].Data[0], "the test must reach the bound")
				require.Equal(t, c.means.MaxDual, floats.Norm(state[0].Data, math.Inf(1)),
					"the test must reach the bound")
			}
		})
	}
}
