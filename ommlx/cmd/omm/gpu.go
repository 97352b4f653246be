package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/internal/say"
)

// cards are the GPUs that times are estimated for: one of 80 GiB and one of 24 GiB.
var cards = []struct {
	name   string
	peak   float64 // operations per second in bfloat16, sums in float32, of the data sheet, without sparsity
	memory int64   // bytes
}{{"H100", 989e12, 80 << 30}, {"RTX 4090, 24 GiB", 165e12, 24 << 30}}

// writeGPUPlan writes the time that the trainings of the entries would take on a GPU, whatever is kept: their counted
// operations over the share of a card's peak that is assumed. Nothing in it is measured. Trainings whose operations are
// not counted are left out.
func writeGPUPlan(out io.Writer, l *lab.Lab, entries []report.Entry) error {
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
		fmt.Fprintln(table, "No training here has its operations counted; those of tab1 and tab3 in the paper profile "+
			"have.")
		return table.Flush()
	}
	for i, c := range cards {
		fmt.Fprintf(table, "all on one %s: %s\n", c.name, say.Left(sums[i]))
	}
	return table.Flush()
}
