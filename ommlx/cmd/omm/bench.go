package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"omm-go/ommlx/artifact/bench"
	"omm-go/ommlx/backend"
)

func newBench() *cobra.Command {
	var o bench.Options
	cmd := &cobra.Command{
		Use:   "bench [CASE...]",
		Short: "Measure speed against JAX, PyTorch and SciPy, in one run",
		Long: `Times training steps, Lanczos and their alternatives in turns, and prints medians and ratios.
The interpreter --python provides JAX, PyTorch and SciPy; missing ones are skipped. CASE
selects benchmarks: ` + strings.Join(bench.Cases(), ", "),
		Example:   "  omm bench\n  omm bench step --python /path/to/venv/bin/python",
		Args:      cobra.OnlyValidArgs,
		ValidArgs: bench.Cases(),
		RunE: func(cmd *cobra.Command, cases []string) (err error) {
			if o.Rounds < 1 || o.Edges != 0 && o.Edges < 1_000 {
				return usage{fmt.Errorf("--rounds is %d and --edges %d, want at least 1 and 1000", o.Rounds, o.Edges)}
			}
			o.Cases = cases
			if o.Engine, _, err = backend.Open(); err != nil {
				return err
			}
			return bench.Run(cmd.Context(), cmd.OutOrStdout(), o)
		},
	}
	cmd.AddCommand(&cobra.Command{
		Use:     "field METHOD FOLDER",
		Short:   "Solve a problem of the comparison with other libraries",
		Example: "  omm bench field graph FOLDER",
		Hidden:  true,
		Args:    cobra.ExactArgs(2),
		Run:     func(_ *cobra.Command, args []string) { bench.Field(args[0], args[1]) },
	})
	cmd.AddCommand(&cobra.Command{
		Use:     "lattice",
		Short:   "Compare lattices in two to four dimensions with trainings: tables/lattice.json",
		Example: "  omm bench lattice",
		Hidden:  true,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return bench.CompareLattices(cmd.OutOrStdout(), bench.Limits{Memory: 12, Seconds: 1200})
		},
	})
	cmd.Flags().StringVar(&o.Python, "python", "python3", "Python interpreter with jax, torch and scipy")
	cmd.Flags().IntVar(&o.Edges, "edges", 0, "edges of the graph of the case scale (default: four graphs)")
	cmd.Flags().IntVar(&o.Rounds, "rounds", 5, "number of rounds")
	return cmd
}
