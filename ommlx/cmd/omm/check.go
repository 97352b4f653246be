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
claim, and writes tables/claims.{json,md}, tables/misprints.md, the results in README.md, and figures/README.md.

If a verdict changes in either direction, a test, a result or a measurement is gone, a tolerance is wider, or files of
ommlx have uncommitted changes, the committed ledger stays, the new one goes to .omm/check/tables, and the exit code
is 1.`,
		Example: "  omm check\n  omm check --accept",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, _, err := choose(cmd, run.Quick, artifact.Figures(), nil)
			if err != nil {
				return err
			}
			if err := claims.Check(cmd.Context(), l, artifact.Evidence(), accept); err != nil {
				return err
			}
			return artifact.WritePages(l.Root)
		},
	}
	cmd.Flags().BoolVar(&accept, "accept", false, "accept and list changed verdicts and lost evidence")
	return cmd
}
