package backend

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"omm-go/ommlx/internal/say"
)

// unavailable is the error of something that could not be had: no Python, no pip, no network, no space. It is possible
// to go on without, in contrast to a wheel that came with the wrong content.
type unavailable struct{ Cause error }

// Error implements [error].
func (e unavailable) Error() string { return e.Cause.Error() }

// InstallLocked installs what a requirements file with hashes lists with the pip of a Python, of that name or path,
// and nothing else. The options are those of `pip install`. The error is [unavailable] where a package could not be
// had, and no such one where it came with another content, or ctx ended.
func InstallLocked(ctx context.Context, python, lock string, options ...string) error {
	path, err := exec.LookPath(python)
	if err != nil {
		return unavailable{fmt.Errorf("%s was not found: install Python 3.11 or later with pip", python)}
	}
	args := []string{"-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input", "--retries", "2", "install",
		"--require-hashes", "--only-binary=:all:", "--requirement", "/dev/stdin"}
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, path, append(args, options...)...)
	cmd.Stdin, cmd.Stderr = strings.NewReader(lock), &stderr
	switch err = cmd.Run(); {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("interrupted while pip was downloading")
	case strings.Contains(stderr.String(), "No module named pip"):
		return unavailable{fmt.Errorf("%s has no pip: install it (Debian and Ubuntu: apt install python3-pip)", path)}
	case strings.Contains(stderr.String(), "DO NOT MATCH THE HASHES"):
		return fmt.Errorf("nothing was installed: a package came with other content than the pinned one; try again, " +
			"and if it stays so, look at what stands between this machine and the package index")
	}
	return unavailable{fmt.Errorf("pip failed: %s", complaint(stderr.String(), err))}
}

// longestComplaint is how many characters of a program's complaint are shown.
const longestComplaint = 400

// complaint picks from pip's output what explains err: the last line that is marked as an error, else the last line.
func complaint(output string, err error) string {
	said, marked := err.Error(), false
	for line := range strings.FieldsFuncSeq(output, func(r rune) bool { return r == '\n' || r == '\r' }) {
		line, isError := strings.CutPrefix(line, "ERROR: ")
		if line = say.Printable(line); line != "" && (isError || !marked) {
			said, marked = line, marked || isError
		}
	}
	if r := []rune(said); len(r) > longestComplaint {
		said = string(r[:longestComplaint]) + " …"
	}
	return said
}

// unfinished is the pattern of the folders in which an installation is prepared.
const unfinished = "installing-*"

// temporary makes a folder in home in which an installation is prepared, and removes those that installations left
// which were killed: one that still runs is younger than half a day. The caller removes it.
func temporary(home string) (dir string, err error) {
	left, _ := fs.Glob(os.DirFS(home), unfinished) // fails only on a malformed pattern
	for _, name := range left {
		folder := filepath.Join(home, name)
		if info, err := os.Stat(folder); err == nil && time.Since(info.ModTime()) > 12*time.Hour {
			os.RemoveAll(folder)
		}
	}
	return os.MkdirTemp(home, unfinished)
}
