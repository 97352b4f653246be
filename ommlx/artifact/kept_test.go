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
	config map[string]any // of the result
}

// committedIn reads the lines of the committed results of a checkout.
func committedIn(t *testing.T, root string) (all []committed) {
	t.Helper()
	for _, file := range testkit.Must(filepath.Glob(filepath.Join(root, run.Committed, "*.jsonl"))) {
		text := testkit.Must(os.ReadFile(file))
		for row := range strings.Lines(string(text)) {
			var one committed
			var of struct{ Config map[string]any }
			require.NoError(t, json.Unmarshal([]byte(row), &one))
			require.NoError(t, json.Unmarshal(one.Result, &of))
			one.config = of.Config
			all = append(all, one)
		}
	}
	return all
}

// job is that of a committed configuration, with other seeds if there are any.
func (c committed) job(t *testing.T, seeds ...int64) run.Job {
	t.Helper()
	config := maps.Clone(c.config)
	if seeds != nil {
		config["seeds"] = seeds
	}
	return testkit.Must(artifact.ReadJob(testkit.Must(json.Marshal(config))))
}

// TestCommittedResultsAreWhole requires each kept result to have one seed and the key of its configuration, and to load.
// No figure or table leaves out a run of a configuration that it shows, except the sweep, which compares single runs.
func TestCommittedResultsAreWhole(t *testing.T) {
	root := testkit.Committed(t, run.Committed)
	l := &run.Lab{Root: root, Profile: run.Paper}
	planned, lists := map[string][]run.Job{}, map[string][]int64{} // by key; by itself in words
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

// ofACommit makes the results of a folder those of a build of a commit, which a test has not.
func ofACommit(t *testing.T, l *run.Lab) {
	t.Helper()
	for file, text := range results(t, l) {
		text = strings.Replace(testkit.Unsealed([]byte(text)), `"commit": "unknown"`, `"commit": "0123456789ab"`, 1)
		require.NoError(t, os.WriteFile(file, testkit.Sealed(text), 0o644))
	}
}

// small is an experiment that takes no time, of a grid world that needs no data.
func small(runs int) rl.Experiment {
	e := rl.Paper("GridRoom-4", "omm_seq", 2, runs).WithSteps(20)
	e.Transitions, e.Batch, e.Hidden = 500, 16, []int{8}
	return e
}

// TestAResultIsCommittedOnce also reads what was committed in a checkout without other results.
func TestAResultIsCommittedOnce(t *testing.T) {
	e := small(2)
	job := testkit.Must(run.NewJob(e))
	l := &run.Lab{Root: t.TempDir(), Profile: run.Paper}
	added, _ := testkit.Must2(l.Commit(t.Context(), []run.Job{job}))
	require.Empty(t, added, "nothing is finished")
	require.NoError(t, job.Run(t.Context(), l))
	ofACommit(t, l)
	for _, want := range []int{2, 0} {
		added, _ = testkit.Must2(l.Commit(t.Context(), []run.Job{job, job}))
		require.Len(t, added, want)
	}
	before := trained(t, l, e)
	require.NoError(t, os.RemoveAll(filepath.Join(l.Root, ".omm")))
	clone, missing := testkit.Must2(run.Load(l, e))
	require.Empty(t, missing)
	require.Equal(t, before, clone)
}

// Every training behind a committed figure or table is one that its profile plans, by its key and in its order. All
// that are planned are there, but for an entry at the paper's scale or one that leaves blank what has no result.
func TestCommittedFiguresAreOfThePlan(t *testing.T) {
	root := testkit.Committed(t, "figures/*.json", "tables/*.json")
	for _, e := range append(artifact.Figures(), artifact.Tables()...) {
		for _, profile := range e.Profiles() {
			text, err := os.ReadFile(filepath.Join(root, e.File(profile)))
			if profile == run.Paper && e.Plan != nil && os.IsNotExist(err) {
				continue // no result at that scale yet
			}
			require.NoError(t, err)
			var data struct{ Provenance report.Origin }
			require.NoError(t, json.Unmarshal(text, &data))
			require.Equal(t, profile, data.Provenance.Drawn.Profile, e.Name)
			jobs := testkit.Must(e.Jobs(profile))
			trained := data.Provenance.Trained
			for _, j := range jobs {
				seeds := ofThePlan(t, j, trained)
				if trained = trained[min(seeds, len(trained)):]; profile == run.Quick && !e.Partial {
					require.Positive(t, seeds, "%s: %s", e.Name, j.Label)
				}
			}
			require.Empty(t, trained, e.Name)
		}
	}
}

// ofThePlan counts the trainings at the head of a list that are the job, as one of before 2026-11 may be, or its seeds.
func ofThePlan(t *testing.T, j run.Job, trained []report.Trained) (count int) {
	t.Helper()
	if len(trained) > 0 && trained[0].Key == j.Key {
		return 1
	}
	for _, key := range runKeys(t, []run.Job{j}) {
		if count < len(trained) && trained[count].Key == key {
			count++
		}
	}
	return count
}

// A kept result is a file, and after it was committed a line of one.
func TestEveryByteOfAResultShowsDamage(t *testing.T) {
	l := &run.Lab{Root: t.TempDir(), Profile: run.Smoke}
	e := newMadeUp(20).with(1, 2)
	trained(t, l, e)
	load := func() (any, error) {
		r, missing, err := run.Load(&run.Lab{Root: l.Root}, e)
		if err == nil && missing != nil {
			err = errors.New("one is missing, and would be trained again")
		}
		return r, err
	}
	ofACommit(t, l)
	job := testkit.Must(run.NewJob(e))
	for name := range results(t, l) {
		testkit.FindsDamage(t, name, load)
	}
	_, _ = testkit.Must2(l.Commit(t.Context(), []run.Job{job}))
	require.NoError(t, os.RemoveAll(filepath.Join(l.Root, ".omm")))
	for _, name := range testkit.Must(filepath.Glob(filepath.Join(l.Root, run.Committed, "*"))) {
		testkit.FindsDamage(t, name, load)
	}
}
