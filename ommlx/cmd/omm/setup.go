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
clones share ($OMM_CACHE sets it), unless a plugin is already there.`,
		Example: "  omm setup\n  omm setup --notebooks\n  omm setup --cuda",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			out := cmd.OutOrStdout()
			switch {
			case cuda:
				err = backend.SetupCUDA(cmd.Context(), out)
			case backend.Asked(): // try the user's engine, except with --cuda, which may have no GPU
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
			if notebooks {
				_, _, err = setupNotebooks(cmd.Context(), out)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&notebooks, "notebooks", false, "also install JupyterLab and the GoNB kernel")
	cmd.Flags().BoolVar(&cuda, "cuda", false,
		"also install the CUDA plugin and NVIDIA's libraries on a machine without a GPU, for example in an image")
	return cmd
}
