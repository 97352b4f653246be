package main

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"omm-go/ommlx/backend"
	"omm-go/ommlx/internal/fsx"
)

func newDoctor() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check the installation and print how to repair it",
		Long: `Runs a graph on the engine, verifies the plugin's checksum, and looks for the checkout and the notebook
environment. The exit code is 1 if figures and tables cannot be made.`,
		Example: "  omm doctor",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			line := func(name, text string, err error) {
				if err != nil {
					text = "missing: " + sentence(err)
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%-10s %s\n", name, text)
			}
			line("machine", fmt.Sprintf("%s/%s, %d cores, %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(),
				runtime.Version()), nil)
			root, err := fsx.Checkout()
			line("checkout", root, err)
			p, err := notebookHome()
			if _, gone := os.Stat(p.complete()); gone != nil {
				err = cmp.Or(err, fmt.Errorf("%s; `omm setup --notebooks` installs them", p.venv))
			}
			line("notebooks", p.venv, err)
			text, err := engineHere()
			if err != nil {
				return fmt.Errorf("figures and tables cannot be made: %w", err)
			}
			line("engine", text, nil)
			return nil
		},
	}
}

// engineHere verifies the engine's plugin before it runs a graph, since an altered plugin can crash the process.
func engineHere() (string, error) {
	choice, err := backend.Choose()
	if err != nil {
		return "", err
	}
	sum, err := choice.VerifyPlugin()
	if err != nil {
		return "", fmt.Errorf("%w; if `omm setup` installed the plugin, run it again", err)
	}
	b, _, err := backend.Open()
	if err != nil {
		return "", err
	}
	if err := backend.Try(b); err != nil {
		return "", fmt.Errorf("%s: %w; run `omm setup`, or set GOMLX_BACKEND=go:ops_sequential", choice.Config, err)
	}
	text := fmt.Sprintf("%s on %s: %s", choice.Kind, strings.TrimSpace(b.DeviceDescription(0)), choice.Reason)
	if choice.Plugin != "" {
		text += fmt.Sprintf("; plugin %s, SHA-256 %s", cmp.Or(choice.Version, choice.Plugin), sum)
	}
	return text, nil
}
