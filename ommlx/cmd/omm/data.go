package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"omm-go/ommlx/artifact/graphs"
	"omm-go/ommlx/artifact/images"
)

func newData() *cobra.Command {
	var from string
	data := &cobra.Command{
		Use:     "data",
		Short:   "Download official data",
		Example: "  omm data get cifar100 ogbn-products",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	get := &cobra.Command{
		Use:   "get cifar100|ogbn-products ...",
		Short: "Download official data, with verified checksums",
		Long: `Downloads data into $OMM_DATA/<kind>, or into the cache folder, which $OMM_CACHE sets, unless they are
already there:
  cifar100  CIFAR-100, binary version, from its page (169 MB)
  ogbn-products
            the graph of the Open Graph Benchmark (1.4 GB). It has no published checksum, so the command
            verifies the CRC-32 of each file in the archive and the numbers of nodes, edges, features and classes`,
		Example: `  omm data get cifar100
  omm data get cifar100 --from https://my.mirror/cifar
  omm data get ogbn-products`,
		Args:      cobra.MatchAll(cobra.MinimumNArgs(1), cobra.OnlyValidArgs),
		ValidArgs: []string{images.CIFAR100.Kind, graphs.ProductsName},
		RunE: func(cmd *cobra.Command, kinds []string) error {
			if from != "" && len(kinds) > 1 {
				return usage{fmt.Errorf("--from is for one kind of data, not %d; give one name", len(kinds))}
			}
			for _, kind := range kinds {
				var err error
				if kind == graphs.ProductsName {
					err = graphs.GetProducts(cmd.Context(), from, cmd.OutOrStdout())
				} else {
					_, err = images.CIFAR100.Get(cmd.Context(), from, cmd.OutOrStdout())
				}
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
	get.Flags().StringVar(&from, "from", "", "URL of another folder with the file")
	data.AddCommand(get)
	return data
}
