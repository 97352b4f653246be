package report

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUncommittedTrainingsAreCounted(t *testing.T) {
	o := Origin{Trained: []Trained{{Commit: "abc"}, {Commit: "abc"}}}
	require.Empty(t, o.Uncommitted())
	o.Trained[1].Commit = "abc+"
	require.Equal(t, " 1 of 2 trainings were made with changes that were not committed and must be made again.",
		o.Uncommitted())
}
