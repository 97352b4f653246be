package pip

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Locked is a package of a requirements file with hashes, as docker/lock.py writes it.
type Locked struct {
	Project, Version string   // as pip names them
	Licence          string   // as its metadata has it
	Size             int64    // of the wheel for Linux on x86-64, in bytes
	SHA256           []string // of its wheels; the first is the one for Linux on x86-64 and the oldest Python
}

var (
	lockComment = regexp.MustCompile(`^# (.+); (\d+) bytes$`)
	lockPackage = regexp.MustCompile(`^([a-z0-9][a-z0-9-]*)==([0-9][\w.+]*)((?: --hash=sha256:[0-9a-f]{64})+)$`)
)

// ParseLock reads a requirements file with hashes. The error names the first line that is not as docker/lock.py writes
// it: for each package a comment with licence and size, then its version with one hash or more.
func ParseLock(text string) (packages []Locked, err error) {
	joined := regexp.MustCompile(` \\\n\s*`).ReplaceAllString(text, " ")
	var said []string
	for line := range strings.Lines(joined) {
		line = strings.TrimSuffix(line, "\n")
		if m := lockComment.FindStringSubmatch(line); m != nil {
			said = m
			continue
		}
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		m := lockPackage.FindStringSubmatch(line)
		if m == nil || said == nil {
			return nil, fmt.Errorf("%q is not a package with version, hashes, licence and size", line)
		}
		p := Locked{Project: m[1], Version: m[2], Licence: said[1]}
		if p.Size, err = strconv.ParseInt(said[2], 10, 64); err != nil {
			return nil, fmt.Errorf("the size of %s: %w", p.Project, err)
		}
		for _, hash := range strings.Fields(m[3]) {
			p.SHA256 = append(p.SHA256, strings.TrimPrefix(hash, "--hash=sha256:"))
		}
		packages, said = append(packages, p), nil
	}
	return packages, nil
}

// InstallLocked installs what a requirements file with hashes lists with the pip of a Python, and nothing else. The
// options are those of `pip install`. The error is [Unavailable] where a package could not be had, and no such one
// where it came with another content.
func InstallLocked(ctx context.Context, python, lock string, options ...string) error {
	dir, err := os.MkdirTemp("", "omm-lock-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "requirements.txt")
	if err := os.WriteFile(file, []byte(lock), 0o644); err != nil {
		return err
	}
	args := []string{"install", "--require-hashes", "--only-binary=:all:", "--requirement", file}
	return run(ctx, python, append(args, options...)...)
}
