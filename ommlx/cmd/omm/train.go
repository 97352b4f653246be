package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

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
as the "config" of a kept result. It trains again what figures/kept contains. Results are kept in .omm/results of
the checkout, or of the working directory outside a checkout; the same command then prints them. Ctrl-C keeps a
checkpoint, from which the same command resumes. The exit code is 3 if every run diverged.

Environments: ` + strings.Join(gridworld.Names(), ", "),
		Example: `  omm train --env GridRoom-4 --steps 4000
  omm train --env GridMaze-19 --method allo --runs 4
  omm train --config experiment.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root, err := fsx.Checkout()
			if errors.Is(err, fsx.ErrNoCheckout) {
				root, err = os.Getwd()
			}
			if err != nil {
				return err
			}
			// Without a profile, since the user chooses the numbers.
			l := &run.Lab{Root: root, Out: cmd.OutOrStdout(), IgnoreCommitted: true}
			var e run.Experiment
			switch {
			case config != "" && cmd.Flags().NFlag() > 1:
				err = errors.New("--config FILE contains every setting; leave out the other flags")
			case config != "":
				e, err = configured(config)
			case runs < 1 || runs > 1_000:
				err = fmt.Errorf("--runs %d out of range [1, 1000]", runs)
			default:
				e = rl.Paper(environment, method, k, runs).WithSteps(steps)
				err = run.Check(e)
			}
			if err != nil {
				return usage{err}
			}
			return trainOne(cmd.Context(), l, e)
		},
	}
	f := cmd.Flags()
	f.StringVar(&environment, "env", "GridRoom-4", "environment")
	f.StringVar(&method, "method", "omm_seq", "objective")
	f.StringVar(&config, "config", "", "JSON file with the whole configuration, instead of the other flags")
	f.IntVar(&k, "k", 11, "number of eigenfunctions")
	f.IntVar(&runs, "runs", 1, "independent runs, with seeds 1, 2, …")
	f.IntVar(&steps, "steps", 80_000, "optimiser steps")
	return cmd
}

// configured reads and checks the experiment in a file.
func configured(file string) (e run.Experiment, err error) {
	text, err := os.ReadFile(file)
	if err == nil {
		e, err = artifact.ReadExperiment(text)
	}
	if err == nil {
		err = run.Check(e)
	}
	if err != nil {
		err = fmt.Errorf("--config %s: %w", file, err)
	}
	return e, err
}

// trainOne runs an experiment and prints how each run ended. The error wraps [train.ErrDiverged] if every run diverged.
func trainOne(ctx context.Context, l *run.Lab, e run.Experiment) error {
	r, err := run.Run(ctx, l, e)
	if err != nil {
		return err
	}
	summaries, err := r.Summaries(e)
	if err != nil {
		return err
	}
	l.Say("result %s", run.Key(e))
	diverged := 0
	for _, s := range summaries {
		if s.Diverged > 0 {
			diverged++
			s.Text = fmt.Sprintf("diverged at step %d; at the last finite step, %s", s.Diverged, s.Text)
		}
		l.Say("%s seed %d: %s", e.Label(), s.Seed, s.Text)
	}
	if diverged == len(summaries) {
		return fmt.Errorf("%s: %w; lower the learning rate, or a factor of the loss such as shift or barrier, in a "+
			"configuration for --config", e.Label(), train.ErrDiverged)
	}
	return nil
}
