package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"omm-go/ommlx/artifact/notebook"
	"omm-go/ommlx/backend"
	"omm-go/ommlx/internal/fsx"
)

// jupyterLock pins JupyterLab, nbconvert, nbclient and their dependencies. go.mod pins GoNB and goimports.
//
//go:embed jupyter.txt
var jupyterLock string

// goplsVersion is the version of gopls. Go's checksum database verifies it.
const goplsVersion = "v0.23.0"

// notebookPaths contains the paths of the notebook environment.
type notebookPaths struct {
	venv string // Python environment with JupyterLab
	bin  string // gonb, goimports, gopls
}

// notebookHome returns the paths in the cache folder. Other pins make another environment.
func notebookHome() (notebookPaths, error) {
	cache, err := fsx.Cache()
	pins := sha256.Sum256([]byte(jupyterLock))
	return notebookPaths{filepath.Join(cache, fmt.Sprintf("venv-jupyter-%x", pins[:6])), filepath.Join(cache, "bin")},
		err
}

func (p notebookPaths) jupyter() string { return filepath.Join(p.venv, "bin", "jupyter") }
func (p notebookPaths) gonb() string    { return filepath.Join(p.bin, "gonb") }
func (p notebookPaths) kernel() string {
	return filepath.Join(p.venv, "share", "jupyter", "kernels", "gonb", "kernel.json")
}

// complete is a file that marks a finished installation.
func (p notebookPaths) complete() string { return filepath.Join(p.venv, "complete") }

// setupNotebooks creates the Python environment, builds the pinned kernel and registers it in that environment only; it
// does not touch the user's Jupyter. It also returns the folder of the notebooks.
func setupNotebooks(ctx context.Context, out io.Writer) (p notebookPaths, dir string, err error) {
	root, err := fsx.Checkout()
	if err != nil {
		return p, "", err
	}
	if p, err = notebookHome(); err != nil {
		return p, "", err
	}
	if err := installJupyter(ctx, p, out); err != nil {
		return p, "", err
	}
	if err := buildKernel(ctx, root, p, out); err != nil {
		return p, "", err
	}
	if err := registerKernel(p); err != nil {
		return p, "", fmt.Errorf("registering the Go kernel: %w", err)
	}
	fmt.Fprintf(out, "JupyterLab and the Go kernel are ready: %s\n", p.venv)
	return p, filepath.Join(root, "notebooks"), nil
}

func installJupyter(ctx context.Context, p notebookPaths, out io.Writer) error {
	if _, err := os.Stat(p.complete()); err == nil {
		fmt.Fprintln(out, "JupyterLab is installed.")
		return nil
	}
	fmt.Fprintln(out, "Installing JupyterLab with pip (about 50 MB) …")
	if err := command(ctx, "", nil, "python3", "-m", "venv", "--clear", p.venv); err != nil {
		return fmt.Errorf("%w (Debian and Ubuntu: apt install python3-venv)", err)
	}
	if err := backend.InstallLocked(ctx, filepath.Join(p.venv, "bin", "python"), jupyterLock); err != nil {
		return err
	}
	return os.WriteFile(p.complete(), nil, 0o644)
}

// registerKernel writes JupyterLab's settings and the files of `gonb --install`. The kernel's environment has its tools
// on the PATH, and the Makefile's GOEXPERIMENT so that both share compiled packages. The kernel prints compiler
// messages as text: HTML messages would be missing from the output of nbconvert.
func registerKernel(p notebookPaths) error {
	goTool, err := exec.LookPath("go")
	if err != nil {
		return fmt.Errorf("go command not found")
	}
	shim := filepath.Dir(p.kernel()) // folder of the wrapper around the go command
	path := strings.Join([]string{shim, p.bin, filepath.Dir(goTool), "${PATH}"}, string(os.PathListSeparator))
	text, _ := json.MarshalIndent(map[string]any{ // strings cannot fail
		"argv": []string{p.gonb(), "--kernel", "{connection_file}", "-logtostderr=false",
			"-log_file=" + os.DevNull, "-stderrthreshold=FATAL", "-raw_error=true"},
		"display_name": "Go (gonb)",
		"language":     "go",
		// A signal also reaches the compiler. A message reaches only a running program.
		"interrupt_mode": "signal",
		"env":            map[string]string{"PATH": path, "GOEXPERIMENT": "simd"},
	}, "", "  ")
	write := func(file string, text []byte, mode fs.FileMode) error {
		return errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, text, mode))
	}
	lab := filepath.Join(p.venv, "share", "jupyter", "lab", "settings", "overrides.json")
	return errors.Join(write(lab, []byte(settings), 0o644), write(p.kernel(), text, 0o644),
		write(filepath.Join(shim, "go"), fmt.Appendf(nil, goOfNotebooks, goTool, fsx.Module), 0o755))
}

// goOfNotebooks is the template of a wrapper around the go command at a path, for a module. If a cell does not compile
// because the notebook's first cell has not run, as after a restart, the wrapper prints one line instead of a page of
// undefined names, and skips `go get`, which would look for the module on the network.
const goOfNotebooks = `#!/bin/sh
case $1 in get|build) ;; *) exec '%[1]s' "$@" ;; esac
if grep -q '=>' go.mod; then exec '%[1]s' "$@"; fi
[ "$1" = build ] || { grep -q '"%[2]s/' main.go || exec '%[1]s' "$@"; exit 0; }
said=$('%[1]s' "$@" 2>&1) && exit
status=$?
case $said in *undefined:*|*%[2]s/*) said='Run the first cell of this notebook first: it imports the library.' ;; esac
printf '%%s\n' "$said"
exit $status
`

