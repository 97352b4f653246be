package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"omm-go/ommlx/artifact/graphs"
	"omm-go/ommlx/artifact/images"
)

func newData() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "data",
		Short: "Download and convert official data",
		Example: `  omm data status
  omm data get cifar100 ogbn-products`,
	}
	cmd.AddCommand(newDataGet(), newDataConvert(), newDataStatus())
	return cmd
}

func newDataGet() *cobra.Command {
	var from string
	get := map[string]func(context.Context, string, io.Writer) error{
		graphs.ProductsName: graphs.GetProducts,
		images.CIFAR100.Kind: func(ctx context.Context, from string, out io.Writer) error {
			_, err := images.CIFAR100.Get(ctx, from, out)
			return err
		},
	}
	cmd := &cobra.Command{
		Use:   "get cifar100|ogbn-products ...",
		Short: "Download official data, with verified checksums",
		Long: `Downloads missing data into $OMM_DATA/<kind>, or into the cache folder, which $OMM_CACHE sets:
  cifar100  CIFAR-100, binary version, from its page (169 MB)
  ogbn-products
            the graph of the Open Graph Benchmark (1.4 GB), converted to 1.9 GB; the archive is deleted.
            It has no published checksum, so the command verifies the CRC-32 of each file in the archive and the
            numbers of nodes, edges, features and classes`,
		Example: `  omm data get cifar100
  omm data get cifar100 --from https://my.mirror/cifar
  omm data get ogbn-products`,
		Args:      cobra.MatchAll(cobra.MinimumNArgs(1), cobra.OnlyValidArgs),
		ValidArgs: slices.Sorted(maps.Keys(get)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if from != "" && len(args) > 1 {
				return wrongUse(fmt.Errorf("--from is for one kind of data, not %d: %s", len(args),
					strings.Join(args, ", ")))
			}
			for _, kind := range args {
				if err := get[kind](cmd.Context(), from, cmd.OutOrStdout()); err != nil {
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
		ValidArgs: []string{graphs.ProductsName},
		Args:      cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if from == "" {
				return wrongUse(errors.New("--from is missing; give the folder with the text files: --from DIR"))
			}
			return graphs.Convert(cmd.Context(), args[0], from, cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "folder with the text files")
	return cmd
}

func newDataStatus() *cobra.Command {
	return &cobra.Command{
		Use:     "status",
		Short:   "List data files as correct, missing or altered",
		Long:    "Finds the official data and compares their SHA-256 with the published or recorded one.",
		Example: `  omm data status`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			line := func(name, path string, err error) {
				state := "correct"
				if errors.Is(err, fs.ErrNotExist) {
					state = "missing"
				} else if err != nil {
					state = "altered"
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%-24s %-10s %s\n", name, state, path)
			}
			path, err := images.CIFAR100.Find()
			line(images.CIFAR100.Kind, path, err)
			_, path, err = graphs.Open(graphs.ProductsName)
			line(graphs.ProductsName, path, err)
			return nil
		},
	}
}
