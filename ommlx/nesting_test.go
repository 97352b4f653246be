package ommlx_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx"
)

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
