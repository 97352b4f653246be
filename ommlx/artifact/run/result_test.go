package run

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/train"
)

// TestJoinHistories joins histories whose first point has no loss. One run diverges and ends early.
func TestJoinHistories(t *testing.T) {
	short := []train.Point{{Step: 0, Value: train.PerRun{1}}, {Step: 5, Loss: train.PerRun{3}, Value: train.PerRun{5}}}
	long := []train.Point{{Step: 0, Value: train.PerRun{2}}, {Step: 5, Loss: train.PerRun{4}, Value: train.PerRun{6}},
		{Step: 9, Loss: train.PerRun{7}}}
	joined := JoinHistories([][]train.Point{short, long})
	require.Equal(t, []train.Point{
		{Step: 0, Value: train.PerRun{1, 2}},
		{Step: 5, Loss: train.PerRun{3, 4}, Value: train.PerRun{5, 6}},
	}, joined[:2])
	require.Equal(t, 9, joined[2].Step)
	require.True(t, math.IsNaN(joined[2].Loss[0]))
	require.Equal(t, 7., joined[2].Loss[1])
	require.Nil(t, joined[2].Value)
	require.Nil(t, JoinHistories([][]train.Point{nil, nil}))
}
