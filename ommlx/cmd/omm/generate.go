package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"operator-omm/ommlx/dataset"
	"operator-omm/ommlx/dataset/ogb"
	"operator-omm/ommlx/internal/say"
)

func newDataGenerate() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "generate",
		Short: "Make images or a graph, for a machine without a network",
		Example: `  omm data generate images
  omm data generate graph`,
	}
	cmd.AddCommand(newGenerateImages(), newGenerateGraph())
	return cmd
}

func newGenerateImages() *cobra.Command {
	g := dataset.Generation{Classes: 10, Images: 5000, Seed: 1}
	cmd := &cobra.Command{
		Use:   "images",
		Short: "Draw labelled images, for a machine without a network",
		Long: `Draws images of 32×32 pixels, whose classes are shapes with textures, and writes them in the binary
format of CIFAR-100 to $OMM_DATA/generated, or into the cache folder, in the place of earlier ones. The same options
give the same images. They stand in where CIFAR-100 cannot be had, and are called generated wherever they are used.`,
		Example: `  omm data generate images
  omm data generate images --classes 100 --images 50000`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := g.Validate(); err != nil {
				return wrongUse{err}
			}
			path, err := dataset.WriteGenerated(g)
			if err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), path)
			return nil
		},
	}
	cmd.Flags().IntVar(&g.Classes, "classes", g.Classes, "number of classes, at most 100")
	cmd.Flags().IntVar(&g.Images, "images", g.Images, "number of training images; a fifth as many are for testing")
	cmd.Flags().Uint64Var(&g.Seed, "seed", g.Seed, "seed of the random numbers")
	return cmd
}

func newGenerateGraph() *cobra.Command {
	g := ogb.Generation{Seed: 1}.WithDefaults()
	cmd := &cobra.Command{
		Use:   "graph",
		Short: "Make a graph with features and labels, in the place of ogbn-products",
		Long: `Draws a graph of communities with a label for each, and writes its arrays to
$OMM_DATA/generated-graph/<numbers>, or into the cache folder, unless they are there. The same options give the same
graph. It stands in where ogbn-products cannot be had, and is called generated wherever it is used.`,
		Example: `  omm data generate graph
  omm data generate graph --nodes 2400000 --degree 50 --classes 47 --features 100 --seed 1`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if g.Nodes == 0 || g.Degree == 0 || g.Classes == 0 || g.Features == 0 {
				return wrongUse{errors.New("--nodes, --degree, --classes and --features must be more than 0")}
			}
			if err := g.Validate(); err != nil {
				return wrongUse{err}
			}
			out := cmd.OutOrStdout()
			line := say.Timed{Line: say.Line{W: out, Terminal: say.Terminal(out)}}
			graph, err := ogb.FetchGenerated(cmd.Context(), g, line.Show)
			line.Clear()
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "%s: %s\n", graph.Dir, graph)
			return graph.Close()
		},
	}
	cmd.Flags().IntVar(&g.Nodes, "nodes", g.Nodes, "number of nodes, 1,000 to 10,000,000")
	cmd.Flags().IntVar(&g.Degree, "degree", g.Degree, "mean number of edges of a node, at most 1,000")
	cmd.Flags().IntVar(&g.Classes, "classes", g.Classes, "number of classes, 2 to 1,000")
	cmd.Flags().IntVar(&g.Features, "features", g.Features, "number of features, at most 10,000")
	cmd.Flags().Uint64Var(&g.Seed, "seed", g.Seed, "seed of the random numbers")
	return cmd
}
