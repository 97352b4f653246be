package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/say"
)

func newPlan() *cobra.Command {
	var format, image string
	var gpu bool
	cmd := &cobra.Command{
		Use:   "plan [ONLY...]",
		Short: "List the trainings of figures and tables without training, or write a job for a scheduler",
		Long: `Lists every training that the figures and tables need under a profile: its key, the number of kept
runs, and estimates of the remaining time and of the memory. ONLY selects figures and tables by name. Nothing is
computed.

Times are for one worker on two idle cores. The line of a figure or table shows the time left for all of its runs. The
last line shows the total, in which shared runs count once.

With --format it writes workers for a scheduler:
  slurm  a script for sbatch, for a checkout that compute nodes share
  k8s    a Kubernetes Job, for an image built from docker/
Each worker runs "omm run" and takes the next training that no other worker is running. All workers get the memory of
the largest training, so submit small and large trainings separately. A lost worker is restarted and resumes from its
last checkpoint, at most 30 s of training earlier. Results go to .omm/results in the checkout or in the volume, where
"omm figures" finds them.`,
		Example: `  omm plan
  omm plan --profile paper fig1
  omm plan --profile paper --format slurm tab2 >tab2.sh
  omm plan --profile paper --format k8s --gpu --image registry.example/omm-go:cuda tab3 >tab3.yaml`,
	}
	profile := addProfile(cmd, run.Quick)
	f := cmd.Flags()
	f.StringVar(&format, "format", "", "write workers for a scheduler: slurm or k8s")
	f.BoolVar(&gpu, "gpu", false, "with --format: one GPU per worker")
	f.StringVar(&image, "image", "omm-go:cpu", "container image for k8s; with --gpu it is omm-go:cuda by default")
	cmd.RunE = func(cmd *cobra.Command, only []string) error {
		write, known := map[string]func(run.Array) string{"slurm": run.Array.Slurm,
			"k8s": run.Array.Kubernetes}[format]
		if format != "" && !known {
			return usage{fmt.Errorf("--format is %q, want slurm or k8s; leave it out for a list", format)}
		}
		l, entries, err := choose(cmd, *profile, everything(), only)
		if err != nil {
			return err
		}
		out := cmd.OutOrStdout()
		if format == "" {
			plans, err := report.Plans(entries, l.Profile)
			if err != nil {
				return err
			}
			return writePlan(out, l, entries, plans)
		}
		stages, err := stagesOf(l, entries)
		if err != nil {
			return err
		}
		open, err := l.Open(slices.Concat(stages...))
		if err != nil {
			return err
		}
		array, err := run.NewArray(l, open)
		if err != nil {
			return err
		}
		array.Only, array.GPU, array.Image = only, gpu, image
		if gpu && !f.Changed("image") {
			array.Image = "omm-go:cuda"
		}
		fmt.Fprint(out, write(array))
		return nil
	}
	return cmd
}

// writePlan lists the jobs of the entries, each under the first entry that needs it, with the time left for each entry
// and for all of them.
func writePlan(out io.Writer, l *run.Lab, entries []report.Entry, plans [][]run.Job) error {
	left := func(jobs []run.Job) (string, error) {
		open, err := l.Open(jobs) // counts shared runs once
		return say.Left(run.Seconds(open)) + " to go", err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	seen, kept := map[string]bool{}, 0
	for i, e := range entries {
		time, err := left(plans[i])
		if err != nil {
			return err
		}
		fmt.Fprintf(table, "%s (%s profile): %s\n", e.Name, l.Profile, time)
		for _, j := range plans[i] {
			if seen[j.Key] {
				continue
			}
			seen[j.Key] = true
			rest, err := j.Rest(l)
			if err != nil {
				return err
			}
			if rest.Seeds == nil {
				kept++
			}
			fmt.Fprintf(table, "  %s\t%s\t%d of %d kept\t%s\t%.1f GiB\n", j.Key, j.Label, len(j.Seeds)-len(rest.Seeds),
				len(j.Seeds), say.Left(rest.Cost.Seconds), float64(j.Cost.Memory)/(1<<30))
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	time, err := left(slices.Concat(plans...))
	fmt.Fprintf(out, "trainings: %d kept, %d open; %s with one worker\n", kept, len(seen)-kept, time)
	return err
}
