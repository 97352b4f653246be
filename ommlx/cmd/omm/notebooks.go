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

// jupyterLock pins JupyterLab, nbconvert, nbclient and all that they need; GoNB and goimports are pinned in go.mod.
//
//go:embed jupyter.txt
var jupyterLock string

// goplsVersion is the version of gopls, which the checksum database of Go verifies.
const goplsVersion = "v0.23.0"

// notebookPaths says where the notebook environment lies.
type notebookPaths struct {
	venv string // Python environment with JupyterLab
	bin  string // gonb, goimports, gopls
}

// notebookHome lays the environment out below the cache folder. Another pin is another environment.
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

// complete marks an environment whose installation ran to its end.
func (p notebookPaths) complete() string { return filepath.Join(p.venv, "complete") }

// setupNotebooks creates the Python environment, builds the kernel from this checkout's pins and registers it in that
// environment only; the user's own Jupyter stays as it is. It returns the folder of the notebooks, too.
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

// registerKernel writes the settings of JupyterLab, and what `gonb --install` writes, with the environment that the
// kernel needs: its tools on the PATH, and the same GOEXPERIMENT as the Makefile, so that both share compiled
// packages. The kernel is asked for compiler messages as text: as HTML they would not reach the account of a notebook
// that fails without a screen.
func registerKernel(p notebookPaths) error {
	goTool, err := exec.LookPath("go")
	if err != nil {
		return fmt.Errorf("the go command was not found")
	}
	shim := filepath.Dir(p.kernel()) // holds the go command of notebooks, which calls the other one
	path := strings.Join([]string{shim, p.bin, filepath.Dir(goTool), "${PATH}"}, string(os.PathListSeparator))
	text, _ := json.MarshalIndent(map[string]any{ // strings cannot fail
		"argv": []string{p.gonb(), "--kernel", "{connection_file}", "-logtostderr=false",
			"-log_file=" + os.DevNull, "-stderrthreshold=FATAL", "-raw_error=true"},
		"display_name": "Go (gonb)",
		"language":     "go",
		// A signal reaches the compiler, too; a message is heard by a program that runs, and lost before that.
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

// goOfNotebooks is the go command that GoNB calls, of a path and a module. Where a cell does not compile because the
// first one of its notebook has not been run, as after a restart, one line replaces a page of unknown
// names; `go get` would look for the module elsewhere.
const goOfNotebooks = `#!/bin/sh
case $1 in get|build) ;; *) exec '%[1]s' "$@" ;; esac
if grep -q '=>' go.mod; then exec '%[1]s' "$@"; fi
[ "$1" = build ] || { grep -q '"%[2]s/' main.go || exec '%[1]s' "$@"; exit 0; }
said=$('%[1]s' "$@" 2>&1) && exit
status=$?
case $said in *undefined:*|*%[2]s/*) said='Run the first cell of this notebook: it makes the library known.' ;; esac
printf '%%s\n' "$said"
exit $status
`

// buildKernel builds the kernel and goimports at the versions that go.mod pins, which takes a moment where they are
// there, and gopls, without which notebooks run too.
func buildKernel(ctx context.Context, root string, p notebookPaths, out io.Writer) error {
	fmt.Fprintln(out, "Building the Go kernel (gonb) and goimports …")
	// GoNB says by which Go it was built; a notebook that says otherwise would be modified when it is opened.
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
		fmt.Fprintf(out, "Going on without completion in notebooks: %s.\n", err)
	}
	return nil
}

// command runs a program quietly; its last line of output explains a failure.
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
					return wrongUse(fmt.Errorf("there is no notebook %s; they are in notebooks/", file))
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

// execute runs all notebooks with these variables, also those after one that fails, and names those that failed. It
// does not write a notebook that fails. Two run at a time, since one leaves a core idle while it compiles.
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
				account := output.String()
				if at := strings.Index(account, "An error occurred while executing the following cell:"); at > 0 {
					account = account[at:] // without a traceback of nbconvert's own code
				}
				fmt.Fprintf(out, "[%d/%d] %s … FAILED\n%s\n", done, len(files), name, strings.TrimSpace(account))
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

// try executes what the notebooks suggest in copies next to their folder, where a notebook finds the library.
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
			return fmt.Errorf("two of the notebooks are named %s; try them one after the other", name)
		}
		if err := write(name, tries); err != nil {
			return err
		}
	}
	return p.execute(ctx, files, out)
}
