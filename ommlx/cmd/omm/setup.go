package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"omm-go/ommlx/backend"
)

func newSetup() *cobra.Command {
	var notebooks, cuda bool
	cmd := &cobra.Command{
		Use:   "setup",
		Short: "Install the compute engine (and with --notebooks, Jupyter and the Go kernel)",
		Long: `Installs the XLA plugin, at a pinned version with a verified checksum, into a cache folder that all
clones share ($OMM_CACHE moves it), unless there is a plugin already. Nothing that is already there is
downloaded again.`,
		Example: `  omm setup
  omm setup --notebooks
  omm setup --cuda`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out := cmd.OutOrStdout()
			var err error
			switch {
			case cuda:
				err = backend.SetupCUDA(cmd.Context(), out)
			case backend.Asked(): // what was not installed here is tried, but not where it need not run
				_, _, err = backend.Open()
			}
			if err != nil {
				return err
			}
			choice, err := backend.Setup(cmd.Context(), out)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "Graphs run on %s: %s.\n", choice.Kind, choice.Reason)
			if !notebooks {
				return nil
			}
			_, _, err = setupNotebooks(cmd.Context(), out)
			return err
		},
	}
	cmd.Flags().BoolVar(&notebooks, "notebooks", false, "also install JupyterLab and the GoNB kernel")
	cmd.Flags().BoolVar(&cuda, "cuda", false,
		"also install the CUDA plugin with NVIDIA's libraries where there is no GPU, as for an image")
	return cmd
}
