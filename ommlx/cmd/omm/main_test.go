package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

// stubborn makes the test binary act as a command that receives a signal but does not end by itself.
const stubborn = "OMM_TEST_STUBBORN"

// No test uses the network.
func TestMain(m *testing.M) {
	if os.Getenv(stubborn) != "" {
		ctx, stop := untilSignal(context.Background())
		defer stop()
		fmt.Println("ready")
		<-ctx.Done()
		time.Sleep(100 * time.Millisecond) // the handler is removed after the context has ended
		fmt.Println("stopping")
		time.Sleep(20 * time.Second)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestSecondSignalEndsAtOnce: the command does not react to the first signal.
func TestSecondSignalEndsAtOnce(t *testing.T) {
	if signal.Ignored(syscall.SIGINT) {
		t.Skip("this shell ignores Ctrl-C for background jobs")
	}
	cmd, lines := startStubborn(t, "exec "+os.Args[0])
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.Equal(t, "stopping", next(lines))
	require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
	_ = cmd.Wait()
	assert.Equal(t, syscall.SIGINT, cmd.ProcessState.Sys().(syscall.WaitStatus).Signal())
}

// TestNohupOutlivesTheTerminal: closing the terminal does not stop a command under nohup.
func TestNohupOutlivesTheTerminal(t *testing.T) {
	cmd, lines := startStubborn(t, "trap '' HUP; exec "+os.Args[0])
	require.NoError(t, cmd.Process.Signal(syscall.SIGHUP))
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.Equal(t, "stopping", next(lines))
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()
}

// startStubborn starts the test binary as a command, and waits until it handles signals.
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
