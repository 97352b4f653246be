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
	"strings"

	"omm-go/ommlx/backend"
	"omm-go/ommlx/internal/fsx"
)

// jupyterLock pins JupyterLab, nbconvert, nbclient and their dependencies. go.mod pins GoNB and goimports.
//
//go:embed jupyter.txt
var jupyterLock string

// goplsVersion is the version of gopls. Go's checksum database verifies it.
const goplsVersion = "v0.23.0"

// settings overrides JupyterLab's defaults. By default a completion times out after a second, but gopls needs several
// to load packages, and JupyterLab asks whether to fetch news.
//
//go:embed overrides.json
var settings string

// hints is JupyterLab's configuration. It extends GoNB's message about a cell that has statements but no line %%.
//
//go:embed jupyter_server_config.py
var hints string

// goOfNotebooks is a wrapper around the go command @GO@, for the module @MODULE@. GoNB calls `go mod init` for a
// notebook, and `go get` and `go build` for every cell.
//
//   - A notebook in a checkout can import the library at once.
//   - `go get` runs only if the build needs it, and not for the library, which has no place on the network.
//   - A program has no debugging data, which saves a second per cell.
//   - A cell that imports package learn has progress below it: it also gets package notebook.
//   - Undefined names have a hint.
//
//go:embed notebook_go.sh
var goOfNotebooks string

// notebookPaths contains the paths of the notebook environment in the cache folder. Other pins make another
// environment.
type notebookPaths struct {
	venv string // Python environment with JupyterLab
	bin  string // gonb, goimports, gopls
}

func notebookHome() (notebookPaths, error) {
	cache, err := fsx.Cache()
	pins := sha256.Sum256([]byte(jupyterLock))
	return notebookPaths{filepath.Join(cache, fmt.Sprintf("venv-jupyter-%x", pins[:6])), filepath.Join(cache, "bin")},
		err
}

func (p notebookPaths) jupyter() string { return filepath.Join(p.venv, "bin", "jupyter") }
func (p notebookPaths) kernel() string {
	return filepath.Join(p.venv, "share", "jupyter", "kernels", "gonb", "kernel.json")
}

// complete is a file that marks a finished installation.
func (p notebookPaths) complete() string { return filepath.Join(p.venv, "complete") }

// setupNotebooks creates the Python environment, builds the pinned kernel and registers it in that environment only; it
// does not touch the user's Jupyter. It also returns the checkout.
func setupNotebooks(ctx context.Context, out io.Writer) (p notebookPaths, root string, err error) {
	if root, err = fsx.Checkout(); err != nil {
		return p, "", err
	}
	if p, err = notebookHome(); err != nil {
		return p, "", err
	}
	if _, err := os.Stat(p.complete()); err != nil {
		if err := installJupyter(ctx, p, out); err != nil {
			return p, "", err
		}
	}
	if err := buildKernel(ctx, root, p, out); err != nil {
		return p, "", err
	}
	if err := registerKernel(p); err != nil {
		return p, "", fmt.Errorf("registering the Go kernel: %w", err)
	}
	fmt.Fprintf(out, "JupyterLab and the Go kernel are ready: %s\n", p.venv)
	return p, root, nil
}

func installJupyter(ctx context.Context, p notebookPaths, out io.Writer) error {
	if err := backend.RequirePython(ctx); err != nil {
		return err
	}
	fmt.Fprintln(out, "Installing JupyterLab with pip (about 50 MB) …")
	if err := command(ctx, "", nil, "python3", "-m", "venv", "--clear", p.venv); err != nil {
		return fmt.Errorf("%w; on Debian and Ubuntu install python3-venv", err)
	}
	if err := backend.InstallLocked(ctx, filepath.Join(p.venv, "bin", "python"), jupyterLock,
		"-r ommlx/cmd/omm/jupyter.txt"); err != nil {
		return err
	}
	return os.WriteFile(p.complete(), nil, 0o644)
}

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

// registerKernel writes JupyterLab's settings and the files of `gonb --install`. The kernel's environment has its tools
// on the PATH, and the Makefile's GOEXPERIMENT so that both share compiled packages. The kernel prints compiler
// messages as text: HTML messages would be missing from the output of nbconvert.
func registerKernel(p notebookPaths) error {
	goTool, err := exec.LookPath("go")
	if err != nil {
		return err
	}
	wrapper := strings.NewReplacer("@GO@", goTool, "@MODULE@", fsx.Module).Replace(goOfNotebooks)
	folder := filepath.Dir(p.kernel())
	path := strings.Join([]string{folder, p.bin, filepath.Dir(goTool), "${PATH}"}, string(os.PathListSeparator))
	text, _ := json.MarshalIndent(map[string]any{ // strings cannot fail
		"argv": []string{filepath.Join(p.bin, "gonb"), "--kernel", "{connection_file}", "-logtostderr=false",
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
	return errors.Join(
		write(filepath.Join(p.venv, "share", "jupyter", "lab", "settings", "overrides.json"), []byte(settings), 0o644),
		write(filepath.Join(p.venv, "etc", "jupyter", "jupyter_server_config.py"), []byte(hints), 0o644),
		write(p.kernel(), text, 0o644),
		write(filepath.Join(folder, "go"), []byte(wrapper), 0o755))
}

// command runs a program silently. Its error contains the last line of output.
func command(ctx context.Context, dir string, env []string, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	output, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return fmt.Errorf("interrupted while running %s", name)
	}
	if err != nil {
		lines := bytes.Split(bytes.TrimSpace(output), []byte("\n"))
		return fmt.Errorf("`%s %s` failed: %s", filepath.Base(name), strings.Join(args, " "),
			cmp.Or(string(lines[len(lines)-1]), err.Error()))
	}
	return nil
}
