package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"omm-go/ommlx/artifact"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/train"
)

func newRun() *cobra.Command {
	var budget time.Duration
	cmd := &cobra.Command{
		Use:   "run [ONLY...]",
		Short: "Train missing results of figures and tables, one seed of everything first",
		Long: `Trains the runs in "omm plan" without a kept result, in stages: first one run of each training in the
paper, then additional experiments, then all runs, and last the trainings that take days. With names in
ONLY it trains the first seed of each of their trainings, then the second seeds, and so on. It skips what
another process trains: start it several times for several workers, each with the memory that "omm plan"
lists, as "make run" does. With --for it stops at a checkpoint when the time is up. Ctrl-C also keeps a
checkpoint; the same command resumes. "omm figures" and "omm tables" draw the results.`,
		Example: `  omm run --for 2h
  omm run --for 30m fig1 tab2
  omm run --profile quick`,
	}
	profile := addProfile(cmd, run.Paper)
	cmd.Flags().DurationVar(&budget, "for", 0, "time limit, such as 30m or 2h, after which it stops at a checkpoint; "+
		"0: no limit")
	cmd.RunE = func(cmd *cobra.Command, only []string) error {
		if budget < 0 {
			return usage{fmt.Errorf("--for is %s, want a positive time; leave it out for no limit", budget)}
		}
		l, exhibits, err := choose(cmd, *profile, everything(), only)
		if err != nil {
			return err
		}
		stages := [][]run.Experiment{report.Planned(l.Profile, exhibits...)}
		if len(exhibits) == len(everything()) {
			stages = artifact.Queue(l.Profile)
		}
		return work(cmd.Context(), l, stages, budget)
	}
	return cmd
}

// work trains experiments stage by stage and prints the number of runs that are left. A budget that is not 0 limits the
// time; reaching it is not an error, but an interruption by the user is. work skips trainings with [train.ErrForeign],
// and returns that error after the others.
func work(ctx context.Context, l *run.Lab, stages [][]run.Experiment, budget time.Duration) (foreign error) {
	limited := ctx
	if budget > 0 {
		var stop context.CancelFunc
		limited, stop = context.WithTimeout(ctx, budget)
		defer stop()
	}
	for i, stage := range stages {
		l.Say("stage %d of %d", i+1, len(stages))
		err := l.Work(limited, stage)
		if errors.Is(err, train.ErrInterrupted) && ctx.Err() == nil {
			break
		}
		if err != nil && !errors.Is(err, train.ErrForeign) {
			return err
		}
		foreign = cmp.Or(foreign, err)
	}
	open, err := l.Open(slices.Concat(stages...))
	l.Say("%d runs to go; the same command continues", len(open))
	return cmp.Or(foreign, err)
}
