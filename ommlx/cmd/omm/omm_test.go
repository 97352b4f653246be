package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/train"
)

// omm runs a command line in this process.
func omm(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = execute(t.Context(), args, &out, &errs)
	return code, out.String(), errs.String()
}

// write writes a file, and makes its folder.
func write(t *testing.T, path, content string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
}

// TestEveryCommandHasHelpWithAnExample walks the whole tree: a new command without an example fails.
func TestEveryCommandHasHelpWithAnExample(t *testing.T) {
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		args := append(strings.Fields(cmd.CommandPath())[1:], "--help")
		code, stdout, stderr := omm(t, args...)
		assert.Equal(t, exitOK, code)
		assert.Empty(t, stderr)
		assert.NotEmpty(t, cmd.Short, cmd.CommandPath())
		assert.Contains(t, stdout, "Examples:\n  omm", cmd.CommandPath())
		for _, sub := range cmd.Commands() {
			if sub.Name() != "help" {
				walk(sub)
			}
		}
	}
	walk(newRoot())
}

// TestExitCodes covers each kind of failure.
func TestExitCodes(t *testing.T) {
	defer func(saved []func() *cobra.Command) { commands = saved }(commands)
	var fail func() error
	commands = append(commands, func() *cobra.Command {
		return &cobra.Command{Use: "fail", RunE: func(*cobra.Command, []string) error { return fail() }}
	})
	for name, c := range map[string]struct {
		code int
		fail func() error
	}{
		"error":    {exitFailure, func() error { return context.DeadlineExceeded }},
		"panic":    {exitFailure, func() error { panic("shapes do not match\ngoroutine 1 [running]:") }},
		"control":  {exitFailure, func() error { return errors.New("a\x1b[2J\u202e\x00\x9b1m") }},
		"use":      {exitWrongUse, func() error { return usage{context.Canceled} }},
		"stopped":  {exitStopped, func() error { return fmt.Errorf("well: %w", train.ErrInterrupted) }},
		"diverged": {exitDiverged, func() error { return fmt.Errorf("well: %w", train.ErrDiverged) }},
	} {
		fail = c.fail
		code, _, stderr := omm(t, "fail")
		assert.Equal(t, c.code, code, name)
		assert.Equal(t, say.Printable(strings.TrimSuffix(stderr, "\n"))+"\n", stderr, "one line")
	}
	fail = func() error { return errors.New([]string{}[len(commands)]) }
	code, _, stderr := omm(t, "fail")
	assert.Equal(t, exitFailure, code)
	assert.Contains(t, stderr, "omm_test.go:", "a bug in omm prints its stack")
}

// TestSetupTriesTheUsersChoice uses one process per choice, since a process opens only one backend.
func TestSetupTriesTheUsersChoice(t *testing.T) {
	const child = "OMM_TEST_SETUP"
	if os.Getenv(child) != "" {
		os.Exit(execute(t.Context(), []string{"setup"}, os.Stdout, os.Stderr))
	}
	for config, fails := range map[string]bool{"go:ops_sequential": false, "nonsense": true, "xla:/nowhere.so": true} {
		cache := t.TempDir()
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), child+"=1", "GOMLX_BACKEND="+config, "OMM_CACHE="+cache)
		out, err := cmd.CombinedOutput()
		assert.Equal(t, fails, err != nil, config)
		assert.Contains(t, string(out), config)
		assert.LessOrEqual(t, strings.Count(string(out), "\n"), 2, "one line, or what was chosen and what runs")
		left := testkit.Must(os.ReadDir(cache))
		assert.Empty(t, left)
	}
}

// TestTrainKeepsItsResult trains outside a checkout, prints a kept result, and reads a configuration.
func TestTrainKeepsItsResult(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "small.json", string(testkit.Must(json.Marshal(small(1, 20)))))
	args := []string{"train", "--config", "small.json"}
	code, stdout, stderr := omm(t, args...)
	require.Equal(t, exitOK, code, stderr)
	assert.Contains(t, stdout, "GridRoom-4 omm_seq/states N=500 B=16 k=2 ×1 seed 1: average cosine similarity 0.")
	code, again, _ := omm(t, args...)
	assert.Equal(t, exitOK, code)
	assert.True(t, strings.HasSuffix(stdout, again), "the kept result")

	kept := testkit.Must(filepath.Glob(filepath.Join(".omm", "results", "*.json")))
	require.Len(t, kept, 1)
	assert.NotContains(t, string(testkit.Must(os.ReadFile(kept[0]))), `"profile"`, "no profile planned it")

	committed := filepath.Join(run.Committed, "GridRoom-4.jsonl")
	require.NoError(t, os.MkdirAll(run.Committed, 0o755))
	require.NoError(t, os.Rename(kept[0], committed))
	code, _, stderr = omm(t, args...)
	assert.Equal(t, exitOK, code, stderr)
	assert.FileExists(t, kept[0], "a committed result is trained again")
}

