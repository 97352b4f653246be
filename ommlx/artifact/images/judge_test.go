package images

import (
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/dataset"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/testkit"
	"operator-omm/ommlx/probe"
)

// The neighbours that judge a trained encoder are among all training images; a look during the training finds them
// among the first ones.
func TestNeighboursAreAmongAllTrainingImages(t *testing.T) {
	const n = lookedAt + 300
	training := probe.Features{Dim: 2}
	for i := range n {
		// Images of class 1 point along the second axis, and none of them is among the first ones.
		if i < lookedAt {
			training.X, training.Labels = append(training.X, 1, 0), append(training.Labels, 0)
		} else {
			training.X, training.Labels = append(training.X, 0, 1), append(training.Labels, 1)
		}
	}
	test := probe.Features{X: []float32{0, 1, 1, 0}, Dim: 2, Labels: []int{1, 0}}
	j, err := newJudge(graphtest.PureGo(t), tiny().With(lab.Seeds(1)), &dataset.Images{Channels: 3,
		Train: dataset.Split{Labels: training.Labels}})
	require.NoError(t, err)
	defer j.close()
	found := testkit.Must(j.neighbours([]probe.Features{training}, []probe.Features{test}))
	require.InDelta(t, 1, found[0].Top1, 0)
	require.Equal(t, lookedAt, j.look())
}
