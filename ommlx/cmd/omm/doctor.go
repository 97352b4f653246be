package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/backend"
	"omm-go/ommlx/internal/fsx"
)

func newDoctor() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check the installation and print how to repair it",
		Long: `Runs a graph on the engine, verifies the plugin's checksum, and looks for the checkout, Python, a C
compiler, a writable cache and the notebook environment. The last line says if everything is ready. The exit code
is 1 if figures and tables cannot be made.`,
		Example: "  omm doctor",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var missing []string
			line := func(name, text string, err error) {
				if err != nil {
					text, missing = "missing: "+sentence(err), append(missing, name)
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%-10s %s\n", name, text)
			}
			line("machine", fmt.Sprintf("%s/%s, %d cores, %.1f GiB of free memory, %s", runtime.GOOS, runtime.GOARCH,
				runtime.NumCPU(), float64(run.FreeMemory())/(1<<30), runtime.Version()), nil)
			root, err := fsx.Checkout()
			line("checkout", root, err)
			cache, err := writableCache()
			line("cache", cache, err)
			compiler, err := cCompiler()
			line("compiler", compiler, err)
			line("python", "3.11 or later", backend.RequirePython(cmd.Context()))
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
			if missing != nil {
				line("ready", "except "+strings.Join(missing, ", "), nil)
				return nil
			}
			line("ready", "for figures, tables and notebooks", nil)
			return nil
		},
	}
}

// writableCache returns the cache folder. The error says if it cannot be written.
func writableCache() (string, error) {
	cache, err := fsx.Cache()
	if err != nil {
		return "", err
	}
	probe := filepath.Join(cache, fmt.Sprintf("doctor-%d", os.Getpid()))
	if err := cmp.Or(os.MkdirAll(cache, 0o755), fsx.Write(probe, nil), os.Remove(probe)); err != nil {
		return "", fmt.Errorf("%w; set %s to a writable folder", err, fsx.CacheVariable)
	}
	return cache, nil
}

// cCompiler returns the path of the C compiler with which Go builds this program.
func cCompiler() (string, error) {
	for _, name := range []string{cmp.Or(os.Getenv("CC"), "cc"), "gcc"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("no C compiler; install gcc (Debian and Ubuntu: apt install gcc libc6-dev)")
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
