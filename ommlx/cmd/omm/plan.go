package main

import (
	"errors"
	"fmt"
	"io"
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
		l, exhibits, err := choose(cmd, *profile, everything(), only)
		if err != nil {
			return err
		}
		if gpu && !f.Changed("image") {
			image = "omm-go:cuda"
		}
		switch format {
		case "":
			if gpu || f.Changed("image") {
				return usage{errors.New("--gpu and --image describe workers; add --format slurm or --format k8s")}
			}
			return writePlan(cmd.OutOrStdout(), l, exhibits)
		case "slurm", "k8s":
			workers, err := run.NewArray(l, report.Planned(l.Profile, exhibits...))
			if err != nil {
				return err
			}
			workers.Only, workers.GPU, workers.Image = only, gpu, image
			return workers.Write(cmd.OutOrStdout(), format)
		}
		return usage{fmt.Errorf("--format is %q, want slurm or k8s; leave it out for a list", format)}
	}
	return cmd
}

// writePlan lists the experiments of exhibits, each under the first exhibit that needs it, with the time left for each
// exhibit and for all of them.
func writePlan(out io.Writer, l *run.Lab, exhibits []report.Exhibit) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	seen, kept := map[string]bool{}, 0
	for _, x := range exhibits {
		planned := report.Planned(l.Profile, x)
		open, err := l.Open(planned) // counts shared runs once
		if err != nil {
			return err
		}
		fmt.Fprintf(table, "%s (%s profile): %s to go\n", x.Name, l.Profile, say.Left(run.Seconds(open)))
		for _, e := range planned {
			key := run.Key(e)
			if seen[key] {
				continue
			}
			seen[key] = true
			open, err := l.Open([]run.Experiment{e})
			if err != nil {
				return err
			}
			if open == nil {
				kept++
			}
			runs := len(e.RunSeeds())
			fmt.Fprintf(table, "  %s\t%s\t%d of %d kept\t%s\t%.1f GiB\n", key, e.Label(), runs-len(open), runs,
				say.Left(run.Seconds(open)), float64(e.Cost().Memory)/(1<<30))
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	open, err := l.Open(report.Planned(l.Profile, exhibits...))
	fmt.Fprintf(out, "trainings: %d kept, %d open; %s to go with one worker\n", kept, len(seen)-kept,
		say.Left(run.Seconds(open)))
	return err
}
