package backend

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// downloader puts the file of a wheel into dir.
type downloader func(ctx context.Context, w *wheel, dir string) error

// pipDownload uses the user's own pip, whose configuration knows their mirror, proxy and certificates.
func pipDownload(ctx context.Context, w *wheel, dir string) error {
	return runPip(ctx, "download", "--no-deps", "--only-binary=:all:", "--dest", dir, w.project+"=="+w.version)
}

// runPip runs `python3 -m pip …` and turns a failure into one sentence.
func runPip(ctx context.Context, args ...string) error {
	python, err := exec.LookPath("python3")
	if err != nil {
		return downloadError{fmt.Errorf("python3 was not found: install Python 3.11 or later with pip")}
	}
	var stderr bytes.Buffer
	common := []string{"-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input", "--retries", "2"}
	cmd := exec.CommandContext(ctx, python, append(common, args...)...)
	cmd.Stderr = &stderr
	err = cmd.Run()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("interrupted while pip was downloading")
	case strings.Contains(stderr.String(), "No module named pip"):
		return downloadError{fmt.Errorf("%s has no pip: install it (Debian and Ubuntu: apt install python3-pip)", python)}
	}
	return downloadError{fmt.Errorf("pip failed: %s", pipComplaint(stderr.String(), err))}
}

// pipComplaint picks the last line of pip's output that says something.
func pipComplaint(output string, err error) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if line, ok := strings.CutPrefix(lines[i], "ERROR: "); ok {
			return line
		}
	}
	if last := lines[len(lines)-1]; last != "" {
		return last
	}
	return err.Error()
}
