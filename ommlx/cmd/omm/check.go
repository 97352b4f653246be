package main

import (
	"github.com/spf13/cobra"

	"omm-go/ommlx/artifact"
	"omm-go/ommlx/artifact/lab"
	"omm-go/ommlx/artifact/ledger"
	"omm-go/ommlx/artifact/page"
)

func newCheck() *cobra.Command {
	var o ledger.Options
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Check every claim of the paper and write the ledger tables/claims",
		Long: `Runs the tests that measure claims of the paper, reads the results in figures/ and tables/, judges every
claim and writes tables/claims.{md,csv,tex,json}, and what README.md and figures/README.md say of them. If a verdict
is worse than the committed one, they stay as they are, the new ledger goes to .omm/check/tables, and the exit code is
1. So it is if a test, a result or a measurement is gone, if a tolerance has become wider, or if files of ommlx have
changes that are not committed. Where data is missing that a check needs, as the official mazes, the ledger stays as it
is, and with --complete the exit code is 1.`,
		Example: "  omm check\n  omm check --complete",
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, figures, err := choose(cmd, string(lab.Quick), artifact.Figures(), nil)
			if err != nil {
				return err
			}
			if err := ledger.Check(cmd.Context(), l, artifact.Evidence(), o); err != nil {
				return err
			}
			if err := page.WriteREADME(l.Root, artifact.Headlines()); err != nil {
				return err
			}
			return page.WriteGallery(l.Root, figures)
		},
	}
	cmd.Flags().BoolVar(&o.Complete, "complete", false, "fail where data is missing that a check needs")
	cmd.Flags().BoolVar(&o.Accept, "accept", false, "take over worse verdicts and less evidence, and say which")
	return cmd
}
