package ommlx_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/linalg"
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
	for i := range k {
		for j := range k {
			n := i*k + j
			var e1, e2 float64
			if j <= i {
				e1, e2 = m1.Data[n], m2.Data[n]
			}
			if i == j {
				e1, e2 = e1-1, e2-1
			}
			s.duals.Data[n] = math.Max(-a.MaxDual, math.Min(a.MaxDual, s.duals.Data[n]+a.DualRate*(e1+e2)/2))
			if s.steps == 0 {
				s.q.Data[n] = e1 * e2
			} else {
				s.q.Data[n] += a.ErrorRate * (e1*e2 - s.q.Data[n])
			}
			growth += math.Max(s.q.Data[n], 0)
		}
	}
	s.barrier = math.Min(a.MaxBarrier, s.barrier+a.BarrierRate*growth/float64(k*k))
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
			p := testkit.Compile(t, onBatch(c.set, oneBatch))
			state := initState(c.set, 0, k)
			want := alloState{testkit.NewArray(k, k), testkit.NewArray(k, k), c.means.Barrier, 0}
			rng := testkit.NewRand(81)
			for range steps {
				at := testkit.GaussianPoint(rng, batch, k)
				at.C1, at.C2 = at.C1.Scaled(1.3), at.C2.Scaled(1.3)
				e := evaluateAt(t, p, at, state)
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
			for i := range k {
				for j := i + 1; j < k; j++ {
					require.Zero(t, state[0].Data[i*k+j], "β is lower triangular")
				}
			}
		})
	}
}

// Training takes f to the eigenvectors of the smallest eigenvalues of I − T, in order and with norm 1, and the duals to
// their multipliers: the gradient of 2⟨f_i, (I−T)f_i⟩ + sg(β_ii)⟨f_i, sg f_i⟩ vanishes for β_ii = −4(1 − λ_i).
func TestALLOFindsOrderedEigenvectors(t *testing.T) {
	claim := papertest.Of(t, "allo-is-an-augmented-lagrangian")
	const k, starts, steps, rate = 3, 3, 6000, 0.02
	eigenvalues := []float64{0.95, 0.7, 0.4, 0.1, -0.2, -0.5}
	a, w := linalg.RandomSymmetric(testkit.NewRand(83), eigenvalues)
	o := ommlx.ALLO{Graph: ommlx.GraphMoments, DualRate: 0.02}
	v := testkit.Gaussian(testkit.NewRand(84), starts, len(eigenvalues), k).Scaled(0.3)
	state := descend(t, o, a, v, steps, rate)
	for r := range starts {
		claim.Printed.Within(t, "distance of the norms of v_i, and of their parts along w_i, from 1, 3 starts",
			fromEigenvectors(v.Run(r).Matrix(), w), 1e-4)
		for i := range k {
			claim.Printed.Within(t, "distance of the duals β_ii from −4(1 − λ_i)",
				math.Abs(state[0].Run(r).Data[i*k+i]+4*(1-eigenvalues[i])), 1e-3)
		}
	}
}
