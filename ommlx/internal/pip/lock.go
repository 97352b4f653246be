package pip

import (
	"context"
	"os"
	"path/filepath"
)

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
