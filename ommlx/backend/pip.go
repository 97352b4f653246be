package backend

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"omm-go/ommlx/internal/say"
)

// unavailable is the error of a package that cannot be installed for lack of Python, pip or a network. A package whose
// content differs from the pinned one is another error.
type unavailable struct{ error }

// InstallLocked installs the packages of a requirements file with hashes, using the pip of a Python given by name or
// path: the user's own pip has their mirror, proxy and certificates. options are passed to `pip install`.
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
		return errors.New("interrupted while pip was downloading")
	case strings.Contains(stderr.String(), "No module named pip"):
		return unavailable{fmt.Errorf("%s has no pip: install it (Debian and Ubuntu: apt install python3-pip)", path)}
	case strings.Contains(stderr.String(), "DO NOT MATCH THE HASHES"):
		return errors.New("nothing was installed: a package differs from the pinned one; check the proxy or mirror")
	}
	cause := err.Error()
	if i := strings.LastIndex(stderr.String(), "ERROR: "); i >= 0 {
		cause, _, _ = strings.Cut(stderr.String()[i:], "\n")
	}
	return unavailable{fmt.Errorf("pip failed: %s", say.Printable(cause))}
}
