package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"omm-go/ommlx/artifact"
	"omm-go/ommlx/artifact/rl"
	"omm-go/ommlx/artifact/rl/gridworld"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/train"
)

func newTrain() *cobra.Command {
	var environment, method, config string
	var k, runs, steps int
	cmd := &cobra.Command{
		Use:   "train",
		Short: "Train one experiment and print its score",
		Long: `Trains a method on a grid world with the paper's protocol (Section 3.1), and prints the average cosine
similarity of each run. With --config FILE it trains the experiment with the configuration in a JSON file, such
as the "config" of a kept result with other numbers. Results are kept in .omm/results of the checkout, or of the
working directory outside a checkout. Ctrl-C keeps a checkpoint, from which the same command resumes. The exit
code is 3 if every run diverged.

Environments: ` + strings.Join(gridworld.Names(), ", "),
		Example: `  omm train --env GridRoom-4 --steps 4000
  omm train --env GridMaze-19 --method allo --runs 4
  omm train --config experiment.json`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root, err := fsx.Checkout()
			if errors.Is(err, fsx.ErrNoCheckout) {
				root, err = os.Getwd()
			}
			if err != nil {
				return err
			}
			l := laboratoryIn(cmd, root, "") // without a profile: the user chooses the numbers
			var job run.Job
			switch {
			case config != "":
				job, err = configured(config)
			case runs < 1 || runs > 1_000:
				err = fmt.Errorf("--runs %d out of range [1, 1000]", runs)
			default:
				e := rl.Paper(environment, method, k, runs).WithSteps(steps)
				if err = e.Validate(); err == nil {
					job, err = run.NewJob(e)
				}
			}
			if err != nil {
				return wrongUse(err)
			}
			return trainJob(cmd.Context(), l, job)
		},
	}
	f := cmd.Flags()
	f.StringVar(&environment, "env", "GridRoom-4", "environment")
	f.StringVar(&method, "method", "omm_seq", "objective")
	f.StringVar(&config, "config", "", "JSON file with the whole configuration, instead of the other flags")
	f.IntVar(&k, "k", 11, "number of eigenfunctions")
	f.IntVar(&runs, "runs", 1, "independent runs, with seeds 1, 2, …")
	f.IntVar(&steps, "steps", 80_000, "optimiser steps")
	for _, name := range []string{"env", "method", "k", "runs", "steps"} { // the configuration contains them
		cmd.MarkFlagsMutuallyExclusive("config", name)
	}
	return cmd
}

// configured returns the experiment with the configuration in a file.
func configured(file string) (run.Job, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return run.Job{}, fmt.Errorf("reading the configuration: %w", err)
	}
	job, err := artifact.ReadJob(text)
	if err != nil {
		return run.Job{}, fmt.Errorf("%s: %w", file, err)
	}
	return job, nil
}

// trainJob runs a job and prints the outcome of each run. The error wraps [train.ErrDiverged] if every run diverged.
func trainJob(ctx context.Context, l *run.Lab, job run.Job) error {
	_, missing, err := job.Result(l)
	if err != nil {
		return err
	}
	if err := job.Run(ctx, l); err != nil {
		return err
	}
	r, _, err := job.Result(l)
	if err != nil {
		return err
	}
	if origin := r.Trained(); len(missing) == 0 {
		l.Say("kept result %s, trained at %s on %s at commit %s", job.Key,
			origin.Finished.Format(time.DateTime), origin.Device, origin.Commit)
	}
	var diverged []int // steps at which runs diverged
	for _, run := range r.Outcomes() {
		end := ""
		if run.Diverged > 0 {
			end = fmt.Sprintf("diverged at step %d; at the last finite step, ", run.Diverged)
			diverged = append(diverged, run.Diverged)
		}
		l.Say("%s seed %d: %s%s", job.Label, run.Seed, end, run.Score)
	}
	if len(diverged) == len(job.Seeds) {
		return fmt.Errorf("%s: %w, the first at step %d; lower the learning rate, or a factor of the loss such as "+
			"shift or barrier, in a configuration for --config", job.Label, train.ErrDiverged, slices.Min(diverged))
	}
	return nil
}
