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
	"omm-go/ommlx/artifact/run"
)

// Every planned experiment is valid under every profile, with plausible costs and its own label.
func TestEveryExhibitCanBePlanned(t *testing.T) {
	for _, x := range append(artifact.Figures(), artifact.Tables()...) {
		for _, p := range []run.Profile{run.Smoke, run.Quick, run.Paper} {
			keys := map[string]string{}
			for _, e := range report.Planned(p, x) {
				label, cost := e.Label(), e.Cost()
				require.NoError(t, run.Check(e), x.Name)
				other, taken := keys[label]
				require.True(t, !taken || other == run.Key(e), "%s %s: two trainings are called %s", x.Name, p, label)
				keys[label] = run.Key(e)
				seconds := run.Seconds([]run.Experiment{e})
				require.Positive(t, seconds, label)
				require.Less(t, seconds, 1e8, label)
				require.Greater(t, cost.Memory, int64(1<<28), label)
				require.Less(t, cost.Memory, int64(1<<36), label)
			}
		}
	}
}

func TestReadExperimentNamesTheFault(t *testing.T) {
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
		_, err := artifact.ReadExperiment([]byte(config))
		require.ErrorContains(t, err, word)
	}
}

// The queue starts with one seed of the paper's experiments and ends with everything. No stage contains unplanned
// seeds.
func TestQueueOfThePaperProfile(t *testing.T) {
	stages := artifact.Queue(run.Paper)
	for _, e := range slices.Concat(stages[:3]...) {
		require.Len(t, e.RunSeeds(), 1, e.Label())
	}
	last := len(stages) - 1
	downloaded := report.Planned(run.Paper, images.Table1(), graphs.Table3())
	require.Equal(t, singleKeys(downloaded), singleKeys(stages[last]))
	planned := singleKeys(report.Planned(run.Paper, slices.Concat(artifact.Figures(), artifact.Tables())...))
	require.ElementsMatch(t, planned, singleKeys(slices.Concat(stages...)))
	require.ElementsMatch(t, planned, singleKeys(slices.Concat(stages[last-1], stages[last])))
}

// TestSinglesAlternate: the first seed of every experiment comes before any second seed, and each seed once.
func TestSinglesAlternate(t *testing.T) {
	list := make([]run.Experiment, 4)
	for i, seeds := range [][]int64{{1, 2, 3}, {1}, {1, 2}, {1, 2}} {
		e := newMadeUp(20).with(seeds...)
		e.Target = float64(min(i, 2)) // the last two are the same
		list[i] = e
	}
	var order []string
	for _, e := range run.Singles(list) {
		order = append(order, fmt.Sprint(e.Label(), e.RunSeeds()))
	}
	require.Equal(t, []string{"made up, target 0[1]", "made up, target 1[1]", "made up, target 2[1]",
		"made up, target 0[2]", "made up, target 2[2]", "made up, target 0[3]"}, order)
}

// singleKeys returns the keys of the single seeds of experiments, each once.
func singleKeys(list []run.Experiment) (keys []string) {
	for _, e := range run.Singles(list) {
		keys = append(keys, run.Key(e))
	}
	return keys
}
