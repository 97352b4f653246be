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
		Short: "List the trainings that figures and tables take, without training, or write a job for a scheduler",
		Long: `Lists every training that the figures and tables need under a profile: its key, whether its result is
kept, a process is running it, it was begun, or it is open, how many of its runs are kept, and an estimate of
the time that is left and of its memory. Names in ONLY choose some. Nothing is computed.

Times are for one worker on two idle cores. The line of a figure or table has the time left for all of its runs. The
last line has the total; a run that several need counts once.

With --gpu the time follows that Tables 1 and 3 would take on an H100 and on a card of 24 GiB, estimated from counted
operations.

With --format it writes a number of workers for a scheduler:
  slurm  a script for sbatch, for a checkout that compute nodes share
  k8s    a Job of Kubernetes, for an image that docker/ builds
Each worker runs "omm run": it takes the next training that no other works on. All workers get the memory of the largest
training, so submit figures and tables that differ much separately. A worker that is lost is started again and resumes
from the last checkpoint, at most 30 s of training earlier. Results go to .omm/results of the checkout, or of the
volume, where "omm figures" finds them.`,
		Example: `  omm plan
  omm plan --profile paper fig1
  omm plan --profile paper --gpu tab1 tab3
  omm plan --profile paper --format slurm tab2 >tab2.sh
  omm plan --profile paper --format k8s --gpu --image registry.example/omm-go:cuda tab3 >tab3.yaml`,
		RunE: func(cmd *cobra.Command, only []string) error {
			switch {
			case image != "" && format != "k8s":
				return wrongUse(errors.New("--image is for --format k8s alone"))
			case format != "" && format != "slurm" && format != "k8s":
				return wrongUse(fmt.Errorf("--format is %q; it must be slurm or k8s, or left out for a list", format))
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
	f.BoolVar(&gpu, "gpu", false, "the time on GPUs, estimated; with --format: each worker has a GPU")
	f.StringVar(&image, "image", "", "of the containers of k8s (default omm-go:cpu, or :cuda with --gpu)")
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
	open, err := l.Open(slices.Concat(plans...)) // a run that several need once
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "trainings: %s; time to go: %s with one worker\n", cmp.Or(strings.Join(states, ", "), "none"),
		say.Left(run.Seconds(open)))
	return nil
}

// cards are the GPUs that times are estimated for: one of 80 GiB and one of 24 GiB.
var cards = []struct {
	name   string
	peak   float64 // operations per second in bfloat16, sums in float32, of the data sheet, without sparsity
	memory int64   // bytes
}{{"H100", 989e12, 80 << 30}, {"RTX 4090, 24 GiB", 165e12, 24 << 30}}

// writeGPUPlan writes the time that the trainings of the entries would take on a GPU, whatever is kept: their counted
// operations over the share of a card's peak that is assumed. Nothing in it is measured. Trainings whose operations
// are not counted are left out.
func writeGPUPlan(out io.Writer, l *run.Lab, entries []report.Entry) error {
	plans, err := report.Plans(entries, l.Profile)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "Time on a GPU: an estimate, not a measurement. Operations of a training are counted; it is "+
		"assumed that convolutions of small images reach 10 % of a card's peak in bfloat16, and products of large "+
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
