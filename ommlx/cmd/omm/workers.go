package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
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

// inWorkers runs a program n times side by side, each on its share of the cores, and copies their lines to out, each
// line behind the number of its worker. The end of one leaves the others at work. The error names those that failed; it
// wraps [train.ErrInterrupted] if ctx ended them.
func inWorkers(ctx context.Context, out io.Writer, n int, program string, args ...string) error {
	var wait sync.WaitGroup
	var writing sync.Mutex
	failed := make([]error, n)
	for i := range n {
		wait.Go(func() {
			err := inWorker(ctx, n, program, args, func(line string) {
				writing.Lock()
				defer writing.Unlock()
				fmt.Fprintf(out, "%d│ %s\n", i+1, line)
			})
			if err != nil {
				failed[i] = fmt.Errorf("worker %d of %d failed (%w); its last lines say why", i+1, n, err)
			}
		})
	}
	wait.Wait()
	if ctx.Err() != nil {
		return fmt.Errorf("%w: run the same command again to go on from the checkpoints", train.ErrInterrupted)
	}
	return errors.Join(failed...)
}

// eachLine passes on lines until the reader ends.
func eachLine(r io.Reader, say func(line string)) {
	for lines := bufio.NewReader(r); ; {
		line, err := lines.ReadString('\n')
		if line != "" {
			say(strings.TrimSuffix(line, "\n"))
		}
		if err != nil {
			return
		}
	}
}

// inWorker runs a program on one of n shares of the cores and passes on its lines, those of standard error too.
func inWorker(ctx context.Context, n int, program string, args []string, say func(line string)) error {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), backend.CoresVariable+"="+strconv.Itoa(max(1, backend.Cores()/n)))
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = patience
	read, write := io.Pipe()
	cmd.Stdout, cmd.Stderr = write, write
	var copied sync.WaitGroup
	copied.Go(func() { eachLine(read, say) })
	err := cmd.Run()
	write.Close()
	copied.Wait()
	return err
}
