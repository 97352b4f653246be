package artifact_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact"
	"operator-omm/ommlx/artifact/graphs"
	"operator-omm/ommlx/artifact/images"
	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/artifact/rl"
)

// The queue begins with one seed of what the paper shows, goes on with what decides it and what goes beyond, and ends
// with everything; no stage asks for more seeds than are planned.
func TestTheQueueOfThePaper(t *testing.T) {
	stages, err := artifact.Queue(lab.Paper)
	require.NoError(t, err)
	require.Len(t, stages, 15)
	for _, stage := range stages[:3] {
		for _, j := range stage {
			require.Len(t, j.Seeds, 1, j.Label)
		}
	}
	require.Equal(t, keysOf(t, rl.Figure1()), keys(stages[7]))
	require.Equal(t, keysOf(t, rl.Table2()), keys(stages[8]))
	require.Equal(t, keysOf(t, rl.Sweep()), keys(stages[9]), "tuning comes after what it is for")
	require.Equal(t, slices.Concat(keysOf(t, images.Table1()), keysOf(t, graphs.Table3())), keys(stages[14]),
		"what needs data comes last")
	for _, j := range slices.Concat(stages[:14]...) {
		require.NotContains(t, j.Label, "CIFAR")
		require.NotContains(t, j.Label, "ogbn")
	}
	planned := map[string]bool{}
	jobs, err := report.Plans(slices.Concat(artifact.Figures(), artifact.Tables()), lab.Paper)
	require.NoError(t, err)
	for _, j := range slices.Concat(jobs...) {
		parts, err := j.Parts()
		require.NoError(t, err)
		for _, p := range parts {
			planned[p.Key] = true
		}
	}
	last := map[string]bool{}
	for i, stage := range stages {
		for _, j := range stage {
			parts, err := j.Parts()
			require.NoError(t, err)
			for _, p := range parts {
				require.True(t, planned[p.Key], p.Label)
				last[p.Key] = i >= len(stages)-2
			}
		}
	}
	require.Len(t, last, len(planned))
	for key, is := range last {
		require.True(t, is, key)
	}
	for _, p := range lab.Profiles() {
		_, err := artifact.Queue(p)
		require.NoError(t, err)
	}
}

// keysOf are the keys of the jobs of an entry at the paper's scale.
func keysOf(t *testing.T, e report.Entry) []string {
	jobs, err := e.Jobs(lab.Paper)
	require.NoError(t, err)
	return keys(jobs)
}

func keys(jobs []lab.Job) (all []string) {
	for _, j := range jobs {
		all = append(all, j.Key)
	}
	return all
}
