package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"operator-omm/ommlx/artifact"
	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/train"
)

func newRun() *cobra.Command {
	var profile string
	var budget time.Duration
	var workers int
	var part bool
	var keys []string
	cmd := &cobra.Command{
		Use:   "run [ONLY...]",
		Short: "Train what is missing for figures and tables, one seed of everything first",
		Long: `Trains what "omm plan" lists and no kept result has, in stages: the reading of the paper that comes
nearest, one run of what the paper shows, the other readings ("choices"), all of its runs, and what takes days. With
names in ONLY: one seed of every training of theirs, then the second seed, and so on. On a CPU there is a worker for
each core, since on two cores two trainings side by side end sooner than one after the other; each takes the memory
that "omm plan" lists. Workers leave out what another process is at work on; "make run" starts them by nice. With
--for they end at a checkpoint when the time is up. Ctrl-C keeps a checkpoint, too: the same command goes on from
there. Figures and tables are drawn by "omm figures" and "omm tables".

With --key one worker trains what has these keys alone, and waits for what another process is at work on: after it
their results are there. The arrays that "omm plan --format" writes call it so.`,
		Example: `  omm run --for 2h
  omm run --for 30m fig1 tab2
  omm run --profile quick`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, only []string) error {
			if budget < 0 {
				return wrongUse{fmt.Errorf("--for is %s; it must be positive, or left out for no limit", budget)}
			}
			if workers < 0 {
				return wrongUse{fmt.Errorf("--workers is %d; it must be positive, or left out for one on each core",
					workers)}
			}
			l, err := newLaboratory(cmd, profile)
			if err != nil {
				return wrongUse{err}
			}
			if len(keys) > 0 {
				return finish(cmd.Context(), cmd.OutOrStdout(), l, only, keys)
			}
			entries, err := selectAll(only)
			if err != nil {
				return wrongUse{err}
			}
			if !part {
				report.Prepare(cmd.Context(), l, entries)
			}
			stages, err := stagesOf(only, l.Profile)
			if err != nil {
				return err
			}
			if !part {
				if err := leaveOut(l, slices.Concat(stages...)); err != nil {
					return err
				}
			}
			if workers == 0 {
				if workers, err = workersHere(); err != nil {
					return err
				}
			}
			if workers > 1 {
				self, err := os.Executable()
				if err != nil {
					return fmt.Errorf("starting workers: %w", err)
				}
				args := []string{"run", "--part", "--workers", "1", "--profile", profile, "--for", budget.String(),
					"--"}
				return together(cmd.Context(), cmd.OutOrStdout(), l, stages, budget, workers, self,
					append(args, only...)...)
			}
			return work(cmd.Context(), cmd.OutOrStdout(), l, stages, budget)
		},
	}
	cmd.Flags().StringVar(&profile, "profile", string(lab.Paper), "how much is computed: smoke, quick or paper")
	cmd.Flags().IntVar(&workers, "workers", 0, "processes that train side by side; 0: one for each core, on a GPU one")
	cmd.Flags().DurationVar(&budget, "for", 0, "time after which it ends at a checkpoint, as 30m or 2h; 0: no limit")
	cmd.Flags().BoolVar(&part, "part", false, "be a worker of a run, which has prepared the data")
	_ = cmd.Flags().MarkHidden("part") // there is one
	cmd.Flags().StringSliceVar(&keys, "key", nil, "train what has this key, or these, with commas")
	cmd.MarkFlagsMutuallyExclusive("key", "workers") // a run of keys is one worker
	cmd.MarkFlagsMutuallyExclusive("key", "for")     // and ends when all of them have a result
	return cmd
}

// selectAll returns the figures and tables of these names in their order, or all of them without a name.
func selectAll(names []string) ([]report.Entry, error) {
	return report.Select(slices.Concat(artifact.Figures(), artifact.Tables()), names)
}

func jobsOf(entries []report.Entry, p lab.Profile) ([]lab.Job, error) {
	plans, err := report.Plans(entries, p)
	return slices.Concat(plans...), err
}

// stagesOf returns what is to be trained for figures and tables of these names, or the whole queue without a name.
func stagesOf(names []string, p lab.Profile) ([][]lab.Job, error) {
	if len(names) == 0 {
		return artifact.Queue(p)
	}
	entries, err := selectAll(names)
	if err != nil {
		return nil, wrongUse{err}
	}
	jobs, err := jobsOf(entries, p)
	return [][]lab.Job{jobs}, err
}

