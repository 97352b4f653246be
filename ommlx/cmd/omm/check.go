package main

import (
	"github.com/spf13/cobra"

	"omm-go/ommlx/artifact"
	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/run"
)

func newCheck() *cobra.Command {
	var accept bool
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Check every claim of the paper and write the ledger tables/claims",
		Long: `Runs the tests that measure claims of the paper, reads the results in figures/ and tables/, judges every
claim, and writes tables/claims.{md,csv,tex,json} and the generated parts of README.md and figures/README.md.

The committed ledger stays, the new one goes to .omm/check/tables and the exit code is 1 if a verdict changed in either
direction, if a test, a result or a measurement is gone, if a tolerance is wider, or if files of ommlx have uncommitted
changes.`,
		Example: "  omm check\n  omm check --accept",
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, figures, err := choose(cmd, string(run.Quick), artifact.Figures(), nil)
			if err != nil {
				return err
			}
			if err := claims.Check(cmd.Context(), l, artifact.Evidence(), accept); err != nil {
				return err
			}
			if err := claims.WriteREADME(l.Root, artifact.Findings(), artifact.Headlines()); err != nil {
				return err
			}
			return claims.WriteGallery(l.Root, figures)
		},
	}
	cmd.Flags().BoolVar(&accept, "accept", false, "accept changed verdicts and lost evidence, and list them")
	return cmd
}
