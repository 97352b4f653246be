package artifact_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/rl"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
)

// committed is a line of the committed results.
type committed struct {
	Key    string
	Result json.RawMessage
	config map[string]any // configuration of the result
}

// committedIn reads the lines of the committed results of a checkout.
func committedIn(t *testing.T, root string) (all []committed) {
	t.Helper()
	for _, file := range testkit.Must(filepath.Glob(filepath.Join(root, run.Committed, "*.jsonl"))) {
		text := testkit.Must(os.ReadFile(file))
		for row := range strings.Lines(string(text)) {
			var one committed
			var result struct{ Config map[string]any }
			require.NoError(t, json.Unmarshal([]byte(row), &one))
			require.NoError(t, json.Unmarshal(one.Result, &result))
			one.config = result.Config
			all = append(all, one)
		}
	}
	return all
}

// job returns the job of a committed configuration, with other seeds unless they are nil.
func (c committed) job(t *testing.T, seeds ...int64) run.Job {
	t.Helper()
	config := maps.Clone(c.config)
	if seeds != nil {
		config["seeds"] = seeds
	}
	return testkit.Must(artifact.ReadJob(testkit.Must(json.Marshal(config))))
}

// TestCommittedResultsAreWhole requires each committed result to load, with one seed and the key of its configuration.
// Every figure or table must show all runs of its configurations, except the sweep, which compares single runs.
func TestCommittedResultsAreWhole(t *testing.T) {
	root := testkit.Committed(t, run.Committed)
	l := &run.Lab{Root: root, Profile: run.Paper}
	planned, lists := map[string][]run.Job{}, map[string][]int64{} // by key; by the printed seeds
	for _, e := range slices.Concat(artifact.Figures(), artifact.Tables()) {
		if e.Short == rl.Sweep().Short {
			continue
		}
		for _, j := range testkit.Must(e.Jobs(run.Paper)) {
			planned[j.Key] = append(planned[j.Key], j)
			lists[fmt.Sprint(j.Seeds)] = j.Seeds
		}
	}
	all := committedIn(t, root)
	require.NotEmpty(t, all)
	size := 0
	for _, c := range all {
		size += len(c.Result)
		job := c.job(t)
		require.Equal(t, c.Key, job.Key)
		require.Len(t, job.Seeds, 1)
		require.Less(t, len(c.Result), 512<<10)
		_, missing := testkit.Must2(job.Result(l))
		require.Empty(t, missing)
		for _, seeds := range lists {
			for _, p := range planned[c.job(t, seeds...).Key] {
				require.Contains(t, p.Seeds, job.Seeds[0], "%s leaves out %s", p.Label, c.Key)
			}
		}
	}
	require.Less(t, size, 20_000_000, "bytes: remove results that nothing shows")
}

// Every training in a committed figure or table is planned by its profile, whole or as a single seed. Every training of
// the quick profile is there, except in Partial entries.
func TestCommittedFiguresMatchThePlan(t *testing.T) {
	root := testkit.Committed(t, "figures/*.json", "tables/*.json")
	for _, e := range append(artifact.Figures(), artifact.Tables()...) {
		for _, profile := range e.Profiles() {
			text, err := os.ReadFile(filepath.Join(root, e.File(profile)))
			if profile == run.Paper && e.Trains() && os.IsNotExist(err) {
				continue // no result at that scale yet
			}
			require.NoError(t, err)
			var data struct{ Provenance report.Origin }
			require.NoError(t, json.Unmarshal(text, &data))
			require.Equal(t, profile, data.Provenance.Drawn.Profile, e.Name)
			labels := map[string]string{} // by key
			for _, j := range testkit.Must(e.Jobs(profile)) {
				for _, part := range append(j.Parts(), j) {
					labels[part.Key] = j.Label
				}
			}
			shown := map[string]bool{}
			for _, trained := range data.Provenance.Trained {
				require.Contains(t, labels, trained.Key, e.Name)
				shown[labels[trained.Key]] = true
			}
			for _, label := range labels {
				require.True(t, shown[label] || profile == run.Paper || e.Partial, "%s: %s", e.Name, label)
			}
		}
	}
}

// TestEveryByteOfAResultShowsDamage covers a result in .omm/results and in a committed file.
func TestEveryByteOfAResultShowsDamage(t *testing.T) {
	l := &run.Lab{Root: t.TempDir(), Profile: run.Smoke, PureGo: true}
	e := newMadeUp(20)
	before := trained(t, l, e)
	load := func() (any, error) {
		r, missing, err := run.Load(&run.Lab{Root: l.Root}, e)
		if err == nil && missing != nil {
			err = errors.New("a seed is missing and would be trained again")
		}
		return r, err
	}
	var all string
	for name, text := range results(t, l) {
		testkit.FindsDamage(t, name, load)
		all += text
	}
	file := filepath.Join(l.Root, run.Committed, "made up.jsonl") // .ci/keep moves results there
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte(all), 0o644))
	require.NoError(t, os.RemoveAll(filepath.Join(l.Root, ".omm")))
	require.Equal(t, before, testkit.Must(load()))
	testkit.FindsDamage(t, file, load)
}
