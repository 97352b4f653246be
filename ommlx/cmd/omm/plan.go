package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/say"
)

func newPlan() *cobra.Command {
	var profile, format, image string
	var gpu bool
	cmd := &cobra.Command{
		Use:   "plan [ONLY...]",
		Short: "List the trainings of figures and tables without training, or write a job for a scheduler",
		Long: `Lists every training that the figures and tables need under a profile: its key, its state (kept, running,
begun or open), the number of kept runs, and estimates of the remaining time and of the memory. ONLY selects figures
and tables by name. Nothing is computed.

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
		RunE: func(cmd *cobra.Command, only []string) error {
			switch {
			case image != "" && format != "k8s":
				return wrongUse(errors.New("--image needs --format k8s"))
			case format != "" && format != "slurm" && format != "k8s":
				return wrongUse(fmt.Errorf("--format is %q, want slurm or k8s; leave it out for a list", format))
			}
			l, entries, err := choose(cmd, profile, everything(), only)
			if err != nil {
				return err
			}
			out := cmd.OutOrStdout()
			if format == "" {
				if err := writePlan(out, l, entries); err != nil || !gpu {
					return err
				}
				return writeGPUPlan(out, l, entries)
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
			array.Only = only
			array.GPU = gpu
			array.Image = cmp.Or(image, map[bool]string{true: "omm-go:cuda"}[gpu], "omm-go:cpu")
			write := array.Slurm
			if format == "k8s" {
				write = array.Kubernetes
			}
			text, err := write()
			fmt.Fprint(out, text)
			return err
		},
	}
	addProfile(cmd, &profile, run.Quick)
	f := cmd.Flags()
	f.StringVar(&format, "format", "", "write workers for a scheduler: slurm or k8s")
	f.BoolVar(&gpu, "gpu", false, "estimate times on GPUs; with --format: one GPU per worker")
	f.StringVar(&image, "image", "", "container image for k8s (default omm-go:cpu, or omm-go:cuda with --gpu)")
	return cmd
}

// writePlan lists the jobs of the entries, each under the first entry that needs it, with the time left for each entry
// and for all of them.
func writePlan(out io.Writer, l *run.Lab, entries []report.Entry) error {
	plans, err := report.Plans(entries, l.Profile)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	seen, count := map[string]bool{}, map[run.State]int{}
	for i, e := range entries {
		open, err := l.Open(plans[i])
		if err != nil {
			return err
		}
		left := say.Left(run.Seconds(open)) + " to go"
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
	for _, s := range run.States() {
		if count[s] > 0 {
			states = append(states, fmt.Sprintf("%d %s", count[s], s))
		}
	}
	open, err := l.Open(slices.Concat(plans...)) // counts shared runs once
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "trainings: %s; time to go: %s with one worker\n", cmp.Or(strings.Join(states, ", "), "none"),
		say.Left(run.Seconds(open)))
	return nil
}

// cards lists the GPUs of the time estimates: one with 80 GiB and one with 24 GiB.
var cards = []struct {
	name   string
	peak   float64 // bfloat16 operations per second with float32 sums, from the data sheet, without sparsity
	memory int64   // bytes
}{{"H100", 989e12, 80 << 30}, {"RTX 4090, 24 GiB", 165e12, 24 << 30}}

// writeGPUPlan writes estimated times of the entries' trainings on GPUs, including kept ones: the counted operations
// over an assumed share of the card's peak. Nothing is measured. It skips trainings without counted operations.
func writeGPUPlan(out io.Writer, l *run.Lab, entries []report.Entry) error {
	plans, err := report.Plans(entries, l.Profile)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "Time on a GPU: an estimate, not a measurement. It counts the operations of a training and "+
		"assumes that convolutions of small images reach 10 % of a card's peak in bfloat16, and products of large "+
		"matrices 35 %.")
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	seen, sums := map[string]bool{}, make([]float64, len(cards))
	for _, j := range slices.Concat(plans...) {
		if seen[j.Key] || j.Cost.Operations == 0 {
			continue
		}
		seen[j.Key] = true
		fmt.Fprintf(table, "  %s\t%s\t%.2g operations\t%.1f GiB", j.Key, j.Label, j.Cost.Operations,
			float64(j.Cost.Device)/(1<<30))
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
	if len(seen) == 0 {
		fmt.Fprintln(table, "Operations are counted only for tab1 and tab3 in the paper profile.")
		return table.Flush()
	}
	for i, c := range cards {
		fmt.Fprintf(table, "all on one %s: %s\n", c.name, say.Left(sums[i]))
	}
	return table.Flush()
}
