package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/lab"
)

// TestTheFirstPictureIsTheQuickest: entries come by what they take, those alike in the order of the paper.
func TestTheFirstPictureIsTheQuickest(t *testing.T) {
	of := func(seconds ...float64) (jobs []lab.Job) {
		for _, s := range seconds {
			jobs = append(jobs, lab.Job{Cost: lab.Cost{Seconds: s}})
		}
		return jobs
	}
	require.Equal(t, []int{2, 1, 4, 0, 3}, bySize([][]lab.Job{of(3, 4), of(2), nil, of(7), of(2)}))
}

func TestUncommittedTrainingsAreCounted(t *testing.T) {
	o := Origin{Trained: []Trained{{Commit: "abc"}, {Commit: "abc"}}}
	require.Empty(t, o.Uncommitted())
	o.Trained[1].Commit = "abc+"
	require.Equal(t, " 1 of 2 trainings were made with changes that were not committed and must be made again.",
		o.Uncommitted())
}
