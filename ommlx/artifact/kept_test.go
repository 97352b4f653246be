package artifact_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact"
	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/rl"
	"operator-omm/ommlx/internal/testkit"
)

// checkCommitted returns what is wrong with a folder of committed results.
func checkCommitted(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	total := 0
	for _, e := range entries {
		if e.Name() == "README.md" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		key, isJSON := strings.CutSuffix(e.Name(), ".json")
		if !isJSON {
			return fmt.Errorf("%s is no result", e.Name())
		}
		var result struct{ Config json.RawMessage }
		if err := json.Unmarshal(text, &result); err != nil {
			return fmt.Errorf("%s is no result: %w", e.Name(), err)
		}
		job, err := artifact.ReadJob(result.Config)
		if err != nil {
			return fmt.Errorf("%s: %w", e.Name(), err)
		}
		switch total += len(text); {
		case job.Key != key:
			return fmt.Errorf("%s: its key is %s", e.Name(), job.Key)
		case len(job.Seeds) != 1:
			return fmt.Errorf("%s: it has %d seeds instead of one", e.Name(), len(job.Seeds))
		case len(text) > lab.CommittedFile:
			return fmt.Errorf("%s: it has %d bytes; %d are the most", e.Name(), len(text), lab.CommittedFile)
		}
		if _, err := job.Read(text); err != nil {
			return fmt.Errorf("%s: %w", e.Name(), err)
		}
	}
	if total > lab.CommittedTotal {
		return fmt.Errorf("all files have %d bytes; %d are the most", total, lab.CommittedTotal)
	}
	return nil
}

func TestCommittedResultsAreWhole(t *testing.T) {
	root := testkit.Committed(t, lab.Committed)
	require.NoError(t, checkCommitted(filepath.Join(root, filepath.FromSlash(lab.Committed))))
}

// committedBuild makes the results of a folder those of a build of a commit, which a test has not.
func committedBuild(t *testing.T, l *lab.Lab) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(l.Root, ".omm", "results", "*.json"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		known := strings.Replace(string(text), `"commit": "unknown"`, `"commit": "0123456789ab"`, 1)
		require.NotEqual(t, string(text), known)
		require.NoError(t, os.WriteFile(file, []byte(known), 0o644))
	}
}

// TestAResultIsCommittedOnce also reads what was committed in a checkout without other results, and finds each fault.
func TestAResultIsCommittedOnce(t *testing.T) {
	e := rl.Paper("GridRoom-4", "omm_seq", 2, 2).WithSteps(20)
	e.Transitions, e.Batch, e.Hidden = 500, 16, []int{8}
	job, err := lab.NewJob(e)
	require.NoError(t, err)
	l := &lab.Lab{Root: t.TempDir(), Profile: lab.Paper}
	added, _, err := l.Commit(job)
	require.NoError(t, err)
	require.Zero(t, added, "nothing is finished")
	require.NoError(t, job.Run(context.Background(), l))
	committedBuild(t, l)
	full := filepath.Join(l.Root, filepath.FromSlash(lab.Committed), "full.json")
	require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
	require.NoError(t, os.WriteFile(full, make([]byte, lab.CommittedTotal), 0o644))
	_, _, err = l.Commit(job)
	require.ErrorContains(t, err, "remove results that nothing shows")
	require.NoError(t, os.Remove(full))
	for _, want := range []int{2, 0} {
		added, _, err = l.Commit(job)
		require.NoError(t, err)
		require.Equal(t, want, added)
	}
	dir := filepath.Join(l.Root, filepath.FromSlash(lab.Committed))
	require.NoError(t, checkCommitted(dir))

	before, err := lab.Run(context.Background(), l, e)
	require.NoError(t, err)
	require.NoError(t, os.RemoveAll(filepath.Join(l.Root, ".omm")))
	clone, found, err := lab.Load(l, e)
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, before, clone)

	parts, err := job.Parts()
	require.NoError(t, err)
	path := filepath.Join(dir, parts[0].Key+".json")
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	for name, change := range map[string]struct{ file, text, fault string }{
		"cut":    {path, string(whole[:len(whole)/2]), "is no result"},
		"seed":   {path, strings.ReplaceAll(string(whole), `"seed":1`, `"seed":2`), "instead of 1"},
		"number": {path, strings.ReplaceAll(string(whole), `"batch":16`, `"batch":17`), "its key is"},
		"large":  {path, string(whole) + strings.Repeat(" ", lab.CommittedFile), "are the most"},
		"name":   {filepath.Join(dir, "x.json"), string(whole), "its key is"},
		"other":  {filepath.Join(dir, "x.txt"), string(whole), "is no result"},
	} {
		require.NoError(t, os.WriteFile(change.file, []byte(change.text), 0o644))
		require.ErrorContains(t, checkCommitted(dir), change.fault, name)
		require.NoError(t, os.Remove(change.file))
		require.NoError(t, os.WriteFile(path, whole, 0o644))
	}
}

// TestAResultOfUncommittedChangesIsNotCommitted: it is named, with what to do, and the others are copied. A file that
// is committed stays as it is.
func TestAResultOfUncommittedChangesIsNotCommitted(t *testing.T) {
	l := &lab.Lab{Root: t.TempDir(), Profile: lab.Paper}
	job, err := lab.NewJob(newMadeUp(20).with(1, 2, 3))
	require.NoError(t, err)
	require.NoError(t, job.Run(t.Context(), l))
	committedBuild(t, l)
	parts, err := job.Parts()
	require.NoError(t, err)
	path := func(folder string, j lab.Job) string {
		return filepath.Join(l.Root, filepath.FromSlash(folder), j.Key+".json")
	}
	const folder = ".omm/results"
	change := func(j lab.Job) {
		text, err := os.ReadFile(path(folder, j))
		require.NoError(t, err)
		changed := strings.Replace(string(text), `"commit": "0123456789ab"`, `"commit": "0123456789ab+"`, 1)
		require.NotEqual(t, string(text), changed)
		require.NoError(t, os.WriteFile(path(folder, j), []byte(changed), 0o644))
	}
	change(parts[0])
	added, refused, err := l.Commit(job)
	require.NoError(t, err)
	require.Equal(t, 2, added, "one refusal does not stop the others")
	require.Equal(t, []string{"made up, target 3, seeds [1], was trained at commit 0123456789ab+, and nobody can say " +
		"what that computed: commit all changes, remove " + path(folder, parts[0]) + " and train it again"}, refused)
	require.NoFileExists(t, path(lab.Committed, parts[0]))

	change(parts[1])
	added, refused, err = l.Commit(parts[1])
	require.NoError(t, err)
	require.Zero(t, added)
	require.Empty(t, refused, "what is committed stays as it is")
}
