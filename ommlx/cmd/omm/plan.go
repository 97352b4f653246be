package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"operator-omm/ommlx/artifact/batch"
	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/internal/say"
)

func newPlan() *cobra.Command {
	var profile, format, image string
	var gpu bool
	cmd := &cobra.Command{
		Use:   "plan [ONLY...]",
		Short: "List the trainings that figures and tables take, without training, or write them as an array of jobs",
		Long: `Lists every training that the figures and tables need under a profile: its key, whether its result is
kept, a process is running it, it was begun, or it is open, how many of its runs are kept, and an estimate of
the time that is left and of its memory. Names in ONLY choose some. Nothing is computed.

Times are those of one worker on two idle cores. Beside the name of a figure or table is what is left of all of its
runs. The last line has what is left in all, where runs that several need count once.

With --gpu the time follows that Tables 1 and 3 would take on an H100 and on a card of 24 GiB, estimated from counted
operations.

With --format the trainings that have no result yet come as an array of tasks for a scheduler, in the order in which
"omm run" takes them:
  slurm  a script for sbatch, for a checkout that compute nodes share
  k8s    an Indexed Job of Kubernetes, for an image that docker/ builds
Every task asks for the memory of the greatest of them, so figures and tables that differ much are better submitted
apart. The scheduler starts a task again whose node is lost; it goes on from its last checkpoint, at most 30 s of
training before. Results come into .omm/results of the checkout, or of the volume, where "omm figures" finds them.`,
		Example: `  omm plan
  omm plan --profile paper fig1
  omm plan --profile paper --gpu tab1 tab3
  omm plan --profile paper --format slurm tab2 >tab2.sh
  omm plan --profile paper --format k8s --gpu --image registry.example/operator-omm:cuda tab3 >tab3.yaml`,
		RunE: func(cmd *cobra.Command, only []string) error {
			if image != "" && format != "k8s" {
				return wrongUse(fmt.Errorf("--image is for --format k8s alone"))
			}
			l, entries, err := choose(cmd, profile, everything(), only)
			if err != nil {
				return err
			}
			out := cmd.OutOrStdout()
			switch format {
			case "slurm", "k8s":
				array, err := arrayOf(l, entries)
				if err != nil {
					return err
				}
				array.GPU = gpu
				text := ""
				if format == "slurm" {
					text, err = array.Slurm()
				} else {
					array.Image = cmp.Or(image, map[bool]string{true: "operator-omm:cuda"}[gpu], "operator-omm:cpu")
					text, err = array.Kubernetes()
				}
				if err == nil {
					_, err = io.WriteString(out, text)
				}
				return err
			case "":
				if err := writePlan(out, l, entries); err != nil || !gpu {
					return err
				}
				return writeGPUPlan(out, l, entries)
			}
			return wrongUse(fmt.Errorf("--format is %q; it must be slurm or k8s, or left out for a list", format))
		},
	}
	addProfile(cmd, &profile, lab.Quick)
	f := cmd.Flags()
	f.StringVar(&format, "format", "", "write an array of tasks for a scheduler: slurm or k8s")
	f.BoolVar(&gpu, "gpu", false, "the time on GPUs, estimated; with --format: each task has a GPU")
	f.StringVar(&image, "image", "", "of the containers of k8s (default operator-omm:cpu, or :cuda with --gpu)")
	return cmd
}

// writePlan lists the jobs of the entries, each under the first entry that needs it, with the time left for each entry
// and for all of them.
func writePlan(out io.Writer, l *lab.Lab, entries []report.Entry) error {
	plans, err := report.Plans(entries, l.Profile)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	seen, count := map[string]bool{}, map[lab.State]int{}
	for i, e := range entries {
		open, err := l.Open(plans[i])
		if err != nil {
			return err
		}
		left := say.Left(lab.Seconds(open)) + " to go"
		if len(plans[i]) == 0 {
			left = "no training"
		} else if len(open) == 0 {
			left = "all kept"
		}
		fmt.Fprintf(table, "%s (%s profile): %s\n", e.Name, l.Profile, left)
		for _, j := range plans[i] {
			if seen[j.Key] {
				continue
			}
			seen[j.Key] = true
			state, rest, err := l.Progress(j)
			if err != nil {
				return err
			}
			count[state]++
			fmt.Fprintf(table, "  %s\t%s\t%s\t%d of %d\t%s\t%.1f GiB\n", j.Key, j.Label, state,
				len(j.Seeds)-len(rest.Seeds), len(j.Seeds), say.Left(rest.Cost.Seconds),
				float64(j.Cost.Memory)/(1<<30))
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	var states []string
	for _, s := range lab.States() {
		if count[s] > 0 {
			states = append(states, fmt.Sprintf("%d %s", count[s], s))
		}
	}
	open, err := l.Open(slices.Concat(plans...)) // a run that several need once
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "trainings: %s; time to go: %s with one worker\n", cmp.Or(strings.Join(states, ", "), "none"),
		say.Left(lab.Seconds(open)))
	return nil
}

// arrayOf is what is open of these figures and tables, in the order in which they are trained.
func arrayOf(l *lab.Lab, entries []report.Entry) (batch.Array, error) {
	stages, err := stagesOf(l, entries)
	if err != nil {
		return batch.Array{}, err
	}
	var open []lab.Job
	listed := map[string]bool{}
	for _, jobs := range stages {
		some, err := l.Open(jobs)
		if err != nil {
			return batch.Array{}, err
		}
		for _, j := range some {
			if !listed[j.Key] {
				open, listed[j.Key] = append(open, j), true
			}
		}
	}
	return batch.New(l, open)
}
