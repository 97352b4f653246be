package main

import (
	"context"
	"debug/buildinfo"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// kernelPackages are the programs of the Go kernel that are built from this checkout's pins.
var kernelPackages = map[string]string{
	"gonb":      "github.com/janpfeifer/gonb",
	"goimports": "golang.org/x/tools/cmd/goimports",
}

// buildKernel builds the kernel at the versions that go.mod pins, which takes a moment where it is there, and gopls,
// without which notebooks run too.
func buildKernel(ctx context.Context, root string, p notebookPaths, out io.Writer) error {
	said := false
	for name, path := range kernelPackages {
		file := filepath.Join(p.bin, name)
		if info, err := buildinfo.ReadFile(file); err != nil || info.Path != path {
			_ = os.Remove(file) // which the go command does not overwrite if it is something else
			if !said {
				fmt.Fprintln(out, "Building the Go kernel (gonb) and goimports …")
				said = true
			}
		}
		if err := command(ctx, root, nil, "go", "build", "-o", file, path); err != nil {
			return err
		}
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
