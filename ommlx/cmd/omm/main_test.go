package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

// stubborn tells the test binary to be a command that hears of a signal and does not end by itself.
const stubborn = "OMM_TEST_STUBBORN"

// restarted makes the test binary start itself again as omm does, and print the setting of malloc.
const restarted = "OMM_TEST_RESTARTED"

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
	if os.Getenv(restarted) != "" {
		keepMemory()
		fmt.Println(os.Getenv("GLIBC_TUNABLES"))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestMallocKeepsMemory unless the environment configures it.
func TestMallocKeepsMemory(t *testing.T) {
	for set, want := range map[string]string{"OMM=": strings.TrimPrefix(tunables, "GLIBC_TUNABLES="),
		"MALLOC_ARENA_MAX=2": "", "GLIBC_TUNABLES=glibc.malloc.arena_max=2": "glibc.malloc.arena_max=2"} {
		program := exec.CommandContext(t.Context(), os.Args[0])
		program.Env = append(os.Environ(), restarted+"=1", set)
		require.Equal(t, want, strings.TrimSpace(string(testkit.Must(program.Output()))), set)
	}
}

// TestASecondSignalEndsAtOnce, even if a command does not react to the first one.
func TestASecondSignalEndsAtOnce(t *testing.T) {
	if signal.Ignored(syscall.SIGINT) {
		t.Skip("the shell ignores Ctrl-C for its background jobs")
	}
	cmd, lines := startStubborn(t, "exec "+os.Args[0])
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.Equal(t, "stopping", next(lines))
	require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
	_ = cmd.Wait()
	assert.Equal(t, syscall.SIGINT, cmd.ProcessState.Sys().(syscall.WaitStatus).Signal())
}

// TestNohupOutlivesTheTerminal: a closed terminal does not stop what nohup started.
func TestNohupOutlivesTheTerminal(t *testing.T) {
	cmd, lines := startStubborn(t, "trap '' HUP; exec "+os.Args[0])
	require.NoError(t, cmd.Process.Signal(syscall.SIGHUP))
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.Equal(t, "stopping", next(lines))
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()
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
