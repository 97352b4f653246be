package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"omm-go/ommlx/internal/fsx"
)

// labFolder has the user's copies of the notebooks, next to the committed ones, with the same relative links.
const labFolder = "lab"

func newLab() *cobra.Command {
	return &cobra.Command{
		Use:   "lab [-- OPTION ...]",
		Short: "Open copies of the notebooks in JupyterLab",
		Long: `Installs JupyterLab and the Go kernel if they are missing, and opens the copies of the notebooks in the
folder lab of the checkout. A copy that you change stays; the others follow the folder notebooks. To change a
notebook itself, open it there.
Options after -- go to JupyterLab. Ctrl-C stops JupyterLab, its kernels and their trainings.`,
		Example: "  omm lab\n  omm lab -- --no-browser --port=8890",
		RunE: func(cmd *cobra.Command, options []string) error {
			p, root, err := setupNotebooks(cmd.Context(), cmd.OutOrStdout())
			if err != nil {
				return err
			}
			if err := copyNotebooks(root, cmd.OutOrStdout()); err != nil {
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
				"--LabApp.default_url=/lab/tree/" + labFolder + "/00_start_here.ipynb"}, options...)...)
			jupyter.Dir = root // not its folder lab: notebooks show pictures of ../figures
			return runJupyter(cmd.Context(), jupyter, filepath.Join(root, ".omm", "lab.log"), cmd.OutOrStdout())
		},
	}
}

// copyNotebooks updates the copies of the committed notebooks. It keeps a copy that the user has changed since it was
// made, and names it if the committed notebook has changed too.
func copyNotebooks(root string, out io.Writer) error {
	mine, made := filepath.Join(root, labFolder), filepath.Join(root, ".omm", "notebooks") // made: as they were made
	if err := errors.Join(os.MkdirAll(mine, 0o755), os.MkdirAll(made, 0o755)); err != nil {
		return err
	}
	files, _ := fs.Glob(os.DirFS(root), "notebooks/*.ipynb") // the pattern is valid
	var kept []string
	for _, file := range files {
		name := filepath.Base(file)
		committed, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			return err
		}
		original, _ := os.ReadFile(filepath.Join(made, name))
		now, err := os.ReadFile(filepath.Join(mine, name))
		follows := bytes.Equal(original, committed)
		isCopy := bytes.Equal(now, committed)
		changed := !errors.Is(err, fs.ErrNotExist) && !bytes.Equal(now, original) && !isCopy
		switch {
		case changed && !follows:
			kept = append(kept, name)
		case !changed && !(follows && isCopy):
			if err := fsx.Write(filepath.Join(mine, name), committed); err != nil {
				return err
			}
			if err := fsx.Write(filepath.Join(made, name), committed); err != nil {
				return err
			}
		}
	}
	if len(kept) > 0 {
		fmt.Fprintf(out, "Kept your changes in %s; notebooks/ has newer versions of %s. To get one, delete the copy.\n",
			mine, strings.Join(kept, ", "))
	}
	return nil
}

// runJupyter runs JupyterLab with its log in a file. Pipes and programs of its kernels are in a temporary folder, which
// it removes.
func runJupyter(ctx context.Context, jupyter *exec.Cmd, logFile string, out io.Writer) error {
	file, err := os.Create(logFile)
	if err != nil {
		return err
	}
	defer file.Close()
	dir, err := os.MkdirTemp("", "omm-lab-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	jupyter.Env = append(jupyter.Env, "TMPDIR="+dir)
	// Without a file as its output, Run would wait for all processes that inherit the output.
	log, written, err := os.Pipe()
	if err != nil {
		return err
	}
	jupyter.Stdout, jupyter.Stderr = written, written
	shown := make(chan struct{})
	go func() {
		defer close(shown)
		showLog(ctx, log, file, out)
	}()
	err = jupyter.Run()
	endKernels()
	_, _ = written.Close(), log.SetReadDeadline(time.Now().Add(time.Second))
	<-shown
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("JupyterLab ended with an error: %w; its log is %s", err, logFile)
	}
	return nil
}

// showLog copies Jupyter's log to a file. It prints the address once, and records of errors until the context ends.
func showLog(ctx context.Context, log io.Reader, file, out io.Writer) {
	const record = `^\[([A-Z]) .*?\] *`
	prefix, address := regexp.MustCompile(record), regexp.MustCompile(record+`(http\S+)`)
	isError, announced := true, false // until the first record, as after an invalid option
	for lines := bufio.NewReader(log); ; {
		line, err := lines.ReadString('\n')
		_, _ = io.WriteString(file, line)
		if at := prefix.FindStringSubmatch(line); at != nil {
			// A critical record that begins with an empty line repeats the address.
			isError = strings.Contains("EC", at[1]) && strings.TrimSpace(line) != strings.TrimSpace(at[0])
		}
		if at := address.FindStringSubmatch(line); at != nil && !announced {
			url := strings.Replace(at[2], "//0.0.0.0:", "//127.0.0.1:", 1)
			fmt.Fprintf(out, "JupyterLab is at %s (Ctrl-C stops it)\n", url)
			announced = true
		}
		if isError && ctx.Err() == nil {
			_, _ = io.WriteString(out, line)
		}
		if err != nil {
			return
		}
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
