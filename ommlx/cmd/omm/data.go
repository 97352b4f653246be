package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"omm-go/ommlx/artifact/dataset"
	"omm-go/ommlx/artifact/graphs/ogb"
)

func newData() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "data",
		Short: "Fetch the official data, and say which are there",
		Example: `  omm data status
  omm data get cifar100
  omm data get ogbn-products`,
	}
	cmd.AddCommand(newDataGet(), newDataConvert(), newDataStatus())
	return cmd
}

func newDataGet() *cobra.Command {
	var from string
	get := map[string]func(context.Context, string, io.Writer) error{ogb.ProductsName: ogb.GetProducts}
	for _, c := range dataset.Collections() {
		get[c.Kind] = func(ctx context.Context, from string, out io.Writer) error { return c.Get(ctx, from, "", out) }
	}
	cmd := &cobra.Command{
		Use:   "get cifar100|ogbn-products ...",
		Short: "Download official data, with verified checksums",
		Long: `Downloads what is missing into $OMM_DATA/<kind>, or into the cache folder, which $OMM_CACHE moves:
  cifar100  CIFAR-100, binary version, from its page (169 MB)
  ogbn-products
            the graph of the Open Graph Benchmark (1.4 GB), converted to arrays of 1.5 GB that alone are kept; it takes
            3 GB of disk meanwhile. No checksum of it is published: verified are the CRC-32 of each file in the
            archive and the numbers of nodes, edges, features and classes, and the SHA-256 that was seen is printed
Ctrl-C keeps what has come of a file: the same command goes on from there.`,
		Example: `  omm data get cifar100
  omm data get cifar100 --from https://my.mirror/cifar
  omm data get ogbn-products`,
		Args:      cobra.MatchAll(cobra.MinimumNArgs(1), cobra.OnlyValidArgs),
		ValidArgs: slices.Sorted(maps.Keys(get)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if from != "" && len(args) > 1 {
				return wrongUse(fmt.Errorf("--from is the address of one kind of data, and %s are asked for",
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
	cmd.Flags().StringVar(&from, "from", "", "another address of the folder with the files")
	return cmd
}

func newDataConvert() *cobra.Command {
	var graph ogb.Text
	cmd := &cobra.Command{
		Use:   "convert ogbn-products|NAME --from DIR",
		Short: "Convert the text files of a graph that you have already",
		Long: `Converts the text files of a graph in the raw form of the Open Graph Benchmark, as its archives and the
Python package ogb have them, to the arrays that are read here, in $OMM_DATA/NAME/arrays or in the cache folder. DIR is
the folder with raw and split in it; it stays as it is. ogbn-products must have the published numbers of nodes, edges,
features and classes; of another graph the name is yours.`,
		Example: `  omm data convert ogbn-products --from dataset/ogbn_products
  omm data convert ogbn-arxiv --from dataset/ogbn_arxiv --split time`,
		ValidArgs: []string{ogb.ProductsName},
		Args:      cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			graph.Name = args[0]
			switch {
			case graph.From == "":
				return wrongUse(errors.New("name the folder with the text files: --from DIR"))
			case graph.Name == ogb.ProductsName && (graph.Split != "" || graph.Classes != 0):
				return wrongUse(fmt.Errorf("--split and --classes are for other graphs: %s has its own",
					ogb.ProductsName))
			}
			return graph.Convert(cmd.Context(), cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&graph.From, "from", "", "folder with the text files")
	cmd.Flags().StringVar(&graph.Split, "split", "", "name of the split (default: the only one that there is)")
	cmd.Flags().IntVar(&graph.Classes, "classes", 0, "number of classes (default: what the largest label needs)")
	return cmd
}

func newDataStatus() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Say which data files are there, missing or altered",
		Long: `Looks for every data file and compares its SHA-256 with the published one, or, of a converted graph,
with the one that was kept when it was written: correct, missing or altered.`,
		Example: `  omm data status`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var all []dataset.FileStatus
			for _, c := range dataset.Collections() {
				files, err := c.Status()
				if err != nil {
					return err
				}
				all = append(all, files...)
			}
			products, err := ogb.ProductsStatus()
			if err != nil {
				return err
			}
			others, err := ogb.OtherStatus()
			if err != nil {
				return err
			}
			all = append(append(all, products), others...)
			for _, file := range all {
				fmt.Fprintf(cmd.OutOrStdout(), "%-24s %-10s %s\n", file.Name, file.State, file.Path)
			}
			return nil
		},
	}
}
