package lab

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/train"
)

// Histories of single runs are put beside each other, with a first point that has no loss.
func TestHistoriesAreJoined(t *testing.T) {
	one := []train.Point{{Step: 0, Value: train.PerRun{1}}, {Step: 5, Loss: train.PerRun{3}, Value: train.PerRun{5}}}
	other := []train.Point{{Step: 0, Value: train.PerRun{2}}, {Step: 5, Loss: train.PerRun{4}, Value: train.PerRun{6}}}
	require.Equal(t, []train.Point{
		{Step: 0, Value: train.PerRun{1, 2}},
		{Step: 5, Loss: train.PerRun{3, 4}, Value: train.PerRun{5, 6}},
	}, JoinHistories([][]train.Point{one, other}))
	require.Nil(t, JoinHistories([][]train.Point{nil, nil}))
}

// A run that diverged ended early; the others go on.
func TestAHistoryThatEndedHasNoNumbersAfterwards(t *testing.T) {
	short := []train.Point{{Step: 5, Loss: train.PerRun{1}, Value: train.PerRun{2}}}
	long := []train.Point{{Step: 5, Loss: train.PerRun{3}, Value: train.PerRun{4}}, {Step: 9, Loss: train.PerRun{5}}}
	joined := JoinHistories([][]train.Point{short, long})
	require.Equal(t, train.Point{Step: 5, Loss: train.PerRun{1, 3}, Value: train.PerRun{2, 4}}, joined[0])
	require.Equal(t, 9, joined[1].Step)
	require.True(t, math.IsNaN(joined[1].Loss[0]))
	require.Equal(t, 5., joined[1].Loss[1])
	require.Nil(t, joined[1].Value)
}
