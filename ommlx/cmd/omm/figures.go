package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"operator-omm/ommlx/artifact"
	"operator-omm/ommlx/internal/place"
	"operator-omm/ommlx/train"
)

func newFigures() *cobra.Command { return newMake("figures", "figure", "fig1", artifact.Figures()) }

func newTables() *cobra.Command { return newMake("tables", "table", "tab2", artifact.Tables()) }

// newMake is the command that regenerates figures or tables.
func newMake(use, one, example string, entries []artifact.Entry) *cobra.Command {
	var profile, only string
	list := ""
	for _, e := range entries {
		list += fmt.Sprintf("\n  %-8s %s: %s", e.Short, e.Name, e.About)
	}
	cmd := &cobra.Command{
		Use:   use,
		Short: "Train and write the " + use + " of the paper",
		Long: fmt.Sprintf(`Trains what is missing, keeps the results in .omm/results and writes the %[1]s to %[1]s/
(with --profile smoke: to .omm/smoke/%[1]s). Ctrl-C keeps a checkpoint: the same command goes on from there.
%[2]s`, use, list),
		Example: fmt.Sprintf("  omm %s\n  omm %s --profile paper --only %s", use, use, example),
		RunE: func(cmd *cobra.Command, _ []string) error {
			lab, err := newLaboratory(cmd, profile)
			if err != nil {
				return wrongUse{err}
			}
			known := only == ""
			for _, e := range entries {
				known = known || only == e.Short || only == e.Name
			}
			if !known {
				return wrongUse{fmt.Errorf("there is no %s called %q; `omm %s --help` lists them", one, only, use)}
			}
			return lab.Make(cmd.Context(), entries, only)
		},
	}
	cmd.Flags().StringVar(&profile, "profile", string(artifact.Quick), "how much is computed: smoke, quick or paper")
	cmd.Flags().StringVar(&only, "only", "", "regenerate this "+one+" alone")
	return cmd
}

// newLaboratory is the place for experiments in this checkout.
func newLaboratory(cmd *cobra.Command, profile string) (*artifact.Lab, error) {
	p, err := artifact.ParseProfile(profile)
	if err != nil {
		return nil, err
	}
	root, err := place.Checkout()
	if err != nil {
		return nil, err
	}
	out := cmd.OutOrStdout()
	return &artifact.Lab{Root: root, Profile: p, Out: out, Medium: train.MediumOf(out)}, nil
}
