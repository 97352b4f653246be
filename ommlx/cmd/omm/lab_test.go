package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/testkit"
)

// home returns the paths of a notebook environment in a temporary cache.
func home(t *testing.T) notebookPaths {
	t.Setenv("OMM_CACHE", t.TempDir())
	return testkit.Must(notebookHome())
}

// TestCellsOfOwnNotebooks builds cells as GoNB does, in a checkout and outside.
func TestCellsOfOwnNotebooks(t *testing.T) {
	root := testkit.Must(fsx.Checkout())
	p := home(t)
	require.NoError(t, registerKernel(p))
	t.Setenv("GOPROXY", "off") // nothing needs the network
	inFolder := func(notebooks string) (build func(main string) string) {
		dir := t.TempDir()
		goCommand := func(args ...string) string {
			cmd := exec.Command(filepath.Join(filepath.Dir(p.kernel()), "go"), args...)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "GONB_DIR="+notebooks)
			out, _ := cmd.CombinedOutput()
			return string(out)
		}
		goCommand("mod", "init", "gonb_test")
		return func(main string) string {
			write(t, filepath.Join(dir, "main.go"), "package main\n\n"+main)
			assert.Empty(t, goCommand("get"))
			return goCommand("build", "-o", os.DevNull)
		}
	}
	const imports = "import \"omm-go/ommlx/learn\"\n\n"
	build := inFolder(filepath.Join(root, "notebooks"))
	assert.Empty(t, build(imports+"func main() { _ = learn.None }\n"))
	assert.Regexp(t, `undefined: chain\n.*cells above.*\n$`, build(imports+"func main() { _ = learn.None; chain() }\n"))
	assert.Regexp(t, `undefined: learn.Non\n.*after the dot.*\n$`, build(imports+"func main() { _ = learn.Non }\n"))
	assert.NotContains(t, build("func main() { return 1 }\n"), "cells above")
	assert.NotContains(t, build("import _ \"omm-go/ommlx/lern\"\n\nfunc main() {}\n"), "clone")

	build = inFolder(t.TempDir())
	line := "!*go mod edit -require=omm-go@v0.0.0 -replace=omm-go="
	assert.Contains(t, build(imports+"func main() { _ = learn.None }\n"), line)
	assert.Empty(t, build("func main() {}\n"))
}

// TestCopiesKeepChanges: a copy follows its notebook until the user changes it.
func TestCopiesKeepChanges(t *testing.T) {
	root := t.TempDir()
	t.Chdir(root)
	expect := func(copies string, notes int) {
		t.Helper()
		var said bytes.Buffer
		require.NoError(t, copyNotebooks(root, &said))
		a, b := testkit.Must(os.ReadFile("lab/a.ipynb")), testkit.Must(os.ReadFile("lab/b.ipynb"))
		assert.Equal(t, copies, string(a)+" "+string(b))
		assert.Equal(t, notes, strings.Count(said.String(), "\n"))
		assert.Equal(t, notes > 0, strings.Contains(said.String(), "a.ipynb"))
		assert.NotContains(t, said.String(), "b.ipynb")
	}
	write(t, "notebooks/a.ipynb", "a1")
	write(t, "notebooks/b.ipynb", "b1")
	expect("a1 b1", 0)
	write(t, "lab/a.ipynb", "mine")
	expect("mine b1", 0)
	write(t, "notebooks/b.ipynb", "b2")
	expect("mine b2", 0)
	write(t, "notebooks/a.ipynb", "a2")
	expect("mine b2", 1)
	expect("mine b2", 1)
	require.NoError(t, os.Remove("lab/a.ipynb"))
	expect("a2 b2", 0)
	require.NoError(t, os.RemoveAll(".omm")) // make clean
	expect("a2 b2", 0)
	write(t, "notebooks/a.ipynb", "a3")
	expect("a3 b2", 0)
	// If a copy cannot be written, it is not recorded as made: then it would count as changed by the user.
	write(t, "notebooks/c.ipynb", "c1")
	require.NoError(t, os.Mkdir("lab/c.ipynb", 0o755))
	require.Error(t, copyNotebooks(root, io.Discard))
	require.NoError(t, os.Remove("lab/c.ipynb"))
	require.NoFileExists(t, ".omm/notebooks/c.ipynb")
}

// TestJupyterLog: the terminal gets the address once and errors; the file gets everything.
func TestJupyterLog(t *testing.T) {
	const stamp = " 2026-11-29 14:35:42.905 ServerApp] "
	log := "[W" + stamp + "404 GET /x\n[I" + stamp + "Jupyter Server 2.21.1 is running at:\n" +
		"[I" + stamp + "http://0.0.0.0:8888/lab?token=abc\n[I" + stamp + "    http://127.0.0.1:8888/lab?token=abc\n" +
		"[C" + stamp + "\n\n    Or copy and paste one of these URLs:\n        http://127.0.0.1:8888/lab?token=abc\n" +
		"[E" + stamp + "Uncaught exception GET /y\n    Traceback (most recent call last):\n" +
		"[I" + stamp + "Kernel started"
	var file, out bytes.Buffer
	showLog(t.Context(), strings.NewReader("usage\n"+log), &file, &out)
	assert.Equal(t, "usage\nJupyterLab is at http://127.0.0.1:8888/lab?token=abc (Ctrl-C stops it)\n"+
		"[E"+stamp+"Uncaught exception GET /y\n    Traceback (most recent call last):\n", out.String())
	assert.Equal(t, "usage\n"+log, file.String())
}

// TestLabRemovesItsFiles: files of kernels are gone after Ctrl-C, and an error of JupyterLab names the log.
func TestLabRemovesItsFiles(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	log := filepath.Join(t.TempDir(), "lab.log")
	var out bytes.Buffer
	run := func(script string) error {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		jupyter := exec.CommandContext(ctx, "sh", "-c", script)
		jupyter.Env = os.Environ()
		return runJupyter(ctx, jupyter, log, &out)
	}
	assert.NoError(t, run(`mkfifo "$TMPDIR/gonb_pipe_1" && ls "$TMPDIR"; exec sleep 60`))
	assert.Equal(t, "gonb_pipe_1\n", out.String())
	assert.ErrorContains(t, run("exit 3"), log)
	assert.Empty(t, testkit.Must(os.ReadDir(os.Getenv("TMPDIR"))))
}
