package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"omm-go/ommlx/artifact"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/backend"
	"omm-go/ommlx/train"
)

func newRun() *cobra.Command {
	var profile string
	var budget time.Duration
	var workers int
	var part bool
	cmd := &cobra.Command{
		Use:   "run [ONLY...]",
		Short: "Train missing results of figures and tables, one seed of everything first",
		Long: `Trains the runs in "omm plan" without a kept result, in stages: first one run of each training in the
paper, then additional experiments, then all runs, and last the trainings that take days. With names in
ONLY it trains the first seed of each of their trainings, then the second seeds, and so on. On a CPU
there is one worker per core, since two trainings on one core each finish sooner than one after the other
on two cores. Each worker takes the memory that "omm plan" lists and skips what another process trains.
"make run" runs with nice. With --for the workers stop at a checkpoint when the time is up. Ctrl-C also
keeps a checkpoint; the same command resumes. "omm figures" and "omm tables" draw the results.`,
		Example: `  omm run --for 2h
  omm run --for 30m fig1 tab2
  omm run --profile quick`,
		RunE: func(cmd *cobra.Command, only []string) error {
			if budget < 0 {
				return wrongUse(fmt.Errorf("--for is %s, want a positive time; leave it out for no limit", budget))
			}
			if workers < 0 {
				return wrongUse(fmt.Errorf("--workers is %d, want a positive number; leave it out for one per core",
					workers))
			}
			ctx, out := cmd.Context(), cmd.OutOrStdout()
			l, entries, err := choose(cmd, profile, everything(), only)
			if err != nil {
				return err
			}
			stages, err := stagesOf(l, entries)
			switch {
			case err != nil:
				return err
			case part:
				return work(ctx, l, stages, budget)
			}
			if workers == 0 {
				if workers, err = workersHere(); err != nil {
					return err
				}
			}
			self, err := os.Executable()
			if err != nil {
				return fmt.Errorf("starting workers: %w", err)
			}
			args := append([]string{"run", "--part", "--profile", profile, "--for", budget.String(), "--"}, only...)
			return summed(ctx, out, l, slices.Concat(stages...), budget, func() error {
				if workers == 1 {
					return work(ctx, l, stages, budget)
				}
				return inWorkers(ctx, out, workers, self, args...)
			})
		},
	}
	addProfile(cmd, &profile, run.Paper)
	cmd.Flags().IntVar(&workers, "workers", 0, "number of parallel processes; 0: one per core, or one on a GPU")
	cmd.Flags().DurationVar(&budget, "for", 0, "time limit, such as 30m or 2h, after which it stops at a checkpoint; "+
		"0: no limit")
	cmd.Flags().BoolVar(&part, "part", false, "run as a worker")
	_ = cmd.Flags().MarkHidden("part") // the flag exists
	return cmd
}

// stagesOf returns the jobs of entries in stages: the queue for all entries, and one stage for a selection.
func stagesOf(l *run.Lab, entries []report.Entry) ([][]run.Job, error) {
	if len(entries) == len(everything()) {
		return artifact.Queue(l.Profile)
	}
	plans, err := report.Plans(entries, l.Profile)
	return [][]run.Job{slices.Concat(plans...)}, err
}

// work trains the jobs stage by stage. A budget that is not 0 limits the time; reaching it is not an error, but an
// interruption by the user is. work skips jobs with [train.ErrForeign], and returns that error after the other jobs.
func work(ctx context.Context, l *run.Lab, stages [][]run.Job, budget time.Duration) (foreign error) {
	limited := ctx
	if budget > 0 {
		var stop context.CancelFunc
		limited, stop = context.WithTimeout(ctx, budget)
		defer stop()
	}
	for i, jobs := range stages {
		if len(stages) > 1 {
			l.Say("stage %d of %d", i+1, len(stages))
		}
		switch _, _, err := l.Work(limited, jobs); {
		case errors.Is(err, train.ErrForeign):
			foreign = cmp.Or(foreign, err)
		case errors.Is(err, train.ErrInterrupted) && ctx.Err() == nil:
			return foreign
		case err != nil:
			return err
		}
	}
	return foreign
}

// summed trains the missing seeds of jobs and prints one line about all workers.
func summed(ctx context.Context, out io.Writer, l *run.Lab, jobs []run.Job, budget time.Duration,
	training func() error) error {
	before, err := l.Open(jobs)
	if err != nil {
		return err
	}
	began := time.Now()
	err = training()
	open, openErr := l.Open(jobs)
	if openErr != nil {
		return cmp.Or(err, openErr)
	}
	fmt.Fprintf(out, "%d more runs have a result", len(before)-len(open))
	switch spent := budget > 0 && time.Since(began) >= budget && ctx.Err() == nil; {
	case len(open) > 0 && spent:
		fmt.Fprintf(out, "; the time is up with %d to go: run the same command again to resume", len(open))
	case len(open) > 0:
		fmt.Fprintf(out, "; %d to go", len(open))
	}
	fmt.Fprintln(out)
	return err
}

// workersHere returns the best number of workers for this machine: one per core on a CPU, since small products gain
// little from a second core, and otherwise one.
func workersHere() (int, error) {
	choice, err := backend.Choose()
	if err != nil || choice.Kind != backend.KindXLACPU {
		return 1, err
	}
	return backend.Cores(), nil
}

// inWorkers runs n parallel copies of a program, each on its share of the cores. It copies their output and standard
// error to out line by line, with the number of the worker. The other workers continue after one ends. The error names
// the failed workers; it wraps [train.ErrInterrupted] if ctx ended.
func inWorkers(ctx context.Context, out io.Writer, n int, program string, args ...string) error {
	var wait sync.WaitGroup
	lines := log.New(out, "", 0) // writes whole lines
	failed := make([]error, n)
	for i := range n {
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Env = append(os.Environ(), backend.CoresVariable+"="+strconv.Itoa(max(1, backend.Cores()/n)))
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
		cmd.WaitDelay = time.Minute // to save a checkpoint
		reader, writer := io.Pipe()
		cmd.Stdout, cmd.Stderr = writer, writer
		wait.Go(func() {
			if err := cmd.Run(); err != nil {
				failed[i] = fmt.Errorf("worker %d of %d: %w; see its last lines above", i+1, n, err)
			}
			writer.Close()
		})
		wait.Go(func() {
			text := bufio.NewReader(reader)
			for line, _ := text.ReadString('\n'); line != ""; line, _ = text.ReadString('\n') {
				lines.Printf("%d│ %s", i+1, line)
			}
		})
	}
	wait.Wait()
	if ctx.Err() != nil {
		return fmt.Errorf("%w: run the same command again to resume from the checkpoints", train.ErrInterrupted)
	}
	return errors.Join(failed...)
}
