package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

// TestAKernelEndsItsPrograms: what a cell started ends with the kernel, and an interrupt ends neither.
func TestAKernelEndsItsPrograms(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o755))
		return path
	}
	gonb := write("gonb", `#!/bin/sh
trap : INT
sleep 300 & echo $! >"$1"
while [ ! -e "$1.end" ]; do read -t 1 _ </dev/null; sleep 0.01; done
`)
	started := filepath.Join(dir, "program")
	kernel := exec.Command(write("launcher", fmt.Sprintf(gonbOfNotebooks, gonb)), started)
	kernel.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // as Jupyter starts kernels
	require.NoError(t, kernel.Start())
	read := func() int {
		text, _ := os.ReadFile(started)
		pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
		return pid
	}
	require.Eventually(t, func() bool { return read() > 0 }, 10*time.Second, 10*time.Millisecond)
	require.NoError(t, syscall.Kill(-kernel.Process.Pid, syscall.SIGINT))
	time.Sleep(100 * time.Millisecond)
	require.NoError(t, kernel.Process.Signal(syscall.Signal(0)), "an interrupt does not end the kernel")
	testkit.Must(os.Create(started + ".end")).Close()
	_ = kernel.Wait()
	require.Eventually(t, func() bool { return gone(read()) }, 10*time.Second, 10*time.Millisecond)
}

// gone reports whether a process has ended, even if its parent has not waited for it.
func gone(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(text), ") Z ")
}
