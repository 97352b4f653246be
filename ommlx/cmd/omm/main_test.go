package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

// stubborn tells the test binary to be a command that hears of a signal and does not end by itself.
const stubborn = "OMM_TEST_STUBBORN"

// No test asks a network.
func TestMain(m *testing.M) {
	if os.Getenv(stubborn) != "" {
		ctx, stop := untilSignal(context.Background())
		defer stop()
		fmt.Println("ready")
		<-ctx.Done()
		fmt.Println("stopping")
		time.Sleep(20 * time.Second)
		os.Exit(0)
	}
	if folder := os.Getenv(asLab); folder != "" {
		os.Exit(runLab(folder))
	}
	online = false
	os.Exit(m.Run())
}

// TestASecondSignalEndsAtOnce, also while the first one is still being obeyed, as by a compiler that cannot be stopped.
func TestASecondSignalEndsAtOnce(t *testing.T) {
	// What a shell starts in the background, or by nohup, ignores some of them from the start, and so do its children.
	heard := slices.DeleteFunc([]os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}, signal.Ignored)
	for _, first := range heard {
		cmd, lines := startStubborn(t, "exec "+os.Args[0])
		require.NoError(t, cmd.Process.Signal(first))
		require.Equal(t, "stopping", next(lines), "%v", first)
		require.NoError(t, cmd.Process.Signal(heard[0]))
		_ = cmd.Wait()
		assert.Equal(t, heard[0], cmd.ProcessState.Sys().(syscall.WaitStatus).Signal())
	}
}

// TestNohupOutlivesTheTerminal: what was started to go on is not stopped by a terminal that is closed.
func TestNohupOutlivesTheTerminal(t *testing.T) {
	cmd, lines := startStubborn(t, "trap '' HUP; exec "+os.Args[0])
	require.NoError(t, cmd.Process.Signal(syscall.SIGHUP))
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.Equal(t, "stopping", next(lines))
	require.NoError(t, cmd.Process.Signal(syscall.SIGHUP), "it hears SIGTERM, and SIGHUP neither before nor after")
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()
	assert.Equal(t, syscall.SIGKILL, cmd.ProcessState.Sys().(syscall.WaitStatus).Signal())
}

// startStubborn starts the test binary as a command, and waits until it hears signals.
func startStubborn(t *testing.T, script string) (*exec.Cmd, *bufio.Scanner) {
	cmd := exec.CommandContext(t.Context(), "sh", "-c", script)
	cmd.Env = append(os.Environ(), stubborn+"=1")
	out := testkit.Must(cmd.StdoutPipe())
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(out)
	require.Equal(t, "ready", next(lines))
	return cmd, lines
}

func next(lines *bufio.Scanner) string {
	lines.Scan()
	return lines.Text()
}
