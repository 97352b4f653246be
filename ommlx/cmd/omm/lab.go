package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"operator-omm/ommlx/internal/fsx"
)

func newLab() *cobra.Command {
	return &cobra.Command{
		Use:   "lab [-- OPTION ...]",
		Short: "Open the notebooks in JupyterLab",
		Long: `Installs JupyterLab and the Go kernel where they are missing, then opens the notebooks of this checkout.
Options after -- are JupyterLab's.`,
		Example: `  omm lab
  omm lab -- --no-browser --port=8890`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, options []string) error {
			p, dir, err := prepareNotebooks(cmd.Context(), cmd.OutOrStdout())
			if err != nil {
				return err
			}
			if os.Geteuid() == 0 {
				options = append(options, "--allow-root") // as in a container; without it JupyterLab does not start
			}
			lab := p.run(cmd.Context(), append([]string{"lab", "--notebook-dir=" + dir}, options...)...)
			lab.Stdin, lab.Stdout, lab.Stderr = os.Stdin, cmd.OutOrStdout(), cmd.ErrOrStderr()
			if err := lab.Run(); err != nil && cmd.Context().Err() == nil {
				return fmt.Errorf("JupyterLab ended with an error: %w", err)
			}
			return nil
		},
	}
}

func newNotebooks() *cobra.Command {
	return &cobra.Command{
		Use:   "notebooks [FILE.ipynb ...]",
		Short: "Execute the notebooks without a screen, in place; fail if a cell fails",
		Example: `  omm notebooks
  omm notebooks notebooks/00_start_here.ipynb`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, files []string) error {
			out := cmd.OutOrStdout()
			if err := areNotebooks(files); err != nil {
				return wrongUse{err}
			}
			p, dir, err := prepareNotebooks(cmd.Context(), out)
			if err != nil {
				return err
			}
			if len(files) == 0 {
				names, _ := fs.Glob(os.DirFS(dir), "*.ipynb") // fails only on a malformed pattern
				for _, name := range names {
					files = append(files, filepath.Join(dir, name))
				}
			}
			if len(files) == 0 {
				return fmt.Errorf("there are no notebooks in %s", dir)
			}
			return p.execute(cmd.Context(), files, out)
		},
	}
}

// areNotebooks returns an error that names the first of the files which is no notebook.
func areNotebooks(files []string) error {
	for _, file := range files {
		text, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("there is no notebook %s; they are in notebooks/", file)
		}
		var notebook struct{ Cells []json.RawMessage }
		if err != nil || json.Unmarshal(text, &notebook) != nil || notebook.Cells == nil {
			return fmt.Errorf("%s is not a notebook; they are in notebooks/", file)
		}
	}
	return nil
}

// prepareNotebooks installs what is missing and returns the notebooks' folder.
func prepareNotebooks(ctx context.Context, out io.Writer) (p notebookPaths, dir string, err error) {
	root, err := fsx.Checkout()
	if err != nil {
		return p, "", err
	}
	cache, err := fsx.Cache()
	if err != nil {
		return p, "", err
	}
	p = notebookHome(cache)
	return p, filepath.Join(root, "notebooks"), setupNotebooks(ctx, p, out)
}

// run prepares a jupyter command of this environment.
func (p notebookPaths) run(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, p.jupyter(), args...)
	// JUPYTER_PREFER_ENV_PATH lets our kernel win over one of the same name in the user's own Jupyter.
	cmd.Env = append(os.Environ(), "JUPYTER_PREFER_ENV_PATH=1",
		"PATH="+filepath.Join(p.venv, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	return cmd
}

// execute runs all notebooks, also those after one that fails, and names those that failed. It does not write a
// notebook that fails.
func (p notebookPaths) execute(ctx context.Context, files []string, out io.Writer) error {
	var failed []string
	for i, file := range files {
		fmt.Fprintf(out, "[%d/%d] %s … ", i+1, len(files), filepath.Base(file))
		start := time.Now()
		output, err := p.run(ctx, "nbconvert", "--to", "notebook", "--execute", "--inplace",
			"--ExecutePreprocessor.timeout=3600", file).CombinedOutput()
		if ctx.Err() != nil {
			fmt.Fprintln(out, "interrupted")
			return errors.New("interrupted while executing notebooks")
		}
		if err != nil {
			failed = append(failed, filepath.Base(file))
			fmt.Fprintf(out, "FAILED\n%s\n", cellError(string(output)))
			continue
		}
		fmt.Fprintf(out, "done in %s\n", time.Since(start).Round(time.Second))
	}
	if failed != nil {
		return fmt.Errorf("a cell failed in %s", strings.Join(failed, ", "))
	}
	return nil
}

// cellError keeps nbconvert's account of the failing cell and drops the traceback of its own code.
func cellError(output string) string {
	const account = "An error occurred while executing the following cell:"
	if _, after, ok := strings.Cut(output, account); ok {
		output = account + after
	}
	return strings.TrimSpace(output)
}
