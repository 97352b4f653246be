package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/rl"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/testkit"
)

// TestKeepTellsWhatItRefuses in a checkout with two finished results, one of them trained with changes that were not
// committed: that one is named once, though figure 1 and its learning curves both need it, the other one is copied, and
// the exit code is that of a failure.
func TestKeepTellsWhatItRefuses(t *testing.T) {
	const file = run.Committed + "/GridRoom-4.jsonl" // whose layout needs no data
	job := testkit.Must(run.NewJob(rl.Paper("GridRoom-4", "omm_seq", 11, 2)))
	parts := job.Parts()
	committed := testkit.Must(os.ReadFile(filepath.Join(testkit.Committed(t, run.Committed), file)))
	root := t.TempDir()
	t.Chdir(root)
	require.NoError(t, os.WriteFile("go.mod", []byte("module "+fsx.Module+"\n"), 0o644))
	require.NoError(t, os.MkdirAll(filepath.Join(".omm", "results"), 0o755))
	for i, p := range parts {
		found := regexp.MustCompile(`"key":"` + p.Key + `","sha256":"\w+","result":(.*)}\n`).FindSubmatch(committed)
		require.NotNil(t, found)
		commit := []string{`"commit":"0123456789ab"`, `"commit":"0123456789ab+"`}[i]
		text := regexp.MustCompile(`"commit":"[^"]*"`).ReplaceAllString(string(found[1]), commit)
		sealed := testkit.Sealed("{\n" + text[1:])
		require.NoError(t, os.WriteFile(filepath.Join(".omm", "results", p.Key+".json"), sealed, 0o644))
	}
	code, stdout, stderr := omm(t, "keep")
	assert.Equal(t, exitFailure, code)
	assert.Equal(t, 1, strings.Count(stdout, "GridRoom-4 omm_seq/states k=11 ×1, seeds [2], was trained at commit "+
		"0123456789ab+, and nobody can say what that computed: commit all changes, remove "), stdout)
	assert.Contains(t, stdout, "copied 1 results to "+run.Committed)
	assert.Equal(t, "omm: left out 1 of the finished results; the lines above say why, and what to do\n", stderr)
	assert.Contains(t, stdout, "kept GridRoom-4 omm_seq/states k=11 ×1 seed 1\n")
	kept := testkit.Must(os.ReadFile(file))
	assert.Contains(t, string(kept), parts[0].Key)
	assert.NotContains(t, string(kept), parts[1].Key)

	require.NoError(t, os.Remove(filepath.Join(".omm", "results", parts[1].Key+".json")))
	code, stdout, stderr = omm(t, "keep", "fig1")
	assert.Equal(t, exitOK, code, stderr)
	assert.Contains(t, stdout, "copied 0 results to ")
}
