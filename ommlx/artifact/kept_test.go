package artifact_test

import (
	"encoding/json"
	"errors"
	"fmt"
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
	config json.RawMessage // configuration of the result
}

// committedIn reads the lines of the committed results of a checkout.
func committedIn(t *testing.T, root string) (all []committed) {
	t.Helper()
	for _, file := range testkit.Must(filepath.Glob(filepath.Join(root, run.Committed, "*.jsonl"))) {
		text := testkit.Must(os.ReadFile(file))
		for row := range strings.Lines(string(text)) {
			var one committed
			var result run.Result
			require.NoError(t, json.Unmarshal([]byte(row), &one))
			require.NoError(t, json.Unmarshal(one.Result, &result))
			one.config = result.Config
			all = append(all, one)
		}
	}
	return all
}

// TestCommittedResultsAreWhole requires each committed result to load, with one seed and the key of its configuration.
// Every figure or table must show all runs of its configurations, except the sweep, which compares single runs.
func TestCommittedResultsAreWhole(t *testing.T) {
	root := testkit.Committed(t, run.Committed)
	l := &run.Lab{Root: root, Profile: run.Paper}
	planned, lists := map[string][]run.Experiment{}, map[string][]int64{} // by key; by the printed seeds
	for _, e := range slices.Concat(artifact.Figures(), artifact.Tables()) {
		if e.ShortName == rl.Sweep().ShortName {
			continue
		}
		for _, e := range report.Planned(run.Paper, e) {
			planned[run.Key(e)] = append(planned[run.Key(e)], e)
			lists[fmt.Sprint(e.RunSeeds())] = e.RunSeeds()
		}
	}
	all := committedIn(t, root)
	require.NotEmpty(t, all)
	size := 0
	for _, c := range all {
		size += len(c.Result)
		e := testkit.Must(artifact.ReadExperiment(c.config))
		require.NoError(t, run.Check(e))
		require.Equal(t, c.Key, run.Key(e))
		require.Len(t, e.RunSeeds(), 1)
		require.Less(t, len(c.Result), 512<<10)
		r, missing := testkit.Must2(run.Load(l, e))
		require.Empty(t, missing)
		summaries := testkit.Must(r.Summaries(e))
		require.Len(t, summaries, 1)
		require.Equal(t, e.RunSeeds()[0], summaries[0].Seed)
		for _, seeds := range lists {
			for _, p := range planned[run.Key(e.With(seeds))] {
				require.Contains(t, p.RunSeeds(), e.RunSeeds()[0], "%s leaves out %s", p.Label(), c.Key)
			}
		}
	}
	require.Less(t, size, 20_000_000, "bytes: remove results that nothing shows")
}

// Every training in a committed quick figure or table is planned, whole or as a single seed, and every planned training
// is there, except in Partial exhibits.
func TestCommittedQuickFilesMatchThePlan(t *testing.T) {
	root := testkit.Committed(t, "figures/quick/*.json", "tables/quick/*.json")
	for _, x := range append(artifact.Figures(), artifact.Tables()...) {
		if !x.Trains() {
			continue
		}
		head := testkit.Must(report.ReadUnder[report.Head](root, x, run.Quick))
		require.Equal(t, run.Quick, head.Provenance.Drawn.Profile, x.Name)
		labels, shown := map[string]string{}, map[string]bool{} // by key; by label
		planned := report.Planned(run.Quick, x)
		for _, e := range planned {
			for _, part := range append(run.Singles([]run.Experiment{e}), e) {
				labels[run.Key(part)] = e.Label()
			}
		}
		for _, trained := range head.Provenance.Trained {
			require.Contains(t, labels, trained.Key, x.Name)
			shown[labels[trained.Key]] = true
		}
		for _, e := range planned {
			require.True(t, shown[e.Label()] || x.Partial, "%s: %s", x.Name, e.Label())
		}
	}
}

// TestEveryByteOfAResultShowsDamage covers a result in .omm/results and in a committed file.
func TestEveryByteOfAResultShowsDamage(t *testing.T) {
	l := &run.Lab{Root: t.TempDir(), Profile: run.Smoke, PureGo: true}
	e := newMadeUp(20)
	before := testkit.Must(run.Run(t.Context(), l, e))
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

	record := filepath.Join(l.Root, run.Committed, "record", "made up.jsonl") // nothing uses its results or keys
	require.NoError(t, os.MkdirAll(filepath.Dir(record), 0o755))
	require.NoError(t, os.WriteFile(record, []byte(strings.Replace(all, `"seed":`, `"sped":`, 1)), 0o644))
	_, err := load()
	require.ErrorContains(t, err, "record")
}
