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

func newLab() *cobra.Command {
	return &cobra.Command{
		Use:   "lab [-- OPTION ...]",
		Short: "Open the notebooks in JupyterLab",
		Long: `Installs JupyterLab and the Go kernel if they are missing, and opens the notebooks of this checkout.
Options after -- go to JupyterLab. Ctrl-C stops JupyterLab, its kernels and their trainings.`,
		Example: "  omm lab\n  omm lab -- --no-browser --port=8890",
		RunE: func(cmd *cobra.Command, options []string) error {
			p, root, err := setupNotebooks(cmd.Context(), cmd.OutOrStdout())
			if err != nil {
				return err
			}
			if os.Geteuid() == 0 {
				options = append(options, "--allow-root") // in a container; JupyterLab refuses root without it
			}
			go func() { // gopls caches the packages that notebooks import, for the first completion
				_ = command(cmd.Context(), root, []string{"GOEXPERIMENT=simd"}, filepath.Join(p.bin, "gopls"), "check",
					filepath.Join("ommlx", "artifact", "notebook", "train.go"))
			}()
			jupyter := p.jupyterCommand(cmd.Context(), append([]string{"lab",
				"--LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb"}, options...)...)
			jupyter.Dir = root // not notebooks/: notebooks show pictures of ../figures
			jupyter.Stdout, jupyter.Stderr = cmd.OutOrStdout(), cmd.ErrOrStderr()
			defer endKernels()
			if err := jupyter.Run(); err != nil && cmd.Context().Err() == nil {
				return fmt.Errorf("JupyterLab ended with an error: %w", err)
			}
			return nil
		},
	}
}

// kernelMark marks the environment of Jupyter, its kernels and their child processes.
var kernelMark = fmt.Sprintf("OMM_JUPYTER=%d-%d", os.Getpid(), time.Now().UnixNano())

// endKernels kills, on Linux, processes that Jupyter's kernels leave behind: trainings, and gopls with its own process
// group.
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

// jupyterCommand prepares a jupyter command of this environment in a separate process group. Ctrl-C in the terminal
// would make Jupyter ask whether to shut down; SIGTERM makes it stop its kernels.
func (p notebookPaths) jupyterCommand(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, p.jupyter(), args...)
	// JUPYTER_PREFER_ENV_PATH prefers our kernel to the user's kernel with the same name.
	cmd.Env = append(os.Environ(), kernelMark, "JUPYTER_PREFER_ENV_PATH=1",
		"PATH="+filepath.Join(p.venv, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 20 * time.Second // time for its kernels to stop
	return cmd
}
