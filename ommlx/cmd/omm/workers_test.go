package main

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/backend"
	"operator-omm/ommlx/train"
)

// lines are what a function writes, in the order of the alphabet: workers write in any order.
func lines(t *testing.T, run func(out *bytes.Buffer) error) ([]string, error) {
	t.Helper()
	var out bytes.Buffer
	err := run(&out)
	list := strings.Split(strings.TrimSpace(out.String()), "\n")
	slices.Sort(list)
	return list, err
}

func TestWorkersShareTheCores(t *testing.T) {
	t.Setenv(backend.CoresVariable, "1")
	got, err := lines(t, func(out *bytes.Buffer) error {
		return inWorkers(t.Context(), out, 2, "sh", "-c", "echo of $NPROC cores; echo said aloud >&2")
	})
	require.NoError(t, err)
	assert.Equal(t, []string{"1│ of 1 cores", "1│ said aloud", "2│ of 1 cores", "2│ said aloud"}, got)
}

// A line without an end for long comes in pieces, and what follows it comes too.
func TestALongLineHidesNothing(t *testing.T) {
	got, err := lines(t, func(out *bytes.Buffer) error {
		return inWorkers(t.Context(), out, 1, "sh", "-c",
			"head -c 131072 /dev/zero | tr '\\0' x; echo; echo; echo after; printf end")
	})
	require.NoError(t, err)
	long, rest := 0, []string{}
	for _, line := range got {
		if n := strings.Count(line, "x"); n > 0 {
			long += n
			continue
		}
		rest = append(rest, line)
	}
	require.Equal(t, 2*longLine, long)
	require.Equal(t, []string{"1│ ", "1│ after", "1│ end"}, rest)
}

// One worker that fails is named, and the other one ends its work.
func TestAWorkerThatFailsIsNamed(t *testing.T) {
	first := t.TempDir() + "/first" // the worker that makes this folder is the one that fails
	got, err := lines(t, func(out *bytes.Buffer) error {
		return inWorkers(t.Context(), out, 2, "sh", "-c", "mkdir "+first+" 2>/dev/null && exit 3; sleep 0.2; echo done")
	})
	require.ErrorContains(t, err, "of 2 failed (exit status 3); its last lines say why")
	require.Len(t, got, 1)
	assert.Contains(t, got[0], "│ done")
	assert.NotErrorIs(t, err, train.ErrInterrupted)
}

// Workers get the interrupt that lets them save their checkpoints, and it is no failure of theirs.
func TestWorkersAreInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	ready := t.TempDir()
	go func() {
		defer stop()
		for made := 0; made < 2; time.Sleep(time.Millisecond) { // one file each
			files, _ := os.ReadDir(ready)
			made = len(files)
		}
	}()
	got, err := lines(t, func(out *bytes.Buffer) error {
		return inWorkers(ctx, out, 2, "sh", "-c",
			"trap 'echo saved; exit 1' INT; mktemp -p "+ready+" >/dev/null; while :; do sleep 0.02; done")
	})
	require.ErrorIs(t, err, train.ErrInterrupted)
	assert.Equal(t, []string{"1│ saved", "2│ saved"}, got)
}
