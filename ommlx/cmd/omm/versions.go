package main

import (
	"errors"
	"fmt"
	"go/version"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"operator-omm/ommlx/backend"
	"operator-omm/ommlx/dataset"
	"operator-omm/ommlx/internal/fsx"
	"operator-omm/ommlx/internal/pip"
)

// versionsFile is where the list of what the image consists of is, in a checkout.
const versionsFile = "docker/VERSIONS.md"

func newVersions() *cobra.Command {
	return &cobra.Command{
		Use:   "versions",
		Short: "Write " + versionsFile + ", the list of what the image consists of",
		Long: `Writes ` + versionsFile + ` of this checkout from the files that pin versions: component, version, hash,
licence and size.`,
		Example: `  omm versions`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root, err := fsx.Checkout()
			if err != nil {
				return err
			}
			text, err := versions(root)
			if err != nil {
				return err
			}
			file := filepath.Join(root, filepath.FromSlash(versionsFile))
			if err := fsx.Write(file, []byte(text)); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "wrote %s\n", file)
			return nil
		},
	}
}

// component is a row of the list. An empty field is not known.
type component struct{ name, version, hash, licence, size string }

// versions returns what the list must say in the checkout at root. The error says which file does not pin what it
// should, or that two files disagree.
func versions(root string) (string, error) {
	system, err1 := system(root)
	plugins, libraries, err2 := backend.Pinned()
	jupyter, err3 := pip.ParseLock(jupyterLock)
	if err := errors.Join(err1, err2, err3); err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(`# What the image consists of

Written by "make versions" from the files that pin it; a test fails where they disagree. Hashes are SHA-256 in
hexadecimal. Sizes are of what is downloaded. A dash means that it is not known here.
`)
	section(&b, "System", "", system)
	section(&b, "XLA", "Wheels for Linux on x86-64.", wheels(plugins))
	section(&b, "NVIDIA's libraries", `In the target "cuda" alone. They are proprietary: the image may be passed on only
as NVIDIA's licence says, which is in each wheel, and after the installation beside the libraries.`, locked(libraries))
	section(&b, "JupyterLab and what it needs", `Hash and size are of the wheel for Python 3.11 on x86-64,
the image's. The file "ommlx/cmd/omm/jupyter.txt" has those for other Pythons and platforms too.`, locked(jupyter))
	fmt.Fprintf(&b,
		"\n## Go modules\n\nTheir versions are in go.mod and their hashes in go.sum; each has its licence in "+
			"its folder, which\n`go list -m -f '{{.Dir}}' all` names. golang.org/x/tools/gopls is at %s, which Go's "+
			"checksum database verifies.\n", goplsVersion)
	return b.String(), nil
}

// section appends a section with its table.
func section(b *strings.Builder, title, text string, rows []component) {
	fmt.Fprintf(b, "\n## %s\n\n", title)
	if text != "" {
		fmt.Fprintf(b, "%s\n\n", text)
	}
	b.WriteString("| Component | Version | Hash | Licence | Size |\n|---|---|---|---|--:|\n")
	for _, c := range rows {
		fields := []string{c.name, c.version, c.hash, c.licence, c.size}
		for i, field := range fields {
			if field == "" {
				fields[i] = "—"
			}
		}
		fmt.Fprintf(b, "| %s |\n", strings.Join(fields, " | "))
	}
}

func wheels(pinned []pip.Wheel) (rows []component) {
	for _, w := range pinned {
		rows = append(rows, component{w.Project, w.Version, w.SHA256, w.Licence, dataset.Amount(w.Size)})
	}
	return rows
}

// locked returns the rows of packages in the order of their names.
func locked(packages []pip.Locked) (rows []component) {
	for _, p := range packages {
		rows = append(rows, component{p.Project, p.Version, p.SHA256[0], p.Licence, dataset.Amount(p.Size)})
	}
	slices.SortFunc(rows, func(a, b component) int { return strings.Compare(a.name, b.name) })
	return rows
}

// system lists the base image, Go and the packages of the distribution, at the versions for the release of the base
// image, Debian 12. Only the first stage of the image comes from elsewhere, and the Go that install.sh gets must be one
// that go.mod accepts, of the same language version.
func system(root string) (rows []component, err error) {
	find := func(name, pattern string) (groups []string) {
		text, readErr := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		found := regexp.MustCompile("(?m)^"+pattern+"$").FindAllStringSubmatch(string(text), -1)
		if err == nil && readErr != nil {
			err = readErr
		}
		if len(found) != 1 {
			if err == nil {
				err = fmt.Errorf("%s has %d lines like %s instead of one", name, len(found), pattern)
			}
			return make([]string, 4)
		}
		return found[0][1:]
	}
	find("docker/Dockerfile", `FROM \S*:.*`)
	base := find("docker/Dockerfile", `FROM ([a-z]+):(\S+)@sha256:([0-9a-f]{64}) AS tools`)
	have := find("docker/install.sh", `GO_VERSION=(\d+\.\d+\.\d+)`)
	sum := find("docker/install.sh", `GO_SHA256=([0-9a-f]{64})`)
	size := find("docker/install.sh", `GO_SIZE=(\d+)`)
	need := find("go.mod", `go (\d+\.\d+(?:\.\d+)?)`)
	if err != nil {
		return nil, err
	}
	if version.Lang("go"+have[0]) != version.Lang("go"+need[0]) || version.Compare("go"+have[0], "go"+need[0]) < 0 {
		return nil, fmt.Errorf("docker/install.sh pins go%s, and go.mod needs go%s", have[0], need[0])
	}
	bytes, err := strconv.ParseInt(size[0], 10, 64)
	if err != nil {
		return nil, err
	}
	rows = []component{{"image " + base[0], base[1], base[2], "of its packages", ""},
		{"Go", have[0], sum[0], "BSD-3-Clause", dataset.Amount(bytes)}}
	text, err := os.ReadFile(filepath.Join(root, "docker", "apt.txt"))
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Fields(line)
		if len(fields) != 4 {
			return nil, fmt.Errorf("docker/apt.txt: %q is not a package with two versions and a licence", line)
		}
		rows = append(rows, component{fields[0], fields[1], "signed by Debian", fields[3], ""})
	}
	return rows, nil
}