// leaveOut says which runs cannot be trained for want of data. It is an error if there are no others to train.
func leaveOut(l *lab.Lab, jobs []lab.Job) error {
	open, err := l.Open(jobs)
	if err != nil {
		return err
	}
	ready, left := lab.Ready(open)
	if left != "" && len(ready) == 0 {
		return fmt.Errorf("nothing is left that can be trained here: %s", left)
	} else if left != "" {
		l.Say("left out: %s", left)
	}
	return nil
}

// work trains the jobs of one stage after the other until the budget is spent, if it is not 0, and says what became of
// them. A spent budget is no error, an interruption by the user is one. What [train.ErrForeign] keeps from being
// trained is left out, and the error tells it once the others are trained.
func work(ctx context.Context, out io.Writer, l *lab.Lab, stages [][]lab.Job, budget time.Duration) error {
	limited := ctx
	if budget > 0 {
		var stop context.CancelFunc
		limited, stop = context.WithTimeout(ctx, budget)
		defer stop()
	}
	var done lab.Worked // left are those of the last stage that it came to
	var foreign, err error
	for i, jobs := range stages {
		if len(stages) > 1 {
			l.Say("stage %d of %d", i+1, len(stages))
		}
		var some lab.Worked
		some, err = l.Work(limited, jobs)
		done.Trained, done.Elsewhere, done.Left = done.Trained+some.Trained, done.Elsewhere+some.Elsewhere, some.Left
		if errors.Is(err, train.ErrForeign) {
			foreign, err = cmp.Or(foreign, err), nil
		}
		if err != nil {
			break
		}
	}
	spent := errors.Is(err, train.ErrInterrupted) && ctx.Err() == nil
	if err != nil && !spent {
		return err
	}
	fmt.Fprintf(out, "trained %d runs", done.Trained)
	if done.Elsewhere > 0 {
		fmt.Fprintf(out, ", left %d to other processes", done.Elsewhere)
	}
	if spent {
		fmt.Fprintf(out, timeIsUp, done.Left, map[bool]string{true: " in this stage"}[len(stages) > 1])
	}
	fmt.Fprintln(out)
	return foreign
}

// timeIsUp says what to do with the runs that a budget left.
const timeIsUp = "; the time is up with %d to go%s: run the same command again to go on from there"

// together runs a program, which is to be [work] of these stages, in workers, and says in one line what became of all
// runs: each worker knows its own alone, and its sibling's are to go for it.
func together(ctx context.Context, out io.Writer, l *lab.Lab, stages [][]lab.Job, budget time.Duration, workers int,
	program string, args ...string) error {
	jobs := slices.Concat(stages...)
	before, err := l.Open(jobs)
	if err != nil {
		return err
	}
	began := time.Now()
	err = inWorkers(ctx, out, workers, program, args...)
	open, openErr := l.Open(jobs)
	if openErr != nil {
		return cmp.Or(err, openErr)
	}
	fmt.Fprintf(out, "%d more runs have a result", len(before)-len(open))
	open, _ = lab.Ready(open)
	switch spent := budget > 0 && time.Since(began) >= budget && ctx.Err() == nil; {
	case len(open) > 0 && spent:
		fmt.Fprintf(out, timeIsUp, len(open), "")
	case len(open) > 0:
		fmt.Fprintf(out, "; %d to go", len(open))
	}
	fmt.Fprintln(out)
	return err
}

// finish trains what has these keys among the jobs of figures and tables of these names, or of all without a name.
func finish(ctx context.Context, out io.Writer, l *lab.Lab, names, keys []string) error {
	entries, err := selectAll(names)
	if err != nil {
		return wrongUse{err}
	}
	jobs, err := jobsOf(entries, l.Profile)
	if err != nil {
		return err
	}
	done, err := l.Finish(ctx, jobs, keys)
	if errors.Is(err, lab.ErrUnknown) {
		return wrongUse{fmt.Errorf("%w under the %s profile; plan again with the program that trains", err, l.Profile)}
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "trained %d runs\n", done.Trained)
	return nil
}
