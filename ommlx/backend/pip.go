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
		return downloadError{fmt.Errorf("%s has no pip: install it (Debian and Ubuntu: apt install python3-pip)",
			python)}
	}
	return downloadError{fmt.Errorf("pip failed: %s", pipComplaint(stderr.String(), err))}
}

// longestComplaint is how many characters of a program's complaint are shown.
const longestComplaint = 400

// pipComplaint picks from pip's output what explains err: the last line that is marked as an error, else the last line.
func pipComplaint(output string, err error) string {
	complaint, marked := err.Error(), false
	for line := range strings.FieldsFuncSeq(output, func(r rune) bool { return r == '\n' || r == '\r' }) {
		line, isError := strings.CutPrefix(line, "ERROR: ")
		if line = printable(line); line != "" && (isError || !marked) {
			complaint, marked = line, marked || isError
		}
	}
	if r := []rune(complaint); len(r) > longestComplaint {
		complaint = string(r[:longestComplaint]) + " …"
	}
	return complaint
}
