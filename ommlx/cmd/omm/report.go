package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"omm-go/ommlx/artifact"
	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/fsx"
)

func newReport() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Write one HTML page with every figure, table and claim",
		Long: `Writes one HTML file with the results: every figure and table with the paper's numbers and ours, every
claim with its verdict and the command that checks it, and the corrections. It reads figures/ and tables/ of this
checkout and trains nothing. The file opens in any browser without a server or a network.`,
		Example: "  omm report\n  omm report --out report.html",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root, err := fsx.Checkout()
			if err != nil {
				return err
			}
			file := cmp.Or(out, filepath.Join(root, ".omm", "report.html"))
			var text bytes.Buffer
			if err := claims.Write(&text, root, run.BuiltFrom(root), artifact.Headlines(), everything()); err != nil {
				return err
			}
			if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), fsx.Write(file, text.Bytes())); err != nil {
				return fmt.Errorf("%w; choose another file with `omm report --out FILE`", err)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "wrote %s (%.1f MB); open it in a browser\n", file, float64(text.Len())/1e6)
			return nil
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "file to write (default .omm/report.html in the checkout)")
	return cmd
}