// buildKernel builds the kernel and goimports at the versions in go.mod, and gopls, which is optional.
func buildKernel(ctx context.Context, root string, p notebookPaths, out io.Writer) error {
	fmt.Fprintln(out, "Building the Go kernel (gonb) and goimports …")
	// GoNB reports the Go version that built it. Opening a notebook with another version would modify the notebook.
	if err := command(ctx, root, []string{"GOEXPERIMENT=simd"}, "go", "build", "-o", p.bin+string(os.PathSeparator),
		"github.com/janpfeifer/gonb", "golang.org/x/tools/cmd/goimports"); err != nil {
		return err
	}
	if info, err := buildinfo.ReadFile(filepath.Join(p.bin, "gopls")); err == nil && info.Main.Version == goplsVersion {
		return nil
	}
	fmt.Fprintln(out, "Building gopls, for completion in notebooks …")
	gopls := "golang.org/x/tools/gopls@" + goplsVersion
	if err := command(ctx, root, []string{"GOBIN=" + p.bin}, "go", "install", gopls); err != nil {
		fmt.Fprintf(out, "Continuing without completion in notebooks: %s.\n", err)
	}
	return nil
}

// command runs a program silently. Its error contains the last line of output.
func command(ctx context.Context, dir string, env []string, name string, args ...string) error {
	var output bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, append(os.Environ(), env...), &output, &output
	err := cmd.Run()
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return fmt.Errorf("interrupted while running %s", name)
	}
	lines := strings.Split(strings.TrimSpace(output.String()), "\n")
	return fmt.Errorf("`%s %s` failed: %s", filepath.Base(name), strings.Join(args, " "),
		cmp.Or(lines[len(lines)-1], err.Error()))
}

func newNotebooks() *cobra.Command {
	try := false
	c := &cobra.Command{
		Use:   "notebooks [FILE.ipynb ...]",
		Short: "Execute the notebooks without a screen, in place; fail if a cell fails",
		Example: `  omm notebooks
  omm notebooks notebooks/00_start_here.ipynb
  omm notebooks --try`,
		RunE: func(cmd *cobra.Command, files []string) error {
			out := cmd.OutOrStdout()
			for _, file := range files {
				if _, err := os.Stat(file); err != nil || filepath.Ext(file) != ".ipynb" {
					return wrongUse(fmt.Errorf("no notebook %s; the notebooks are in notebooks/", file))
				}
			}
			p, dir, err := setupNotebooks(cmd.Context(), out)
			if err != nil {
				return err
			}
			if len(files) == 0 {
				names, _ := fs.Glob(os.DirFS(dir), "*.ipynb") // fails only on a malformed pattern
				for _, name := range names {
					files = append(files, filepath.Join(dir, name))
				}
			}
			if try {
				return p.try(cmd.Context(), files, dir, out)
			}
			return p.execute(cmd.Context(), files, out)
		},
	}
	c.Flags().BoolVar(&try, "try", false, "run the changes that the notebooks suggest; write nothing")
	return c
}

// execute runs all notebooks with these environment variables, continues after a failure, and returns an error with the
// names of failed notebooks, which it does not write. Two run at a time, since one leaves a core idle while it
// compiles.
func (p notebookPaths) execute(ctx context.Context, files []string, out io.Writer, variables ...string) error {
	defer endKernels()
	var group sync.WaitGroup
	var printing sync.Mutex
	var failed []string
	free, done := make(chan struct{}, min(2, runtime.NumCPU())), 0
	for _, file := range files {
		free <- struct{}{}
		group.Go(func() {
			defer func() { <-free }()
			var output bytes.Buffer
			cmd := p.jupyterCommand(ctx, "nbconvert", "--to", "notebook", "--execute", "--inplace",
				"--ExecutePreprocessor.timeout=3600", "--ExecutePreprocessor.record_timing=False", file)
			cmd.Stdout, cmd.Stderr, cmd.Env = &output, &output, append(cmd.Env, variables...)
			start, name := time.Now(), filepath.Base(file)
			err := cmd.Run()
			took := time.Since(start).Round(time.Second)
			printing.Lock()
			defer printing.Unlock()
			switch done++; {
			case ctx.Err() != nil:
			case err != nil:
				failed = append(failed, name)
				text := output.String()
				if at := strings.Index(text, "An error occurred while executing the following cell:"); at > 0 {
					text = text[at:] // without the traceback of nbconvert
				}
				fmt.Fprintf(out, "[%d/%d] %s … FAILED\n%s\n", done, len(files), name, strings.TrimSpace(text))
			default:
				fmt.Fprintf(out, "[%d/%d] %s … done in %s\n", done, len(files), name, took)
			}
		})
	}
	group.Wait()
	if ctx.Err() != nil {
		return errors.New("interrupted while executing notebooks")
	}
	if failed != nil {
		return fmt.Errorf("a cell failed in %s", strings.Join(failed, ", "))
	}
	return nil
}

// try runs the suggested changes in copies of the notebooks. The copies lie next to notebooks/, since a notebook looks
// for the library in the folder above.
func (p notebookPaths) try(ctx context.Context, files []string, dir string, out io.Writer) (err error) {
	copies, err := os.MkdirTemp(filepath.Dir(dir), ".lab-tries-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(copies)) }()
	write := func(name string, text []byte) error { return os.WriteFile(filepath.Join(copies, name), text, 0o644) }
	if err := write("go.mod", []byte("module tries\n")); err != nil { // so that Go looks for no packages here
		return err
	}
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		tries, err := notebook.Tries(text)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		name := filepath.Base(file)
		files[i] = filepath.Join(copies, name)
		if slices.Contains(files[:i], files[i]) {
			return fmt.Errorf("two notebooks are named %s; try them one at a time", name)
		}
		if err := write(name, tries); err != nil {
			return err
		}
	}
	return p.execute(ctx, files, out)
}
