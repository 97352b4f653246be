// Package versions writes docker/VERSIONS.md, the list of what the image consists of, from the files that pin it: the
// Dockerfile, install.sh, apt.txt, go.mod with go.sum, and the pins of Python packages.
package versions

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"operator-omm/ommlx/dataset"
	"operator-omm/ommlx/internal/pip"
)

// File is where the list is, in a checkout.
const File = "docker/VERSIONS.md"

// Pins are the versions that the program itself carries.
type Pins struct {
	Plugins []pip.Wheel  // of XLA
	NVIDIA  []pip.Locked // libraries of the CUDA plugin
	Jupyter []pip.Locked
	Tools   []Component // Go programs that go.mod does not have
}

// Component is a row of the list. An empty field is not known.
type Component struct{ Name, Version, Hash, Licence, Size string }

// key tells a component at its version from all others.
func (c Component) key() string { return c.Name + "@" + c.Version + " " + c.Hash }

// LookUp finds out licence and size of Go modules, of which it changes the rows.
type LookUp func(ctx context.Context, root string, modules []*Component) error

// Text returns what the list must say in the checkout at root. Licence and size of Go modules are read from the list
// that is there, and looked up for the modules that it does not have at their version. The error says which file does
// not pin what it should, or that two files disagree.
func Text(ctx context.Context, root string, pins Pins, lookUp LookUp) (string, error) {
	system, err := system(root)
	if err != nil {
		return "", err
	}
	modules, err := modules(root)
	if err != nil {
		return "", err
	}
	modules = append(modules, pins.Tools...)
	if err := complete(ctx, root, modules, lookUp); err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(preamble)
	write(&b, "System", "", system)
	write(&b, "XLA", "Wheels for Linux on x86-64.", wheels(pins.Plugins))
	write(&b, "NVIDIA's libraries", nvidiaText, locked(pins.NVIDIA))
	write(&b, "JupyterLab and what it needs", jupyterText, locked(pins.Jupyter))
	write(&b, "Go modules", modulesText, modules)
	return b.String(), nil
}

const (
	preamble = `# What the image consists of

Written by "make versions" from the files that pin it; a test fails where they disagree. Hashes are SHA-256 in
hexadecimal, of Go modules those of go.sum. Sizes are of what is downloaded. A dash means that it is not known here.
`
	nvidiaText = `In the target "cuda" alone. They are proprietary: the image may be passed on only as NVIDIA's licence
says, which is in each wheel, and after the installation beside the libraries.`
	jupyterText = `Hash and size are of the wheel for Python 3.11 on x86-64, the image's. The file
"ommlx/cmd/omm/jupyter.txt" has those for other Pythons and platforms too.`
	modulesText = `All that go.mod names, those for tests included. What is no dependency but a program comes last; Go's
checksum database verifies it.`
)

// write appends a section with its table.
func write(b *strings.Builder, title, text string, rows []Component) {
	fmt.Fprintf(b, "\n## %s\n\n", title)
	if text != "" {
		fmt.Fprintf(b, "%s\n\n", text)
	}
	b.WriteString("| Component | Version | Hash | Licence | Size |\n|---|---|---|---|--:|\n")
	for _, c := range rows {
		fields := []string{c.Name, c.Version, c.Hash, c.Licence, c.Size}
		for i, field := range fields {
			if field == "" {
				fields[i] = "—"
			}
		}
		fmt.Fprintf(b, "| %s |\n", strings.Join(fields, " | "))
	}
}

// read returns the rows of a list by their key.
func read(text string) map[string]Component {
	rows := map[string]Component{}
	for line := range strings.Lines(text) {
		fields := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "| "), " |\n"), " | ")
		if !strings.HasPrefix(line, "| ") || len(fields) != 5 {
			continue
		}
		for i, field := range fields {
			if field == "—" {
				fields[i] = ""
			}
		}
		c := Component{fields[0], fields[1], fields[2], fields[3], fields[4]}
		rows[c.key()] = c
	}
	return rows
}

// complete fills in licence and size from the list at root, and looks up the rest.
func complete(ctx context.Context, root string, modules []Component, lookUp LookUp) error {
	old, err := os.ReadFile(filepath.Join(root, File))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	known := read(string(old))
	var unknown []*Component
	for i, c := range modules {
		if row, ok := known[c.key()]; ok {
			modules[i] = row
		} else {
			unknown = append(unknown, &modules[i])
		}
	}
	if unknown == nil {
		return nil
	}
	return lookUp(ctx, root, unknown)
}

func wheels(pinned []pip.Wheel) (rows []Component) {
	for _, w := range pinned {
		rows = append(rows, Component{w.Project, w.Version, w.SHA256, w.Licence, dataset.Amount(w.Size)})
	}
	return rows
}

// locked returns the rows of packages in the order of their names.
func locked(packages []pip.Locked) (rows []Component) {
	for _, p := range packages {
		rows = append(rows, Component{p.Project, p.Version, p.SHA256[0], p.Licence, dataset.Amount(p.Size)})
	}
	slices.SortFunc(rows, func(a, b Component) int { return strings.Compare(a.Name, b.Name) })
	return rows
}
