package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"operator-omm/ommlx/backend"
	"operator-omm/ommlx/bench"
)

func newBench() *cobra.Command {
	var o bench.Options
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure the speed of a training step against JAX and PyTorch",
		Long: `Prints medians and ratios; both sides of a comparison take turns in one run, which takes about two minutes. JAX and
PyTorch are looked for in $OMM_PYTHON or python3; "make bench" installs them.`,
		Example: `  omm bench
  omm bench --case paper --case tiny --rounds 15
  omm bench --python /path/to/venv/bin/python`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Rounds < 1 {
				return wrongUse{fmt.Errorf("--rounds is %d; it must be at least 1", o.Rounds)}
			}
			engine, choice, err := backend.Open()
			if err != nil {
				return err
			}
			o.Engine = bench.Engine{Backend: engine, WholeLoop: choice.WholeLoop()}
			fmt.Fprintf(cmd.OutOrStdout(), "Graphs run on %s: %s.\n", choice.Kind, choice.Reason)
			return bench.Run(cmd.Context(), cmd.OutOrStdout(), o)
		},
	}
	cmd.Flags().StringVar(&o.Python, "python", python(), "interpreter that has jax and torch")
	cmd.Flags().StringSliceVar(&o.Cases, "case", nil, "one of "+strings.Join(bench.Cases(), ", ")+" (default all)")
	cmd.Flags().IntVar(&o.Rounds, "rounds", 5, "how often the sides take turns")
	return cmd
}

// python is the interpreter of OMM_PYTHON, or else of the PATH.
func python() string {
	if p := os.Getenv("OMM_PYTHON"); p != "" {
		return p
	}
	if p, err := exec.LookPath("python3"); err == nil {
		return p
	}
	return "python3"
}
