package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
)

func newKeep() *cobra.Command {
	return &cobra.Command{
		Use:   "keep [ONLY...]",
		Short: "Copy finished results of the paper profile to where they are committed",
		Long: `Appends the results of the paper profile that are finished, from .omm/results, to the files in
` + run.Committed + `, a line for each configuration and seed. Lines that are there stay as they are.
Results that were trained with changes that were not committed are named and left out; the exit code is 1 then.
ONLY names figures or tables. Nothing is computed and nothing is committed: do that with git.`,
		Example: `  omm keep
  omm keep fig1 tab2`,
		RunE: func(cmd *cobra.Command, only []string) error {
			l, entries, err := choose(cmd, string(run.Paper), everything(), only)
			if err != nil {
				return err
			}
			plans, err := report.Plans(entries, l.Profile)
			if err != nil {
				return err
			}
			added, refused, err := l.Commit(cmd.Context(), slices.Concat(plans...))
			if err != nil {
				return err
			}
			for _, j := range added {
				l.Say("kept %s seed %d", j.Label, j.Seeds[0])
			}
			for _, why := range refused {
				l.Say("%s", why)
			}
			l.Say("copied %d results to %s", len(added), run.Committed)
			if len(refused) > 0 {
				return fmt.Errorf("left out %d of the finished results; the lines above say why, and what to do",
					len(refused))
			}
			return nil
		},
	}
}
