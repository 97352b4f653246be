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
		Short: "Train what figures and tables lack, one seed of everything first",
		Long: `Trains what "omm plan" lists and no kept result has, in stages: first one run of what the paper shows,
then what goes beyond it, then all runs, at the end what takes days. With names in ONLY it trains one
seed of each of their trainings, then the second seed, and so on. On a CPU each core has a worker, since
two trainings on one core each end sooner than one after the other on two; each worker takes the memory
that "omm plan" lists. Workers leave out what another process trains; "make run" starts them by nice.
With --for they stop at a checkpoint when the time is up. Ctrl-C keeps a checkpoint, too: the same
command resumes. "omm figures" and "omm tables" draw the results.`,
		Example: `  omm run --for 2h
  omm run --for 30m fig1 tab2
  omm run --profile quick`,
		RunE: func(cmd *cobra.Command, only []string) error {
			if budget < 0 {
				return wrongUse(fmt.Errorf("--for is %s; it must be positive, or left out for no limit", budget))
			}
			if workers < 0 {
				return wrongUse(fmt.Errorf("--workers is %d; it must be positive, or left out for one on each core",
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
	cmd.Flags().IntVar(&workers, "workers", 0, "processes that train side by side; 0: one for each core, on a GPU one")
	cmd.Flags().DurationVar(&budget, "for", 0, "time after which it ends at a checkpoint, as 30m or 2h; 0: no limit")
	cmd.Flags().BoolVar(&part, "part", false, "be a worker of a run")
	_ = cmd.Flags().MarkHidden("part") // there is one
	return cmd
}

// stagesOf returns what is to be trained for figures and tables: of all of them the queue, and of some one stage.
func stagesOf(l *run.Lab, entries []report.Entry) ([][]run.Job, error) {
	if len(entries) == len(everything()) {
		return artifact.Queue(l.Profile)
	}
	plans, err := report.Plans(entries, l.Profile)
	return [][]run.Job{slices.Concat(plans...)}, err
}

// work trains the jobs of one stage after the other until the budget is spent, if it is not 0, which is no error; an
// interruption by the user is one. What [train.ErrForeign] keeps from being trained is left out, and the error tells
// it once the others are trained.
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

// summed trains the missing seeds of jobs and prints in one line what became of them, in however many workers.
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
		fmt.Fprintf(out, "; the time is up with %d to go: run the same command again to go on from there", len(open))
	case len(open) > 0:
		fmt.Fprintf(out, "; %d to go", len(open))
	}
	fmt.Fprintln(out)
	return err
}

// workersHere is the number of workers that make the most of this machine: one for each core where the CPU computes,
// since small products gain little from a second core, else one.
func workersHere() (int, error) {
	choice, err := backend.Choose()
	if err != nil || choice.Kind != backend.KindXLACPU {
		return 1, err
	}
	return backend.Cores(), nil
}

// inWorkers runs a program n times side by side, each on its share of the cores, and copies their lines to out, also
// from standard error, each after the number of its worker. The end of one leaves the others at work. The error
// names those that failed; it wraps [train.ErrInterrupted] if ctx ended them.
func inWorkers(ctx context.Context, out io.Writer, n int, program string, args ...string) error {
	var wait sync.WaitGroup
	lines := log.New(out, "", 0) // writes one line at a time, with its end
	failed := make([]error, n)
	for i := range n {
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Env = append(os.Environ(), backend.CoresVariable+"="+strconv.Itoa(max(1, backend.Cores()/n)))
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
		cmd.WaitDelay = time.Minute // to save a checkpoint
		said, saying := io.Pipe()
		cmd.Stdout, cmd.Stderr = saying, saying
		wait.Go(func() {
			if err := cmd.Run(); err != nil {
				failed[i] = fmt.Errorf("worker %d of %d failed (%w); its last lines say why", i+1, n, err)
			}
			saying.Close()
		})
		wait.Go(func() {
			text := bufio.NewReader(said)
			for line, _ := text.ReadString('\n'); line != ""; line, _ = text.ReadString('\n') {
				lines.Printf("%d│ %s", i+1, line)
			}
		})
	}
	wait.Wait()
	if ctx.Err() != nil {
		return fmt.Errorf("%w: run the same command again to go on from the checkpoints", train.ErrInterrupted)
	}
	return errors.Join(failed...)
}
