package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"operator-omm/ommlx/backend"
	"operator-omm/ommlx/bench"
)

func newBench() *cobra.Command {
	var o bench.Options
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure the training step against JAX and PyTorch, in one run",
		Long: `Times the training step and the project's own devices for speed beside the alternative, in turns, and
prints medians and ratios. JAX and PyTorch are those of --python; what it has not is reported as not installed.

Benchmarks: ` + strings.Join(bench.Cases(), ", "),
		Example: `  omm bench
  omm bench --case tiny --python /path/to/venv/bin/python`,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if o.Rounds < 1 { // in bench.Options a zero is the default
				return wrongUse{fmt.Errorf("--rounds is %d; it must be at least 1", o.Rounds)}
			}
			if err := o.Validate(); err != nil {
				return wrongUse{err}
			}
			if o.Engine, _, err = backend.Open(); err != nil {
				return err
			}
			return bench.Run(cmd.Context(), cmd.OutOrStdout(), o)
		},
	}
	cmd.Flags().StringVar(&o.Python, "python", "python3", "interpreter with jax and torch")
	cmd.Flags().StringSliceVar(&o.Cases, "case", nil, "measure these alone")
	cmd.Flags().IntVar(&o.Rounds, "rounds", 5, "how often the sides take turns")
	cmd.Flags().IntVar(&o.Edges, "edges", 0, "edges of the largest graphs, 10 million when 0; 100 million take 4 GiB "+
		"and three minutes")
	return cmd
}
