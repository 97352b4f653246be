package main

import (
	"context"
	"debug/buildinfo"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
)

// kernelPackages are the programs of the Go kernel that are built from this checkout's pins.
var kernelPackages = map[string]string{
	"gonb":      "github.com/janpfeifer/gonb",
	"goimports": "golang.org/x/tools/cmd/goimports",
}

// buildKernel builds what is not there at the versions that go.mod pins, and gopls, without which notebooks run too.
func buildKernel(ctx context.Context, root string, p notebookPaths, out io.Writer) error {
	said := false
	for name, path := range kernelPackages {
		file := filepath.Join(p.bin, name)
		if isPinned(ctx, root, file, path) {
			continue
		}
		if !said {
			fmt.Fprintln(out, "Building the Go kernel (gonb) and goimports …")
			said = true
		}
		_ = os.Remove(file) // which the go command does not overwrite if it is something else
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

// isPinned tells whether a file is a package's program as the go command would build it in a checkout: by the same Go,
// and from the same version of every module.
func isPinned(ctx context.Context, root, file, path string) bool {
	info, err := buildinfo.ReadFile(file)
	if err != nil || info.Path != path {
		return false
	}
	wants := map[string]bool{}
	args := []string{"list", "-m", "-f", "{{.Path}} {{.Version}}"}
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		wants[m.Path+" "+m.Version] = true
		args = append(args, m.Path)
	}
	pinned, err := inFolder(ctx, root, "go", args...)
	if err != nil {
		return false
	}
	for line := range strings.Lines(pinned) {
		if !wants[strings.TrimSpace(line)] {
			return false
		}
	}
	goVersion, err := inFolder(ctx, root, "go", "env", "GOVERSION")
	return err == nil && release(goVersion) == release(info.GoVersion)
}

// release is a version of Go without the experiments behind it.
func release(version string) string {
	version, _, _ = strings.Cut(strings.TrimSpace(version), " ")
	version, _, _ = strings.Cut(version, "-X:")
	return version
}

// inFolder returns what a program prints.
func inFolder(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	text, err := cmd.Output()
	return string(text), err
}
