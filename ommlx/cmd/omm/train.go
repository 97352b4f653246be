package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"operator-omm/ommlx/artifact"
	"operator-omm/ommlx/gridworld"
)

func newTrain() *cobra.Command {
	var o trainOptions
	cmd := &cobra.Command{
		Use:   "train",
		Short: "Train one experiment on a grid world and print its score",
		Long: `Trains a method on a grid world with the paper's protocol (Section 3.1), changed by the flags that are given,
and prints the average cosine similarity of each run. The result is kept in .omm/results; Ctrl-C keeps a
checkpoint and the same command goes on from there.

Environments: ` + strings.Join(gridworld.Names(), ", "),
		Example: `  omm train --env GridRoom-4 --steps 4000
  omm train --env GridMaze-19 --method allo --runs 4
  omm train --env GridRoom-4 --k 50 --gamma 0 --shift 1`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			lab, err := newLaboratory(cmd, o.profile)
			if err != nil {
				return wrongUse{err}
			}
			l, err := o.experiment()
			if err != nil {
				return wrongUse{err}
			}
			results, err := lab.TrainAll(cmd.Context(), []artifact.Laplacian{l})
			if err != nil {
				return err
			}
			for _, run := range results[0].Runs {
				fmt.Fprintf(cmd.OutOrStdout(), "%s %s seed %d: average cosine similarity %.4f over %d modes %s\n",
					o.environment, o.method, run.Seed, run.Average, l.K, run.Note)
			}
			return nil
		},
	}
	o.register(cmd)
	return cmd
}

// trainOptions are the numbers and names of a command line.
type trainOptions struct {
	environment, method, profile string
	artifact.Overrides
}

func (o *trainOptions) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.environment, "env", "GridRoom-4", "environment")
	f.StringVar(&o.method, "method", "omm_seq", "objective")
	f.StringVar(&o.profile, "profile", string(artifact.Quick), "recorded in the result; changes nothing else")
	f.IntVar(&o.K, "k", 11, "number of eigenfunctions")
	f.IntVar(&o.Runs, "runs", 1, "independent runs, seeds 1, 2, …")
	f.IntVar(&o.Steps, "steps", 80_000, "optimiser steps")
	f.IntVar(&o.Batch, "batch", 1024, "pairs of a minibatch")
	f.IntVar(&o.Transitions, "transitions", 0, "size of the data; 0: the paper's 10⁶, for k ≥ 50 5·10⁶")
	f.Float64Var(&o.Gamma, "gamma", artifact.Reproduces.Gamma, "discount of the pair law; 0: one-step pairs")
	f.Float64Var(&o.Shift, "shift", artifact.Reproduces.Shift, "κ in T = P + κI")
	f.StringVar((*string)(&o.Expectation), "expectation", string(artifact.Minibatch), "minibatch, all_pairs or exact")
}

// experiment returns what is asked for. Beyond the limits here, which are far above the paper's numbers, a slip of the
// finger would take all memory; steps are counted in 32 bits on the device.
func (o *trainOptions) experiment() (artifact.Laplacian, error) {
	for _, limit := range []struct {
		name         string
		value, limit int
	}{
		{"runs", o.Runs, 1_000}, {"steps", o.Steps, math.MaxInt32}, {"batch", o.Batch, 1 << 20}, {"transitions", o.Transitions, 100_000_000},
	} {
		if limit.value > limit.limit {
			return artifact.Laplacian{}, fmt.Errorf("--%s is %d; it must be at most %d", limit.name, limit.value, limit.limit)
		}
	}
	return artifact.Configure(o.environment, o.method, o.Overrides)
}
