package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

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
			require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n\n"+main), 0o644))
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
