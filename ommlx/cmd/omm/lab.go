package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/spf13/cobra"
)

// settings replace defaults of JupyterLab: by those it gives up on a completion after a second, while gopls takes
// several before it knows the packages, and asks whether to fetch news.
const settings = `{
  "@jupyterlab/completer-extension:manager": {"providerTimeout": 30000},
  "@jupyterlab/apputils-extension:notification": {"fetchNews": "false"}
}
`

func newLab() *cobra.Command {
	return &cobra.Command{
		Use:   "lab [-- OPTION ...]",
		Short: "Open the notebooks in JupyterLab",
		Long: `Installs JupyterLab and the Go kernel where they are missing, then opens the notebooks of this checkout,
the first one in front. Ctrl-C ends JupyterLab, its kernels and what they train. Options after -- are
JupyterLab's.`,
		Example: `  omm lab
  omm lab -- --no-browser --port=8890`,
		RunE: func(cmd *cobra.Command, options []string) error {
			p, dir, err := setupNotebooks(cmd.Context(), cmd.OutOrStdout())
			if err != nil {
				return err
			}
			if os.Geteuid() == 0 {
				options = append(options, "--allow-root") // as in a container; without it JupyterLab does not start
			}
			go func() { // gopls reads what notebooks import, and keeps it for the first completion
				_ = command(cmd.Context(), filepath.Dir(dir), []string{"GOEXPERIMENT=simd"},
					filepath.Join(p.bin, "gopls"), "check", filepath.Join("ommlx", "artifact", "notebook", "train.go"))
			}()
			jupyter := p.jupyterCommand(cmd.Context(), append([]string{"lab",
				"--LabApp.default_url=/lab/tree/00_start_here.ipynb"}, options...)...)
			jupyter.Dir = dir // which an option --notebook-dir replaces
			jupyter.Stdout, jupyter.Stderr = cmd.OutOrStdout(), cmd.ErrOrStderr()
			defer endKernels()
			if err := jupyter.Run(); err != nil && cmd.Context().Err() == nil {
				return fmt.Errorf("JupyterLab ended with an error: %w", err)
			}
			return nil
		},
	}
}

// kernelMark is in the environment of Jupyter, its kernels and what they start.
var kernelMark = fmt.Sprintf("OMM_JUPYTER=%d-%d", os.Getpid(), time.Now().UnixNano())

// endKernels kills, on Linux, what Jupyter's kernels leave: trainings of cells, and gopls in its own process group.
func endKernels() {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		if text, _ := os.ReadFile(file); bytes.Contains(text, []byte(kernelMark)) {
			if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	}
}

// jupyterCommand prepares a jupyter command of this environment. It has another process group: Ctrl-C in the
// terminal would make Jupyter ask whether to shut down. Instead it gets SIGTERM, and ends its kernels.
func (p notebookPaths) jupyterCommand(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, p.jupyter(), args...)
	// JUPYTER_PREFER_ENV_PATH lets our kernel win over one of the same name in the user's own Jupyter.
	cmd.Env = append(os.Environ(), kernelMark, "JUPYTER_PREFER_ENV_PATH=1",
		"PATH="+filepath.Join(p.venv, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 20 * time.Second // for its kernels to end
	return cmd
}
