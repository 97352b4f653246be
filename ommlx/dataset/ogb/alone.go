package ogb

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"operator-omm/ommlx/dataset"
	"operator-omm/ommlx/internal/fsx"
)

// alone makes a folder and does in it what one process at a time may do; who has to wait calls waiting first.
func alone(ctx context.Context, dir string, waiting func(), do func() error) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return dataset.Unwritable(dir, err)
	}
	lock, err := fsx.Lock(ctx, filepath.Join(dir, "lock"), waiting)
	if err != nil {
		return explained(ctx, dir, err)
	}
	defer fsx.DropLock(lock)
	return do()
}

// explained says of an error of work in a folder what to do: about the disk, or after the end of ctx.
func explained(ctx context.Context, dir string, err error) error {
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); cause != nil && errors.Is(err, cause) {
		return fmt.Errorf("stopped (%w); the same command goes on with the file that was not finished", cause)
	}
	disk, ok := errors.AsType[*fs.PathError](err)
	if ok && strings.HasPrefix(disk.Path, dir+string(filepath.Separator)) {
		return dataset.Unwritable(dir, err)
	}
	return err
}
