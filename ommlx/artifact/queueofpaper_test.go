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
	for _, j := range slices.Concat(stages[:3]...) {
		require.Len(t, j.Seeds, 1, j.Label)
	}
	for stage, entries := range map[int][]report.Entry{7: {rl.Figure1()}, 8: {rl.Table2()}, 9: {rl.Sweep()},
		14: {images.Table1(), graphs.Table3()}} { // tuning comes after what it is for, and what needs data last
		plans, err := report.Plans(entries, lab.Paper)
		require.NoError(t, err)
		require.Equal(t, runKeys(t, slices.Concat(plans...)), runKeys(t, stages[stage]))
	}
	for _, j := range slices.Concat(stages[:14]...) {
		require.NotRegexp(t, "CIFAR|ogbn", j.Label)
	}
	plans, err := report.Plans(slices.Concat(artifact.Figures(), artifact.Tables()), lab.Paper)
	require.NoError(t, err)
	planned := runKeys(t, slices.Concat(plans...))
	require.ElementsMatch(t, planned, runKeys(t, slices.Concat(stages...)))
	require.ElementsMatch(t, planned, runKeys(t, slices.Concat(stages[13], stages[14])))
	for _, p := range lab.Profiles() {
		_, err := artifact.Queue(p)
		require.NoError(t, err)
	}
}

// runKeys are the keys of the single seeds of jobs, each once.
func runKeys(t *testing.T, jobs []lab.Job) (keys []string) {
	t.Helper()
	runs, err := lab.Runs(jobs)
	require.NoError(t, err)
	for _, j := range runs {
		keys = append(keys, j.Key)
	}
	return keys
}
