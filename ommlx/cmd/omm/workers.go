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
	"sync"
	"syscall"
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

// share is the number of cores of each of so many workers.
func share(workers int) int { return max(1, backend.Cores()/workers) }

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

// longLine is how much of a line is held, in bytes; a longer one comes in pieces.
const longLine = 64 << 10

// eachLine passes on lines until the reader ends.
func eachLine(r io.Reader, say func(line string)) {
	lines := bufio.NewReaderSize(r, longLine)
	for inside := false; ; {
		line, more, err := lines.ReadLine()
		if err != nil {
			return
		}
		if !inside || len(line) > 0 { // after the last piece of a line may stand its end alone
			say(string(line))
		}
		inside = more
	}
}

// inWorker runs a program on one of n shares of the cores and passes on its lines, those of standard error too.
func inWorker(ctx context.Context, n int, program string, args []string, say func(line string)) error {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), backend.CoresVariable+"="+strconv.Itoa(share(n)))
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

const lowestPriority = 19

// lowerPriority gives this process the lowest priority. Linux keeps one for each thread, and a new thread has that of
// the thread that starts it, so it must come before the backend is opened.
func lowerPriority() error {
	// The second time finds threads that were started during the first.
	return errors.Join(lowerThreads(), lowerThreads())
}

func lowerThreads() error {
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil { // not Linux: one call is for all threads
		return lowered(0)
	}
	for _, t := range threads {
		id, err := strconv.Atoi(t.Name())
		if err != nil {
			return fmt.Errorf("lowering the priority: a thread is called %q", t.Name())
		}
		// A thread that ended since the list was read has no priority.
		if err := lowered(id); err != nil && !errors.Is(err, syscall.ESRCH) {
			return err
		}
	}
	return nil
}

func lowered(id int) error {
	if err := syscall.Setpriority(syscall.PRIO_PROCESS, id, lowestPriority); err != nil {
		return fmt.Errorf("lowering the priority: %w", err)
	}
	return nil
}
