package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

// asLab tells the test binary to run a stand-in for JupyterLab from this folder until it hears of a signal.
const asLab = "OMM_TEST_LAB"

func runLab(folder string) int {
	ctx, stop := untilSignal(context.Background())
	defer stop()
	if err := runToTheEnd((notebookPaths{venv: folder}).jupyterCommand(ctx)); err != nil && ctx.Err() == nil {
		return 1
	}
	return 0
}

// TestCtrlCEndsJupyterLabAndItsKernels, of which each is a session of its own, as Jupyter starts them. What is
// interrupted is the process group of the terminal.
func TestCtrlCEndsJupyterLabAndItsKernels(t *testing.T) {
	folder := t.TempDir()
	const script = `#!/bin/sh
cd "$(dirname "$0")"
trap 'echo asked >interrupted' INT
trap 'touch ended; exit 0' TERM
setsid sh -c 'sleep 300 & echo $! >training; echo $$ >kernel; trap "" TERM; wait' &
while :; do sleep 0.05; done
`
	bin := filepath.Join(folder, "bin")
	require.NoError(t, os.MkdirAll(bin, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(bin, "jupyter"), []byte(script), 0o755))
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asLab+"="+folder)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	require.NoError(t, cmd.Start())
	var left []int
	for _, name := range []string{"training", "kernel"} {
		file := filepath.Join(bin, name)
		require.Eventually(t, func() bool { text, _ := os.ReadFile(file); return len(text) > 1 },
			10*time.Second, 10*time.Millisecond)
		left = append(left, testkit.Must(strconv.Atoi(strings.TrimSpace(string(testkit.Must(os.ReadFile(file)))))))
	}
	require.NoError(t, syscall.Kill(-cmd.Process.Pid, syscall.SIGINT))
	require.NoError(t, cmd.Wait())
	assert.FileExists(t, filepath.Join(bin, "ended"), "JupyterLab ends its kernels by itself")
	assert.NoFileExists(t, filepath.Join(bin, "interrupted"), "it would ask whether to shut down")
	for _, pid := range left {
		assert.ErrorIs(t, syscall.Kill(pid, 0), syscall.ESRCH)
	}
}
