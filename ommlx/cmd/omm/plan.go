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

With --gpu it adds the times of Tables 1 and 3 on an H100 and on a 24 GiB card, estimated from counted operations.

With --format it writes workers for a scheduler:
  slurm  a script for sbatch, for a checkout that compute nodes share
  k8s    a Kubernetes Job, for an image built from docker/
Each worker runs "omm run" and takes the next training that no other worker is running. All workers get the memory of
the largest training, so submit small and large trainings separately. A lost worker is restarted and resumes from its
last checkpoint, at most 30 s of training earlier. Results go to .omm/results in the checkout or in the volume, where
"omm figures" finds them.`,
		Example: `  omm plan
  omm plan --profile paper fig1
  omm plan --profile paper --gpu tab1 tab3
  omm plan --profile paper --format slurm tab2 >tab2.sh
  omm plan --profile paper --format k8s --gpu --image registry.example/omm-go:cuda tab3 >tab3.yaml`,
	}
	profile := addProfile(cmd, run.Quick)
	f := cmd.Flags()
	f.StringVar(&format, "format", "", "write workers for a scheduler: slurm or k8s")
	f.BoolVar(&gpu, "gpu", false, "estimate times on GPUs; with --format: one GPU per worker")
	f.StringVar(&image, "image", "omm-go:cpu", "container image for k8s; with --gpu it is omm-go:cuda by default")
	cmd.RunE = func(cmd *cobra.Command, only []string) error {
		if !slices.Contains([]string{"", "slurm", "k8s"}, format) {
			return usage{fmt.Errorf("--format is %q, want slurm or k8s; leave it out for a list", format)}
		}
		l, entries, err := choose(cmd, *profile, everything(), only)
		if err != nil {
			return err
		}
		plans, err := report.Plans(entries, l.Profile)
		if err != nil {
			return err
		}
		out, jobs := cmd.OutOrStdout(), slices.Concat(plans...)
		if format == "" {
			if err := writePlan(out, l, entries, plans); err != nil || !gpu {
				return err
			}
			return writeGPUPlan(out, jobs)
		}
		open, err := l.Open(jobs)
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
		return array.Write(out, format)
	}
	return cmd
}

// writePlan lists the jobs of the entries, each under the first entry that needs it, with the time left for each entry
// and for all of them.
func writePlan(out io.Writer, l *run.Lab, entries []report.Entry, plans [][]run.Job) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	seen, kept := map[string]bool{}, 0
	for i, e := range entries {
		open, err := l.Open(plans[i]) // counts shared runs once
		if err != nil {
			return err
		}
		fmt.Fprintf(table, "%s (%s profile): %s to go\n", e.Name, l.Profile, say.Left(run.Seconds(open)))
		for _, j := range plans[i] {
			if seen[j.Key] {
				continue
			}
			seen[j.Key] = true
			open, err := l.Open([]run.Job{j})
			if err != nil {
				return err
			}
			if open == nil {
				kept++
			}
			fmt.Fprintf(table, "  %s\t%s\t%d of %d kept\t%s\t%s\n", j.Key, j.Label, len(j.Seeds)-len(open),
				len(j.Seeds), say.Left(run.Seconds(open)), gibibytes(j.Cost.Memory))
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	open, err := l.Open(slices.Concat(plans...))
	fmt.Fprintf(out, "trainings: %d kept, %d open; %s to go with one worker\n", kept, len(seen)-kept,
		say.Left(run.Seconds(open)))
	return err
}

func gibibytes(bytes int64) string { return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30)) }

// cards lists the GPUs of the time estimates: one with 80 GiB and one with 24 GiB.
var cards = []struct {
	name   string
	peak   float64 // bfloat16 operations per second with float32 sums, from the data sheet, without sparsity
	memory int64   // bytes
}{{"H100", 989e12, 80 << 30}, {"RTX 4090, 24 GiB", 165e12, 24 << 30}}

// writeGPUPlan writes estimated times of jobs on GPUs, including kept ones: the counted operations over an assumed
// share of the card's peak. It skips jobs without counted operations.
func writeGPUPlan(out io.Writer, jobs []run.Job) error {
	fmt.Fprintln(out, "Time on a GPU: an estimate, not a measurement. It counts the operations of Tables 1 and 3 in "+
		"the paper profile. Convolutions of small images reach 3.6 % of a card's peak in bfloat16: a step of "+
		"ResNet-18 on 128 images, in float32, took 13.2 ms on an H100. It assumes that products of large matrices "+
		"reach 35 %, and that other cards reach the same shares.")
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	seen, sums := map[string]bool{}, make([]float64, len(cards))
	for _, j := range jobs {
		if seen[j.Key] || j.Cost.Operations == 0 {
			continue
		}
		seen[j.Key] = true
		fmt.Fprintf(table, "  %s\t%s\t%.2g operations\t%s", j.Key, j.Label, j.Cost.Operations,
			gibibytes(j.Cost.Device))
		for i, c := range cards {
			seconds := j.Cost.Operations / (j.Cost.Share * c.peak)
			sums[i] += seconds
			fmt.Fprintf(table, "\t%s: %s", c.name, say.Left(seconds))
			if j.Cost.Device > c.memory {
				fmt.Fprint(table, ", does not fit")
			}
		}
		fmt.Fprintln(table)
	}
	for i, c := range cards {
		fmt.Fprintf(table, "all on one %s: %s\n", c.name, say.Left(sums[i]))
	}
	return table.Flush()
}
