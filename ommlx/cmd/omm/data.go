package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"operator-omm/ommlx/dataset"
)

func newData() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "data",
		Short: "Fetch the official data files, say which are there, and generate images where there are none",
		Example: `  omm data status
  omm data get grids
  omm data get grids digits cifar100`,
	}
	cmd.AddCommand(newDataGet(), newDataStatus(), newDataGenerate())
	return cmd
}

func newDataGet() *cobra.Command {
	var from string
	cmd := &cobra.Command{
		Use:   "get grids|digits|cifar100 ...",
		Short: "Download official data, with verified checksums",
		Long: `Downloads what is missing into $OMM_DATA/<kind>, or into the cache folder, which $OMM_CACHE moves:
  grids     the grid layouts (3 kB)
  digits    the handwritten digits of the scikit-learn package, through Python's pip (9 MB, of which 58 kB are kept)
  cifar100  CIFAR-100, binary version, from its page (169 MB)
Ctrl-C keeps what has come of a file, unless it comes with pip: the same command goes on from there.`,
		Example: `  omm data get grids
  omm data get cifar100
  omm data get grids --from https://my.mirror/txts`,
		Args:      cobra.MatchAll(cobra.MinimumNArgs(1), cobra.OnlyValidArgs),
		ValidArgs: kinds(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if from != "" && len(args) > 1 {
				return wrongUse{fmt.Errorf("--from is the address of one kind of data, and %s are asked for",
					strings.Join(args, ", "))}
			}
			for _, kind := range args {
				if err := collection(kind).Get(cmd.Context(), from, "", cmd.OutOrStdout()); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "another address of the folder with the files")
	return cmd
}

// kinds lists what can be downloaded.
func kinds() (kinds []string) {
	for _, c := range dataset.Collections() {
		kinds = append(kinds, c.Kind)
	}
	return kinds
}

// collection returns the data of one of the [kinds].
func collection(kind string) (found dataset.Collection) {
	for _, c := range dataset.Collections() {
		if c.Kind == kind {
			found = c
		}
	}
	return found
}

func newDataStatus() *cobra.Command {
	return &cobra.Command{
		Use:     "status",
		Short:   "Say which data files are there, missing or altered",
		Example: `  omm data status`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, c := range dataset.Collections() {
				files, err := c.Status()
				if err != nil {
					return err
				}
				for _, file := range files {
					fmt.Fprintf(cmd.OutOrStdout(), "%-24s %-8s %s\n", file.Name, file.State, file.Path)
				}
			}
			return nil
		},
	}
}

func newDataGenerate() *cobra.Command {
	g := dataset.Generation{Classes: 10, Images: 5000, Seed: 1}
	cmd := &cobra.Command{
		Use:   "generate images",
		Short: "Draw labelled images, for a machine without a network",
		Long: `Draws images of 32×32 pixels, whose classes are shapes with textures, and writes them in the binary
format of CIFAR-100 to $OMM_DATA/generated, or into the cache folder, in the place of earlier ones. The same options
give the same images. They stand in where CIFAR-100 and the digits cannot be had, and are called generated wherever
they are used.`,
		Example: `  omm data generate images
  omm data generate images --classes 100 --images 50000`,
		Args:      cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
		ValidArgs: []string{"images"},
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
