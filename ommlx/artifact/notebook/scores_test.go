package notebook

import (
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/rl"
)

func TestScores(t *testing.T) {
	mean, ritz, printed := 0.5, 0.75, 0.625
	row := func(environment, name string, mean *float64) rl.BeyondRow {
		return rl.BeyondRow{Environment: environment, K: 11, Name: name, Printed: &printed, Results: []*rl.Result{{}},
			Scored: rl.Scored{Mean: mean, OtherScores: rl.OtherScores{Ritz: &ritz}}}
	}
	data := rl.BeyondData{Rows: []rl.BeyondRow{row("A", "ALLO", &mean), row("B", "ALLO", &mean),
		row("C", "ALLO", nil), row("A", "OMM-seq", &mean)}}
	dots := Scores(data)
	require.Len(t, dots.Axes, 1)
	groups := dots.Axes[0].Groups
	require.Len(t, groups, 2)
	require.Len(t, groups[0].Rows, 2)
	require.Equal(t, mean, groups[1].Rows[0].Ours)
	require.Equal(t, ritz, *groups[1].Rows[0].Paper)
	require.Equal(t, printed, *PrintedScores(data).Axes[0].Groups[1].Rows[0].Paper)
	_, err := dots.Figure()
	require.NoError(t, err)
}
