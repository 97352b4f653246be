package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
)

func newPlan() *cobra.Command {
	var profile string
	var o arrayOptions
	cmd := &cobra.Command{
		Use:   "plan [ONLY...]",
		Short: "List the trainings that figures and tables take, without training, or write them as an array of jobs",
		Long: `Lists every training that the figures and tables need under a profile: its key, whether its result is
kept, a process is running it, it was begun, or it is open, how many of its runs are kept, and an estimate of
the time that is left and of its memory. Estimates are corrected by the time that kept results took. Names in
ONLY choose figures and tables. Nothing is computed.

With --format the trainings that have no result yet come as an array of tasks for a scheduler, in the order in which
"omm run" takes them:
  slurm  a script for sbatch, for a checkout that compute nodes share
  k8s    an Indexed Job of Kubernetes, for an image that docker/ builds
Every task asks for the memory of the greatest of them, so figures and tables that differ much are better submitted
apart. The scheduler starts a task again whose node is lost; it goes on from its last checkpoint, at most 30 s of
training before. Results come into .omm/results of the checkout, or of the volume, where "omm figures" finds them.`,
		Example: `  omm plan
  omm plan --profile paper fig1
  omm plan --profile paper --format slurm tab2 >tab2.sh
  omm plan --profile paper --format k8s --gpu --image registry.example/operator-omm:cuda tab3 >tab3.yaml`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, only []string) error {
			l, err := newLaboratory(cmd, profile)
			if err != nil {
				return wrongUse{err}
			}
			if err := o.validate(cmd.Flags().Changed); err != nil {
				return wrongUse{err}
			}
			if o.format != "" {
				return o.write(cmd.OutOrStdout(), l, only)
			}
			entries, err := selectAll(only)
			if err != nil {
				return wrongUse{err}
			}
			return writePlan(cmd.OutOrStdout(), l, entries)
		},
	}
	cmd.Flags().StringVar(&profile, "profile", string(lab.Quick), "how much is computed: smoke, quick or paper")
	o.register(cmd)
	return cmd
}

// writePlan lists the jobs of the entries, each under the first entry that needs it.
func writePlan(out io.Writer, l *lab.Lab, entries []report.Entry) error {
	plans, err := report.Plans(entries, l.Profile)
	if err != nil {
		return err
	}
	pace, err := l.Pace(slices.Concat(plans...))
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	seen := map[string]bool{}
	count := map[lab.State]int{}
	left := 0.0
	for i, e := range entries {
		fmt.Fprintf(table, "%s (%s profile)\n", e.Name, l.Profile)
		for _, j := range plans[i] {
			if seen[j.Key] {
				continue
			}
			seen[j.Key] = true
			p, err := l.Progress(j)
			if err != nil {
				return err
			}
			count[p.State]++
			seconds := p.Missing.Cost.Seconds * pace[j.Kind]
			left += seconds
			fmt.Fprintf(table, "  %s\t%s\t%s\t%d of %d\t%s\t%.1f GiB\n", j.Key, j.Label, p.State,
				len(j.Seeds)-len(p.Missing.Seeds), len(j.Seeds), about(seconds), float64(j.Cost.Memory)/(1<<30))
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
	fmt.Fprintf(out, "trainings: %s; time to go: %s\n", cmp.Or(strings.Join(states, ", "), "none"), about(left))
	return nil
}

// about writes an estimate of time, without digits that it has not.
func about(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case d < 2*time.Minute:
		return d.Round(time.Second).String()
	case d < 2*time.Hour:
		return fmt.Sprintf("%.0f min", d.Minutes())
	}
	return fmt.Sprintf("%.1f h", d.Hours())
}
