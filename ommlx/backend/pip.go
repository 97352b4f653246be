package backend

import (
	"bytes"
	"cmp"
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

// RequirePython returns an error unless python3 is Python 3.11 or later, which the pinned packages for notebooks need.
func RequirePython(ctx context.Context) error {
	const tooOld = "import sys; sys.exit(sys.version_info < (3, 11) and 'Python %d.%d' % sys.version_info[:2])"
	path, err := exec.LookPath("python3")
	if err != nil {
		return fmt.Errorf("python3 was not found: %s", wantedPython)
	}
	output, err := exec.CommandContext(ctx, path, "-c", tooOld).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s is %s: %s", path, cmp.Or(say.Printable(string(output)), err.Error()), wantedPython)
	}
	return nil
}

const wantedPython = "install Python 3.11 or later with pip and put it first on the PATH " +
	"(Debian and Ubuntu: apt install python3-pip python3-venv)"

// InstallLocked installs the packages of a requirements file with hashes, using the pip of a Python given by name or
// path: the user's own pip has their mirror, proxy and certificates. options are passed to `pip install`. what selects
// the packages for `pip download`, for the message if there is no network.
func InstallLocked(ctx context.Context, python, lock, what string, options ...string) error {
	path, err := exec.LookPath(python)
	if err != nil {
		return unavailable{fmt.Errorf("%s was not found: %s", python, wantedPython)}
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
	if strings.Contains(stderr.String(), "connection broken by") {
		return unavailable{fmt.Errorf("pip reached no package index: connect to a network, or run `pip download "+
			"--only-binary=:all: %s` where there is one and set PIP_NO_INDEX=1 PIP_FIND_LINKS=FOLDER to the folder "+
			"of its files", what)}
	}
	cause := err.Error()
	if i := strings.LastIndex(stderr.String(), "ERROR: "); i >= 0 {
		cause, _, _ = strings.Cut(stderr.String()[i:], "\n")
	}
	return unavailable{fmt.Errorf("pip failed: %s", say.Printable(cause))}
}
