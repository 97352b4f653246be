package notebook

import (
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/rl"
	"omm-go/ommlx/artifact/rl/gridworld"
)

func TestDraws(t *testing.T) {
	row := func(method string, dataSeed int64, averages ...float64) rl.BeyondRow {
		result := &rl.Result{Config: rl.Experiment{Environment: "A", Method: method, K: 11, DataSeed: dataSeed}}
		for i, x := range averages {
			result.Runs = append(result.Runs, rl.Run{Seed: int64(i + 1), Average: x})
		}
		return rl.BeyondRow{Environment: "A", K: 11, Results: []*rl.Result{result},
			MeanCosines: rl.MeanCosines{Mean: new(averages[0])}}
	}
	draws, leads := Draws(rl.BeyondData{Rows: []rl.BeyondRow{row("omm_seq", gridworld.AuthorsSeed, 0.75),
		row("allo", gridworld.AuthorsSeed, 0.5), row("omm_seq", 1, 0.5, 0.75), row("allo", 1, 0.25, 0.75),
		row("allo", 2, 0)}})
	require.Len(t, draws, 3)
	require.Equal(t, []string{"A", "OMM-seq", "0", "0.750", "1", "0.500", "2", "", ""}, draws[0])
	require.Len(t, leads, 1)
	require.Equal(t, "2 of 2", leads[0][1])
	require.Contains(t, leads[0][2], "+0.12 ± ")
}
