package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

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
