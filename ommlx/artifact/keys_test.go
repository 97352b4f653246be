package artifact_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact"
	"omm-go/ommlx/artifact/graphs"
	"omm-go/ommlx/artifact/images"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/rl"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
)

// Every entry can be planned under every profile, with plausible costs.
func TestEveryEntryCanBePlanned(t *testing.T) {
	for _, e := range append(artifact.Figures(), artifact.Tables()...) {
		for _, p := range run.Profiles() {
			jobs, err := e.Jobs(p)
			require.NoError(t, err, "%s %s", e.Name, p)
			keys := map[string]string{}
			for _, j := range jobs {
				other, taken := keys[j.Label]
				require.True(t, !taken || other == j.Key, "%s %s: two trainings are called %s", e.Name, p, j.Label)
				keys[j.Label] = j.Key
				require.Positive(t, j.Cost.Seconds, j.Label)
				require.Less(t, j.Cost.Seconds, 1e8, j.Label)
				require.Greater(t, j.Cost.Memory, int64(1<<28), j.Label)
				require.Less(t, j.Cost.Memory, int64(1<<36), j.Label)
			}
		}
	}
}

func TestReadJobNamesTheFault(t *testing.T) {
	for word, config := range map[string]string{
		"JSON":        `[]`,
		"environment": `{"k": 3}`,
		"stepz":       `{"environment": "GridRoom-4", "stepz": 3}`,
		"batch":       `{"environment": "GridRoom-4", "k": 5}`,
		"method":      `{"system": "helium"}`,
		"kept":        `{"encoding": "x"}`,
		"unseen":      `{"graph": "x"}`,
		"string":      `{"system": "well", "k": "three"}`,
	} {
		_, err := artifact.ReadJob([]byte(config))
		require.ErrorContains(t, err, word)
	}
}

// The queue starts with one seed of the paper's experiments and ends with everything. No stage contains unplanned
// seeds.
func TestQueueOfThePaperProfile(t *testing.T) {
	stages := testkit.Must(artifact.Queue(run.Paper))
	require.Len(t, stages, 12)
	for _, j := range slices.Concat(stages[:3]...) {
		require.Len(t, j.Seeds, 1, j.Label)
	}
	for stage, entries := range map[int][]report.Entry{4: {rl.Figure1()}, 11: {images.Table1(), graphs.Table3()}} {
		plans := testkit.Must(report.Plans(entries, run.Paper))
		require.Equal(t, runKeys(t, slices.Concat(plans...)), runKeys(t, stages[stage]))
	}
	plans := testkit.Must(report.Plans(slices.Concat(artifact.Figures(), artifact.Tables()), run.Paper))
	planned := runKeys(t, slices.Concat(plans...))
	require.ElementsMatch(t, planned, runKeys(t, slices.Concat(stages...)))
	require.ElementsMatch(t, planned, runKeys(t, slices.Concat(stages[10], stages[11])))
}

// TestRunsAlternateBetweenJobs: the first seed of every job comes before any second seed, and each seed once.
func TestRunsAlternateBetweenJobs(t *testing.T) {
	list := make([]madeUp, 4)
	for i, seeds := range [][]int64{{1, 2, 3}, {1}, {1, 2}, {1, 2}} {
		list[i] = newMadeUp(20).with(seeds...)
		list[i].Target = float64(min(i, 2)) // the last two are the same
	}
	var order []string
	for _, j := range run.Runs(testkit.Must(run.NewJobs(list))) {
		order = append(order, fmt.Sprint(j.Label, j.Seeds))
	}
	require.Equal(t, []string{"made up, target 0[1]", "made up, target 1[1]", "made up, target 2[1]",
		"made up, target 0[2]", "made up, target 2[2]", "made up, target 0[3]"}, order)
}

// runKeys returns the keys of the single seeds of jobs, each once.
func runKeys(t *testing.T, jobs []run.Job) (keys []string) {
	t.Helper()
	for _, j := range run.Runs(jobs) {
		keys = append(keys, j.Key)
	}
	return keys
}
