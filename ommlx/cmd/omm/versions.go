package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"operator-omm/ommlx/backend"
	"operator-omm/ommlx/internal/fsx"
	"operator-omm/ommlx/internal/pip"
	"operator-omm/ommlx/internal/versions"
)

func newVersions() *cobra.Command {
	return &cobra.Command{
		Use:   "versions",
		Short: "Write " + versions.File + ", the list of what the image consists of",
		Long: `Writes ` + versions.File + ` of this checkout from the files that pin versions: component, version, hash,
licence and size. Licence and size of Go modules that are new in it are asked of the go command.`,
		Example: `  omm versions`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root, err := fsx.Checkout()
			if err != nil {
				return err
			}
			pins, err := pinned()
			if err != nil {
				return err
			}
			text, err := versions.Text(cmd.Context(), root, pins, versions.LookUpModules)
			if err != nil {
				return err
			}
			file := filepath.Join(root, filepath.FromSlash(versions.File))
			if err := fsx.Write(file, []byte(text)); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "wrote %s\n", file)
			return nil
		},
	}
}

// pinned collects what this program pins.
func pinned() (versions.Pins, error) {
	plugins, libraries, err := backend.Pinned()
	jupyter, err2 := pip.ParseLock(jupyterLock)
	gopls := versions.Component{
		Name: "golang.org/x/tools/gopls", Version: goplsVersion, Hash: "in the checksum database",
	}
	return versions.Pins{
		Plugins: plugins, NVIDIA: libraries, Jupyter: jupyter, Tools: []versions.Component{gopls},
	}, errors.Join(err, err2)
}
