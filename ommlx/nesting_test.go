package ommlx_test

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/testkit"
)

// Σ_l α_l Σ_{i,j≤l} A_ij B_ij = Σ_ij P_ij A_ij B_ij for any A, B: entry by entry, P_ij = Σ_{l ≥ i, l ≥ j} α_l.
func TestJointMaskCountsThePrefixesThatHoldBoth(t *testing.T) {
	sum, definition := papertest.Of(t, "joint-objective"), papertest.Of(t, "joint-mask-equation")
	alpha := []float64{0.5, 2, 0.125, 1}
	mask := ommlx.JointMask(alpha)
	for i := range alpha {
		for j := range alpha {
			var want float64
			for l, a := range alpha {
				if i <= l && j <= l {
					want += a
				}
			}
			papertest.Every(sum.Printed, definition.Corrected).Within(t,
				"largest difference of m_{max(i,j)} and the weights of the prefixes that hold i and j",
				math.Abs(want-mask[i][j]), 1e-15)
		}
	}
}

func TestErrorsNameTheInvalidSetting(t *testing.T) {
	for name, c := range map[string]struct {
		objective ommlx.Objective
		k         int
		want      string
	}{
		"nil":               {nil, 3, "is nil"},
		"no functions":      {ommlx.OMM{}, 0, "at least 1"},
		"negative weight":   {ommlx.OMM{Nesting: ommlx.Joint, Weights: []float64{1, -1, 1}}, 3, "Weights[1] is -1"},
		"zero weight":       {ommlx.LoRA{Nesting: ommlx.Joint, Weights: []float64{1, 1, 0}}, 3, "Weights[2] is 0"},
		"too few weights":   {ommlx.LoRA{Nesting: ommlx.Joint, Weights: []float64{1, 1}}, 3, "Weights has 2 entries"},
		"weights unused":    {ommlx.OMM{Weights: []float64{1, 1, 1}}, 3, "Weights"},
		"weight of seq":     {ommlx.OMM{Nesting: ommlx.Sequential, Weights: []float64{1, 1, 0}}, 3, "Weights[2] is 0"},
		"unknown nesting":   {ommlx.OMM{Nesting: 7}, 3, "Nesting is 7"},
		"sequential OMM-2":  {ommlx.OMM{Orders: []float64{0, 1}, Nesting: ommlx.Sequential}, 3, "needs order 1"},
		"no order":          {ommlx.OMM{Orders: []float64{0, 0}}, 3, "Orders is [0 0]"},
		"order 31":          {ommlx.OMM{Orders: ommlx.Order(31)}, 3, "at most 30"},
		"negative order":    {ommlx.OMM{Orders: []float64{1, -1}}, 3, "Orders[1] is -1"},
		"ALLO, negative":    {ommlx.ALLO{DualRate: -1}, 3, "DualRate is -1"},
		"ALLO, above bound": {ommlx.ALLO{Barrier: 2e4}, 3, "Barrier is 20000"},
		"ALLO, graph":       {ommlx.ALLO{Graph: 5}, 3, "Graph is 5"},
		"ALLO, shifted":     {ommlx.Shifted{Objective: ommlx.ALLO{}, Kappa: 1}, 3, "cannot be shifted"},
		"ALLO, nested": {ommlx.Shifted{Objective: ommlx.Shifted{Objective: ommlx.ALLO{}}, Kappa: 1}, 3,
			"cannot be shifted"},
		"SpIN, above 1":     {ommlx.SpIN{Decay: 1.5}, 2, "spin: Decay is 1.5"},
		"SpIN, negative":    {ommlx.SpIN{Decay: -0.1}, 2, "Decay is -0.1"},
		"nested in a shift": {ommlx.Shifted{Objective: ommlx.OMM{Nesting: 7}, Kappa: 1}, 3, "Nesting is 7"},
		"shift of nothing":  {ommlx.Shifted{Kappa: 1}, 3, "is nil"},
	} {
		t.Run(name, func(t *testing.T) {
			require.ErrorContains(t, ommlx.Check(c.objective, c.k), c.want)
		})
	}
}

func TestSecondMomentIsTheMeanOfOuterProducts(t *testing.T) {
	claim := papertest.Of(t, "operator-objective")
	rng := testkit.NewRand(1)
	f, g := testkit.Gaussian(rng, 3, 40, 5), testkit.Gaussian(rng, 3, 40, 5)
	p := testkit.Compile(t, func(in []*Node) []*Node {
		return []*Node{ommlx.SecondMoment(in[0], in[1]), ommlx.SeqSecondMoment(in[0], in[1])}
	})
	want := testkit.NewArray(3, 5, 5)
	for r := range 3 {
		copy(want.Run(r).Data, testkit.SecondMoment(f.Run(r), g.Run(r)).Data)
	}
	for _, m := range p.Call(t, f, g) {
		claim.Printed.Within(t, "relative difference of M[f,g] and the mean of outer products",
			testkit.Difference(want, m), 1e-13)
	}
	for _, m := range p.Call(t, f.Run(1), g.Run(1)) {
		testkit.RequireClose(t, want.Run(1), m, 1e-13, "without run axis")
	}
}
