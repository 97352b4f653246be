// Package pip takes files out of Python wheels that the user's own pip downloads, at a pinned version and with a
// verified SHA-256.
package pip

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

	"operator-omm/ommlx/internal/say"
)

// Unavailable is the error of something that could not be had: no Python, no pip, no network, no space. It is possible
// to go on without, in contrast to a wheel that came with the wrong content.
type Unavailable struct{ Cause error }

// Error implements [error].
func (e Unavailable) Error() string { return e.Cause.Error() }

// Unwrap returns the cause.
func (e Unavailable) Unwrap() error { return e.Cause }

// Downloader puts the file of a wheel into dir.
type Downloader func(ctx context.Context, w Wheel, dir string) error

// Download is the [Downloader] that uses the user's own pip, whose configuration knows their mirror, proxy and
// certificates.
func Download(ctx context.Context, w Wheel, dir string) error {
	return run(ctx, "python3", "download", "--no-deps", "--only-binary=:all:", "--dest", dir, w.Project+"=="+w.Version)
}

// run runs `python -m pip …` of the Python of that name or path, and turns a failure into one sentence, which is
// [Unavailable] unless ctx ended.
func run(ctx context.Context, name string, args ...string) error {
	python, err := exec.LookPath(name)
	if err != nil {
		return Unavailable{fmt.Errorf("%s was not found: install Python 3.11 or later with pip", name)}
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
		return Unavailable{fmt.Errorf("%s has no pip: install it (Debian and Ubuntu: apt install python3-pip)",
			python)}
	case strings.Contains(stderr.String(), otherContent):
		return fmt.Errorf("nothing was installed: a package came with other content than the pinned one; %s",
			tryAgain)
	}
	return Unavailable{fmt.Errorf("pip failed: %s", complaint(stderr.String(), err))}
}

// otherContent is how pip begins to say that a hash is not the required one.
const otherContent = "DO NOT MATCH THE HASHES"

// tryAgain says what to do about other content.
const tryAgain = "try again, and if it stays so, look at what stands between this machine and the package index"

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

// unfinished is the pattern of the folders in which an installation is prepared.
const unfinished = "installing-*"

// Temporary makes a folder in home in which an installation is prepared, and removes those that installations left
// which were killed: one that still runs is younger than an hour. The caller removes it.
func Temporary(home string) (dir string, err error) {
	left, _ := fs.Glob(os.DirFS(home), unfinished) // fails only on a malformed pattern
	for _, name := range left {
		folder := filepath.Join(home, name)
		if info, err := os.Stat(folder); err == nil && time.Since(info.ModTime()) > time.Hour {
			os.RemoveAll(folder)
		}
	}
	return os.MkdirTemp(home, unfinished)
}
