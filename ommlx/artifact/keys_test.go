package artifact_test

import (
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

// TestKeysOfKeptResultsStay pins the keys of four kept configurations: a grid world, one with ALLO's settings, a
// Schrödinger equation, and one trained with RMSProp. If a key changed, everything would be trained again.
func TestKeysOfKeptResultsStay(t *testing.T) {
	for key, find := range map[string]struct {
		entry   string
		profile run.Profile
	}{
		"0f7d4efea7fbf44dfdb90ce9112ce252": {"fig1", run.Paper}, // a single seed, kept at commit ad44cce
		"e5aaee2e564f8b46692defec1f2ef6f5": {"tab2", run.Paper},
		"d212d1e8054b81480aad8d69c5eb832d": {"fig2", run.Quick},
		"705f79aac047efde83cf772c72620cc6": {"beyond_pde", run.Paper},
	} {
		entries := testkit.Must(report.Select(append(artifact.Figures(), artifact.Tables()...), []string{find.entry}))
		jobs := testkit.Must(entries[0].Jobs(find.profile))
		keys := runKeys(t, jobs)
		for _, j := range jobs {
			keys = append(keys, j.Key)
		}
		require.Contains(t, keys, key, find.entry)
	}
}

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
	for stage, entries := range map[int][]report.Entry{4: {rl.Figure1()}, 5: {rl.Table2()}, 6: {rl.Sweep()},
		11: {images.Table1(), graphs.Table3()}} { // tuning comes after the tuned experiments, and downloads come last
		plans := testkit.Must(report.Plans(entries, run.Paper))
		require.Equal(t, runKeys(t, slices.Concat(plans...)), runKeys(t, stages[stage]))
	}
	for _, j := range slices.Concat(stages[:11]...) {
		require.NotRegexp(t, "CIFAR|ogbn", j.Label)
	}
	plans := testkit.Must(report.Plans(slices.Concat(artifact.Figures(), artifact.Tables()), run.Paper))
	planned := runKeys(t, slices.Concat(plans...))
	require.ElementsMatch(t, planned, runKeys(t, slices.Concat(stages...)))
	require.ElementsMatch(t, planned, runKeys(t, slices.Concat(stages[10], stages[11])))
	for _, p := range run.Profiles() {
		_, err := artifact.Queue(p)
		require.NoError(t, err)
	}
}

// runKeys returns the keys of the single seeds of jobs, each once.
func runKeys(t *testing.T, jobs []run.Job) (keys []string) {
	t.Helper()
	for _, j := range run.Runs(jobs) {
		keys = append(keys, j.Key)
	}
	return keys
}