// TestTrainExitsWith3IfEveryRunDiverged: an excessive learning rate makes every run diverge at once. The exit code is
// 3, also when the result is read again.
func TestTrainExitsWith3IfEveryRunDiverged(t *testing.T) {
	t.Chdir(t.TempDir())
	e := small(1, 100_000)
	e.Train.Adam.LearningRate, e.Train.Adam.Schedule.Warmup = 1e30, 0
	write(t, "lost.json", string(testkit.Must(json.Marshal(e))))
	for range 2 {
		code, stdout, stderr := omm(t, "train", "--config", "lost.json")
		assert.Equal(t, exitDiverged, code, stderr)
		assert.Contains(t, stdout, "diverged at step ")
		assert.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
	}
}

// TestUnavailableData: the error has one line.
func TestUnavailableData(t *testing.T) {
	t.Setenv("OMM_DATA", t.TempDir())
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	for _, kind := range []string{"cifar100", "ogbn-products"} {
		code, _, stderr := omm(t, "data", "get", kind, "--from", server.URL)
		assert.Equal(t, exitFailure, code, kind)
		assert.Contains(t, stderr, "404", kind)
		assert.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
	}
}

func TestDoctor(t *testing.T) {
	t.Setenv("GOMLX_BACKEND", "")
	t.Chdir(t.TempDir())
	code, stdout, _ := omm(t, "doctor")
	assert.Equal(t, exitOK, code)
	assert.Regexp(t, "(?m)^engine .* on ", stdout)
	assert.Regexp(t, "(?m)^checkout +missing: ", stdout)
	assert.Regexp(t, "(?m)^ready +except checkout", stdout)
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "")
	t.Setenv("OMM_CACHE", filepath.Join(file, "folder"))
	t.Setenv("PATH", t.TempDir())
	_, stdout, _ = omm(t, "doctor")
	assert.Regexp(t, "(?m)^cache +missing: .*set OMM_CACHE to a writable folder$", stdout)
	assert.Regexp(t, "(?m)^compiler +missing: .*apt install gcc", stdout)
	assert.Regexp(t, "(?m)^python +missing: python3 was not found", stdout)
}

// TestKernelsEndWithJupyter also covers processes that kernels start in another session.
func TestKernelsEndWithJupyter(t *testing.T) {
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("there is no /proc")
	}
	file := filepath.Join(t.TempDir(), "pid")
	p := home(t)
	require.NoError(t, os.MkdirAll(filepath.Dir(p.jupyter()), 0o755))
	script := "#!/bin/sh\nsetsid sh -c 'echo $$ >" + file + "; exec sleep 300' &\n"
	require.NoError(t, os.WriteFile(p.jupyter(), []byte(script), 0o755))
	require.NoError(t, p.jupyterCommand(t.Context()).Run())
	pid := 0
	require.Eventually(t, func() bool {
		text, _ := os.ReadFile(file)
		pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		return pid > 0
	}, 10*time.Second, 10*time.Millisecond)
	endKernels()
	require.Eventually(t, func() bool {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		return err != nil || strings.Contains(string(text), ") Z ")
	}, 10*time.Second, 10*time.Millisecond)
}

// TestCompareListsDifferences runs in a clone of a repository with one figure.
func TestCompareListsDifferences(t *testing.T) {
	const file = "figures/fig3_grids.json"
	committed := testkit.Must(os.ReadFile(filepath.Join(testkit.Committed(t, file), file)))
	t.Chdir(t.TempDir())
	write(t, "go.mod", "module "+fsx.Module+"\n")
	write(t, file, string(committed))
	expect := func(want int, words string, args ...string) {
		t.Helper()
		code, stdout, stderr := omm(t, append([]string{"compare"}, args...)...)
		require.Equal(t, want, code, stderr)
		require.Contains(t, stdout+stderr, words)
	}
	expect(exitFailure, "git ")
	for _, args := range []string{"init -q", "add .", "-c user.name=a -c user.email=a@b commit -q -m x"} {
		out, err := exec.Command("git", strings.Fields(args)...).CombinedOutput()
		require.NoError(t, err, string(out))
	}
	expect(exitFailure, "nothing has been trained here yet")
	require.NoError(t, os.MkdirAll(".omm/results", 0o755))
	expect(exitOK, "1 of 1 ")
	write(t, file, strings.Replace(string(committed), `"states": 11`, `"states": 12`, 1))
	expect(exitOK, file+": differs")
	expect(exitOK, "0 of 1 ")

	other := t.TempDir()
	write(t, filepath.Join(other, file), string(committed))
	expect(exitOK, "1 of 1 ", "--out", other, "fig3")
}

// TestReportMakesItsFolder runs in a checkout without a build.
func TestReportMakesItsFolder(t *testing.T) {
	t.Chdir(testkit.Committed(t, "."))
	code, _, stderr := omm(t, "report")
	require.Equal(t, exitOK, code, stderr)
	require.FileExists(t, ".omm/report.html")
}
