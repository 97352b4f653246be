package main

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"omm-go/ommlx/artifact"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/fsx"
)

func newFigures() *cobra.Command { return newMake("figures", "fig1", artifact.Figures()) }

func newTables() *cobra.Command { return newMake("tables", "tab2", artifact.Tables()) }

// newMake returns the command that regenerates figures or tables.
func newMake(use, example string, exhibits []report.Exhibit) *cobra.Command {
	var target string
	var kept bool
	list := ""
	for _, x := range exhibits {
		list += fmt.Sprintf("\n  %-8s %s: %s", x.ShortName, x.Name, x.Description)
		if x.OnRequest {
			list += "; the quick profile trains it only when requested by name"
		}
	}
	if use == "tables" {
		list += "\n\nIt also draws the figures of tables again."
	}
	cmd := &cobra.Command{
		Use:   use + " [ONLY...]",
		Short: "Train and write the paper's " + use,
		Long: fmt.Sprintf(`Writes the %[1]s at the paper's scale to %[1]s/ from kept results, then trains the quick ones
and writes them to %[1]s/quick/. With --profile paper it trains at the paper's scale. With --profile
smoke it writes to .omm/smoke/%[1]s/. ONLY selects %[1]s by name. With --kept it trains nothing.
Results are kept in .omm/results. Ctrl-C keeps a checkpoint, from which the same command resumes.
%[2]s`, use, list),
		Example: fmt.Sprintf("  omm %s\n  omm %s --profile paper %s", use, use, example),
	}
	profile := addProfile(cmd, run.Quick)
	cmd.Flags().BoolVar(&kept, "kept", false, "train nothing; draw kept results")
	cmd.Flags().StringVar(&target, "out", "", "folder for "+use+"/ instead of the checkout")
	cmd.RunE = func(cmd *cobra.Command, names []string) error {
		l, chosen, err := choose(cmd, *profile, exhibits, names)
		if err != nil {
			return err
		}
		l.KeptOnly = kept
		if target != "" {
			if l.Target, err = filepath.Abs(target); err != nil {
				return err
			}
		}
		err = report.Make(cmd.Context(), l, chosen)
		if err != nil || target != "" || l.Profile == run.Smoke {
			return err
		}
		if use == "tables" {
			drawn := slices.DeleteFunc(artifact.Figures(), report.Exhibit.Trains)
			if err := report.Make(cmd.Context(), l, drawn); err != nil {
				return err
			}
		}
		return artifact.WritePages(l.Root)
	}
	return cmd
}

// addProfile adds the flag --profile with a default and returns its value.
func addProfile(cmd *cobra.Command, p run.Profile) *run.Profile {
	cmd.Flags().Var(&p, "profile", "scale: smoke, quick or paper")
	return &p
}

// everything lists all figures and tables.
func everything() []report.Exhibit { return slices.Concat(artifact.Figures(), artifact.Tables()) }

// choose returns the lab of this checkout and the exhibits with these names, or all of them if there are no names.
func choose(cmd *cobra.Command, p run.Profile, exhibits []report.Exhibit, names []string) (*run.Lab, []report.Exhibit,
	error) {
	root, err := fsx.Checkout()
	if err != nil {
		return nil, nil, err
	}
	chosen, err := report.Select(exhibits, names)
	if err != nil {
		return nil, nil, usage{err}
	}
	return &run.Lab{Root: root, Profile: p, Out: cmd.OutOrStdout()}, chosen, nil
}
