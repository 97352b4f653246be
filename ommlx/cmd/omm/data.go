package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"operator-omm/ommlx/dataset"
)

func newData() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "data",
		Short: "Fetch the official data files and say which are there",
		Example: `  omm data status
  omm data get grids`,
	}
	cmd.AddCommand(newDataGet(), newDataStatus())
	return cmd
}

func newDataGet() *cobra.Command {
	var from string
	cmd := &cobra.Command{
		Use:   "get grids",
		Short: "Download the official grid layouts, with verified checksums",
		Long: `Downloads what is missing into $OMM_DATA/grids, or into the cache folder, which $OMM_CACHE moves.
Ctrl-C keeps what has come of a file: the same command goes on from there.`,
		Example: `  omm data get grids
  omm data get grids --from https://my.mirror/txts`,
		Args:      cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
		ValidArgs: []string{dataset.Grids().Kind},
		RunE: func(cmd *cobra.Command, _ []string) error {
			return dataset.Grids().Get(cmd.Context(), from, "", cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "another address of the folder with the files")
	return cmd
}

func newDataStatus() *cobra.Command {
	return &cobra.Command{
		Use:     "status",
		Short:   "Say which data files are there, missing or altered",
		Example: `  omm data status`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			files, err := dataset.Grids().Status()
			if err != nil {
				return err
			}
			for _, file := range files {
				fmt.Fprintf(cmd.OutOrStdout(), "%-16s %-8s %s\n", file.Name, file.State, file.Path)
			}
			return nil
		},
	}
}
