package main

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/module"
	modzip "golang.org/x/mod/zip"

	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/testkit"
)

// TestTheModuleCanBeRenamed by one command: all imports are found under another path, in notebooks too, and the
// packages that ask for the path know the new one.
func TestTheModuleCanBeRenamed(t *testing.T) {
	root, path := testkit.Committed(t, "."), "example.org/some.body/omm"
	in := func(name string, args ...string) string {
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	in("make", "--silent", "rename", "MODULE_PATH="+path)
	assert.Equal(t, path, strings.TrimSpace(in("go", "list", "-m")))
	in("go", "list", "-deps", "-test", "./ommlx/...") // fails at an import that is nowhere
	in("go", "vet", "./ommlx/internal/fsx", "./ommlx/sparse")
	in("go", "test", "-run", "^TestCheckout$", "./ommlx/internal/fsx")

	old := fsx.Module + "/ommlx"
	check := func(file string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(file) == ".go" {
			assert.NotContains(t, string(testkit.Must(os.ReadFile(file))), old, file)
		}
		return err
	}
	require.NoError(t, filepath.WalkDir(filepath.Join(root, "ommlx"), check))
	notebooks := testkit.Must(filepath.Glob(filepath.Join(root, "notebooks", "*.ipynb")))
	require.NotEmpty(t, notebooks)
	for _, file := range notebooks {
		text := testkit.Must(os.ReadFile(file))
		assert.NotContains(t, string(text), `"`+old, file)
		assert.Contains(t, string(text), "-require="+path+"@v0.0.0 -replace="+path+"=", file)
	}
}

// TestTheLibraryIsSmallToGet holds what `go get` downloads: the packages, and none of the figures, tables and
// notebooks, which are modules of their own for that reason alone.
func TestTheLibraryIsSmallToGet(t *testing.T) {
	testkit.Committed(t, "go.mod") // or skips
	root := testkit.Must(fsx.Checkout())
	var archive bytes.Buffer
	version := module.Version{Path: "example.org/omm", Version: "v0.1.0"}
	require.NoError(t, modzip.CreateFromVCS(&archive, version, root, "HEAD", ""))
	assert.Less(t, archive.Len(), 5_000_000, "bytes")
	files := testkit.Must(zip.NewReader(bytes.NewReader(archive.Bytes()), int64(archive.Len())))
	var names []string
	for _, f := range files.File {
		names = append(names, strings.TrimPrefix(f.Name, "example.org/omm@v0.1.0/"))
	}
	assert.Contains(t, names, "ommlx/learn/learn.go")
	assert.Contains(t, names, "LICENSE")
	for _, name := range names {
		folder, _, _ := strings.Cut(name, "/")
		assert.NotContains(t, []string{"figures", "notebooks", "tables"}, folder, name)
	}
}
