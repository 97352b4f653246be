package run

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/backend"
	"omm-go/ommlx/internal/testkit"
)

func TestUncommitted(t *testing.T) {
	for commit, open := range map[string]bool{"abc": false, "abc+": true, "abc, then def": false,
		"abc+, then def": true, "abc, then def+": true, "unknown": true, "abc, then unknown": true} {
		require.Equal(t, open, Uncommitted(commit), commit)
	}
	require.Equal(t, unknown, BuiltFrom(t.TempDir()), "a folder without git")
}

// TestBuildsOfAResumedTraining: every build is listed, so a build with uncommitted changes is visible.
func TestBuildsOfAResumedTraining(t *testing.T) {
	dir := t.TempDir()
	require.Equal(t, "abc+", testkit.Must(builds(dir, "abc+")))
	require.Equal(t, "def", testkit.Must(builds(dir, "def")), "started again without a checkpoint")
	write(t, dir, "step-000000000020.ckpt", "", 0)
	require.Equal(t, "def", testkit.Must(builds(dir, "def")))
	require.Equal(t, "def, then ghi", testkit.Must(builds(dir, "ghi")))
	require.Equal(t, "def, then ghi", testkit.Must(builds(dir, "ghi")))
}

// TestModelOfAGPU: a result records the model of the card, which XLA calls cuda:0.
func TestModelOfAGPU(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	cuda := backend.Choice{Kind: backend.KindXLACUDA}
	require.Empty(t, model(cuda), "no driver")
	for output, want := range map[string]string{"NVIDIA H100 80GB HBM3": " (NVIDIA H100 80GB HBM3)",
		"A\\nA\\nB": " (A, B)"} {
		program := "#!/bin/sh\nprintf '" + output + "\\n'\n"
		require.NoError(t, os.WriteFile(filepath.Join(dir, "nvidia-smi"), []byte(program), 0o755))
		require.Equal(t, want, model(cuda))
	}
	require.NotContains(t, model(backend.Choice{Kind: backend.KindXLACPU}), "A, B")
}

// write writes a file of a checkout with a modification time relative to now.
func write(t *testing.T, root, name, text string, from time.Duration) {
	t.Helper()
	path := filepath.Join(root, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	at := time.Now().Add(from)
	require.NoError(t, os.Chtimes(path, at, at))
}

// The commit comes from git, or without git from .omm/commit, as in the image. A change of the program adds a +; a
// change of kept results or documents does not.
func TestCommitOfACheckout(t *testing.T) {
	checkout := func(withGit bool) (root, id string) {
		root, id = t.TempDir(), "0123456789ab"
		for _, name := range []string{"README.md", "go.mod", "go.sum", "ommlx/a.go", "ommlx/b.go",
			Committed + "/r.jsonl", ".omm/commit"} {
			write(t, root, name, id+"\n", 0)
		}
		for _, args := range []string{"init -q", "add -A", "commit -qm all", "rev-parse --short=12 HEAD"} {
			if withGit {
				who := []string{"-C", root, "-c", "user.name=a", "-c", "user.email=a@b.c"}
				out := testkit.Must(exec.Command("git", append(who, strings.Fields(args)...)...).Output())
				id = strings.TrimSpace(string(out))
			}
		}
		return root, id
	}
	for _, withGit := range []bool{true, false} {
		root, id := checkout(withGit)
		require.Equal(t, id, BuiltFrom(root), "with git: %t", withGit)
		for _, harmless := range []string{"README.md", Committed + "/r.jsonl", Committed + "/new.jsonl"} {
			write(t, root, harmless, "changed", time.Minute)
			require.Equal(t, id, BuiltFrom(root), "with git: %t, %s", withGit, harmless)
		}
		for _, changed := range []string{"go.mod", "go.sum", "ommlx/a.go", "ommlx/new.go"} {
			root, id := checkout(withGit)
			write(t, root, changed, "changed", time.Minute)
			require.Equal(t, id+"+", BuiltFrom(root), "with git: %t, %s", withGit, changed)
		}
		require.NoError(t, os.Remove(filepath.Join(root, "ommlx", "b.go")))
		require.Equal(t, id+"+", BuiltFrom(root), "with git: %t, a file is missing", withGit)
	}
}

func TestCoresIsAtMostGOMAXPROCS(t *testing.T) {
	all := runtime.GOMAXPROCS(0)
	for setting, want := range map[string]int{"": all, "1": 1, "0": all, "-1": all, "many": all, "100000": all} {
		t.Setenv("NPROC", setting)
		assert.Equal(t, want, cores(), setting)
	}
}
