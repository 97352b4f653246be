package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"operator-omm/ommlx/artifact"
	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/rl"
	"operator-omm/ommlx/gridworld"
	"operator-omm/ommlx/internal/fsx"
	"operator-omm/ommlx/train"
)

func newTrain() *cobra.Command {
	var o trainOptions
	cmd := &cobra.Command{
		Use:   "train",
		Short: "Train one experiment and print its score",
		Long: `Trains a method on a grid world with the paper's protocol (Section 3.1), changed by the flags that are
given, and prints the average cosine similarity of each run. With --config FILE it trains the experiment whose
configuration is in a JSON file, as the "config" of a kept result is. The result is kept in .omm/results of
the checkout, or of the working directory outside of one; Ctrl-C keeps a checkpoint and the same command goes
on from there. The exit code is 3 where every run diverged.

Environments: ` + strings.Join(gridworld.Names(), ", "),
		Example: `  omm train --env GridRoom-4 --steps 4000
  omm train --env GridMaze-19 --method allo --runs 4 --barrier 1 --barrier-rate 0.1
  omm train --env GridRoom-4 --k 50 --gamma 0 --shift 1
  omm train --env GridRoom-4 --k 50 --shift 1 --overlap states
  omm train --config experiment.json`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root, err := fsx.Work()
			if err != nil {
				return err
			}
			l, err := laboratoryIn(cmd, root, o.profile)
			if err != nil {
				return wrongUse{err}
			}
			job, err := o.job(cmd)
			if err != nil {
				return wrongUse{err}
			}
			return trainJob(cmd.Context(), cmd.OutOrStdout(), l, job)
		},
	}
	o.register(cmd)
	return cmd
}

// trainJob runs a job and prints how its runs ended. The error wraps [train.ErrDiverged] where all of them diverged.
func trainJob(ctx context.Context, out io.Writer, l *lab.Lab, job lab.Job) error {
	_, kept, err := job.Result(l)
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
	origin, _ := r.Trained()
	if kept {
		fmt.Fprintf(out, "kept result %s, trained at %s on %s at commit %s\n",
			job.Key, origin.Finished.Format(time.DateTime), origin.Device, origin.Commit)
	}
	first, finite := math.MaxInt, false
	for _, run := range r.Outcomes() {
		if run.Diverged > 0 {
			fmt.Fprintf(out, "%s seed %d: diverged at step %d; where it was last finite, %s\n",
				job.Label, run.Seed, run.Diverged, run.Score)
			first = min(first, run.Diverged)
			continue
		}
		finite = true
		fmt.Fprintf(out, "%s seed %d: %s\n", job.Label, run.Seed, run.Score)
	}
	if !finite {
		return fmt.Errorf("%s: %w, the first at step %d; lower the learning rate, or what multiplies the loss, as "+
			"--shift and --barrier do", job.Label, train.ErrDiverged, first)
	}
	return nil
}

// trainOptions are the numbers and names of a command line.
type trainOptions struct {
	environment, method, profile, config string
	rl.Overrides
}

func (o *trainOptions) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.environment, "env", "GridRoom-4", "environment")
	f.StringVar(&o.method, "method", "omm_seq", "objective")
	f.StringVar(&o.profile, "profile", string(lab.Quick), "recorded in the result; changes nothing else")
	f.StringVar(&o.config, "config", "",
		"JSON file with the whole configuration, in the place of the flags above and below")
	f.IntVar(&o.K, "k", 11, "number of eigenfunctions")
	f.IntVar(&o.Runs, "runs", 1, "independent runs, seeds 1, 2, …")
	f.IntVar(&o.Steps, "steps", 80_000, "optimiser steps")
	f.IntVar(&o.Batch, "batch", 1024, "pairs of a minibatch")
	f.IntVar(&o.Transitions, "transitions", 0, "size of the data; 0: the paper's 10⁶, for k ≥ 50 5·10⁶")
	f.Float64Var(&o.Gamma, "gamma", rl.Reproduces.Gamma, "discount of the pair law; 0: one-step pairs")
	f.Float64Var(&o.Shift, "shift", 0, fmt.Sprintf("κ in T = P + κI; not for ALLO (default %g, for ALLO 0)",
		rl.Reproduces.Shift))
	f.StringVar((*string)(&o.Expectation), "expectation", string(rl.Minibatch), "minibatch, all_pairs or exact")
	f.StringVar((*string)(&o.Overlap), "overlap", "",
		fmt.Sprintf("what M[f] is from: empty for the pairs' first ends, ends for both, state or states for one or "+
			"two further batches; not for ALLO, or without a minibatch (default %s)", rl.Reproduces.Overlap))
	f.Lookup("overlap").Annotations = map[string][]string{mayBeEmpty: nil}
	f.Float64Var(&o.Barrier, "barrier", 0, fmt.Sprintf("ALLO's b; 0: the paper's, %g", rl.PaperBarrier))
	f.Float64Var(&o.BarrierRate, "barrier-rate", 0,
		fmt.Sprintf("ALLO's α_barrier; 0: the paper's, %g", rl.PaperBarrierRate))
}

// job returns what is asked for.
func (o *trainOptions) job(cmd *cobra.Command) (lab.Job, error) {
	if o.config == "" {
		e, err := o.experiment(cmd.Flags().Changed)
		if err != nil {
			return lab.Job{}, err
		}
		return lab.NewJob(e)
	}
	for _, name := range []string{
		"env", "method", "k", "runs", "steps", "batch", "transitions",
		"gamma", "shift", "expectation", "overlap", "barrier", "barrier-rate",
	} {
		if cmd.Flags().Changed(name) {
			return lab.Job{}, fmt.Errorf("--%s and --config are both given; the configuration has every number, "+
				"so leave out one of the two", name)
		}
	}
	text, err := os.ReadFile(o.config)
	if err != nil {
		return lab.Job{}, fmt.Errorf("the configuration cannot be read: %w", err)
	}
	job, err := artifact.ReadJob(text)
	if err != nil {
		return lab.Job{}, fmt.Errorf("%s: %w", o.config, err)
	}
	return job, nil
}

// experiment returns what the flags ask for. The limits are far above the paper's numbers: beyond them a slip of the
// finger would take all memory. Steps are counted in 32 bits on the device.
func (o *trainOptions) experiment(given func(flag string) bool) (rl.Experiment, error) {
	for _, limit := range []struct {
		name         string
		value, limit int
	}{
		{"runs", o.Runs, 1_000}, {"steps", o.Steps, math.MaxInt32}, {"batch", o.Batch, 1 << 20},
		{"transitions", o.Transitions, 100_000_000},
	} {
		if limit.value > limit.limit {
			return rl.Experiment{}, fmt.Errorf("--%s is %d; it must be at most %d",
				limit.name, limit.value, limit.limit)
		}
	}
	if o.Transitions < 0 {
		return rl.Experiment{}, fmt.Errorf("--transitions is %d; it must be at least 1, or 0 for the paper's number",
			o.Transitions)
	}
	paper := rl.Paper(o.environment, o.method, o.K, 1)
	if !given("shift") {
		o.Shift = paper.Shift
	}
	if !given("overlap") && o.Expectation == rl.Minibatch {
		o.Overlap = paper.Overlap
	}
	return rl.Configure(o.environment, o.method, o.Overrides)
}
