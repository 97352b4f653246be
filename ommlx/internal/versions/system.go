package versions

import (
	"fmt"
	"go/version"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"operator-omm/ommlx/dataset"
)

var (
	from      = regexp.MustCompile(`(?m)^FROM ([a-z]+):(\S+)@sha256:([0-9a-f]{64}) AS tools$`)
	foreign   = regexp.MustCompile(`(?m)^FROM \S*:.*$`)
	goVersion = regexp.MustCompile(`(?m)^GO_VERSION=(\d+\.\d+\.\d+)$`)
	goSHA256  = regexp.MustCompile(`(?m)^GO_SHA256=([0-9a-f]{64})$`)
	goSize    = regexp.MustCompile(`(?m)^GO_SIZE=(\d+)$`)
	goNeeded  = regexp.MustCompile(`(?m)^go (\d+\.\d+(?:\.\d+)?)$`)
)

// find returns the groups of the pattern's only match in a file of the checkout at root.
func find(root, name string, pattern *regexp.Regexp) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		return nil, err
	}
	found := pattern.FindAllStringSubmatch(string(text), -1)
	if len(found) != 1 {
		return nil, fmt.Errorf("%s has %d lines like %s instead of one", name, len(found), pattern)
	}
	return found[0][1:], nil
}

// system lists the base image, Go and the packages of the distribution.
func system(root string) (rows []Component, err error) {
	base, err := find(root, "docker/Dockerfile", from)
	if err != nil {
		return nil, err
	}
	// Only the first stage comes from elsewhere.
	if _, err := find(root, "docker/Dockerfile", foreign); err != nil {
		return nil, err
	}
	rows = append(rows,
		Component{Name: "image " + base[0], Version: base[1], Hash: base[2], Licence: "of its packages"})
	toolchain, err := toolchain(root)
	if err != nil {
		return nil, err
	}
	packages, err := packages(root)
	return append(append(rows, toolchain), packages...), err
}

// toolchain is the Go that install.sh gets, which must be one that go.mod accepts, of the same language version.
func toolchain(root string) (c Component, err error) {
	var values [4]string
	for i, at := range []struct {
		file    string
		pattern *regexp.Regexp
	}{
		{"docker/install.sh", goVersion}, {"docker/install.sh", goSHA256}, {"docker/install.sh", goSize},
		{"go.mod", goNeeded},
	} {
		found, err := find(root, at.file, at.pattern)
		if err != nil {
			return c, err
		}
		values[i] = found[0]
	}
	have, need := "go"+values[0], "go"+values[3]
	if version.Lang(have) != version.Lang(need) || version.Compare(have, need) < 0 {
		return c, fmt.Errorf("docker/install.sh pins %s, and go.mod needs %s", have, need)
	}
	size, err := strconv.ParseInt(values[2], 10, 64)
	return Component{"Go", values[0], values[1], "BSD-3-Clause", dataset.Amount(size)}, err
}

// packages are those of the distribution, at the versions for the release of the base image, Debian 12.
func packages(root string) (rows []Component, err error) {
	const name = "docker/apt.txt"
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Fields(line)
		if len(fields) != 4 {
			return nil, fmt.Errorf("%s: %q is not a package with two versions and a licence", name, line)
		}
		rows = append(rows, Component{
			Name: fields[0], Version: fields[1], Hash: "signed by Debian", Licence: fields[3],
		})
	}
	return rows, nil
}
