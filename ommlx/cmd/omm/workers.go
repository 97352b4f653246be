package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"time"

	"operator-omm/ommlx/backend"
	"operator-omm/ommlx/train"
)

// patience is how long an interrupted worker may take to save its checkpoint.
const patience = time.Minute

// workersHere is the number of workers that make the most of this machine: one for each core where the CPU computes,
// since small products gain little from a second core, else one.
func workersHere() (int, error) {
	choice, err := backend.Choose()
	if err != nil || choice.Kind != backend.KindXLACPU {
		return 1, err
	}
	return backend.Cores(), nil
}

// inWorkers runs a program n times side by side, each on its share of the cores, and copies their lines to out, those
// of standard error too, each line behind the number of its worker. The end of one leaves the others at work. The error
// names those that failed; it wraps [train.ErrInterrupted] if ctx ended them.
func inWorkers(ctx context.Context, out io.Writer, n int, program string, args ...string) error {
	var wait sync.WaitGroup
	var writing sync.Mutex
	failed := make([]error, n)
	for i := range n {
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Env = append(os.Environ(), backend.CoresVariable+"="+strconv.Itoa(max(1, backend.Cores()/n)))
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
		cmd.WaitDelay = patience
		lines := &worker{number: i + 1, out: out, writing: &writing}
		cmd.Stdout, cmd.Stderr = lines, lines
		wait.Go(func() {
			if err := cmd.Run(); err != nil {
				failed[i] = fmt.Errorf("worker %d of %d failed (%w); its last lines say why", i+1, n, err)
			}
			if len(lines.begun) > 0 {
				_, _ = lines.Write(newline)
			}
		})
	}
	wait.Wait()
	if ctx.Err() != nil {
		return fmt.Errorf("%w: run the same command again to go on from the checkpoints", train.ErrInterrupted)
	}
	return errors.Join(failed...)
}

// worker writes whole lines of one of several workers.
type worker struct {
	number  int
	out     io.Writer
	writing *sync.Mutex // of all of them
	begun   []byte      // a line whose end has not come
}

// Write implements [io.Writer].
func (w *worker) Write(text []byte) (int, error) {
	w.writing.Lock()
	defer w.writing.Unlock()
	w.begun = append(w.begun, text...)
	for line, rest, whole := bytes.Cut(w.begun, newline); whole; line, rest, whole = bytes.Cut(w.begun, newline) {
		fmt.Fprintf(w.out, "%d│ %s\n", w.number, line)
		w.begun = rest
	}
	return len(text), nil
}

var newline = []byte("\n")
