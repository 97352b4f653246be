package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"omm-go/ommlx/artifact/graphs"
	"omm-go/ommlx/artifact/images"
)

func newData() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "data",
		Short:   "Download and convert official data",
		Example: "  omm data get cifar100 ogbn-products",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newDataGet(), newDataConvert())
	return cmd
}

func newDataGet() *cobra.Command {
	var from string
	cmd := &cobra.Command{
		Use:   "get cifar100|ogbn-products ...",
		Short: "Download official data, with verified checksums",
		Long: `Downloads data into $OMM_DATA/<kind>, or into the cache folder, which $OMM_CACHE sets, unless they are
already there:
  cifar100  CIFAR-100, binary version, from its page (169 MB)
  ogbn-products
            the graph of the Open Graph Benchmark (1.4 GB), converted to 1.9 GB; the archive is deleted.
            It has no published checksum, so the command verifies the CRC-32 of each file in the archive and the
            numbers of nodes, edges, features and classes`,
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
	cmd.Flags().StringVar(&from, "from", "", "URL of another folder with the file")
	return cmd
}

func newDataConvert() *cobra.Command {
	var from string
	cmd := &cobra.Command{
		Use:   "convert ogbn-products|NAME --from DIR",
		Short: "Convert the text files of a graph that you already have",
		Long: `Converts the raw text files of a graph, in the format of the Open Graph Benchmark and its Python package
ogb, to $OMM_DATA/NAME/graph.gob or to the cache folder. DIR contains the folders raw and split, and split contains one
folder. ogbn-products must have the published numbers of nodes, edges, features and classes. Choose any NAME for
another graph.`,
		Example: `  omm data convert ogbn-products --from dataset/ogbn_products
  omm data convert ogbn-arxiv --from dataset/ogbn_arxiv`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := graphs.Convert(cmd.Context(), args[0], os.DirFS(from), cmd.OutOrStdout()); err != nil {
				return fmt.Errorf("converting %s: %w", from, err)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "folder with the text files")
	_ = cmd.MarkFlagRequired("from") // the flag exists
	return cmd
}
