package train

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/say"
)

const lockName = "lock"

// ErrHeld is wrapped by the error of a training whose folder another process, or this one, holds.
var ErrHeld = errors.New("this result is being computed")

// patience is how long a lock is tried: [Look] holds it for a moment, though nobody is at work and the file names a
// process that has ended.
const patience = 200 * time.Millisecond

// acquire locks dir, which it makes if need be, or says who holds it. The lock is an advisory one on the file that it
// returns: Close drops it, and so does the system when the process ends, however it ends.
func acquire(dir string) (*os.File, error) {
	path := filepath.Join(dir, lockName)
	for last := time.Now().Add(patience); ; {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, fmt.Errorf("making the folder for checkpoints: %w", err)
		}
		if err := fsx.LocksHold(dir); errors.Is(err, fs.ErrNotExist) {
			continue // [Clear] in another process took the folder away just now
		} else if err != nil {
			return nil, err
		}
		file, locked, err := fsx.TryLock(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue // [Clear] in another process took the folder away just now
		case err != nil:
			return nil, fmt.Errorf("the lock of the result: %w", err)
		case !locked && time.Now().Before(last):
			file.Close()
			time.Sleep(patience / 10)
			continue
		case !locked:
			defer file.Close()
			return nil, fmt.Errorf("%w by %s (lock %s); wait for it to end, or stop it and run the command again",
				ErrHeld, holder(file), path)
		}
		if err := sign(file); err != nil {
			file.Close()
			return nil, err
		}
		return file, nil
	}
}

// sign writes into a locked file who holds it.
func sign(file *os.File) error {
	host, err := os.Hostname()
	if err != nil {
		host = "an unnamed host"
	}
	line := fmt.Sprintf("process %d on %s since %s\n", os.Getpid(), host, time.Now().Format(time.DateTime))
	if _, err := file.WriteAt([]byte(line), 0); err != nil {
		return fmt.Errorf("writing the lock %s: %w", file.Name(), err)
	}
	return file.Truncate(int64(len(line)))
}

// holder reads who holds a lock: the one line of it, if it is one, and not more than such a line can have.
func holder(file io.Reader) string {
	text, _ := io.ReadAll(io.LimitReader(file, 400))
	line, _, _ := strings.Cut(string(text), "\n")
	return cmp.Or(say.Printable(line), "another process")
}

// Look tells of a folder of checkpoints whether a process trains in it now, and whether there is a checkpoint to go on
// from. It changes nothing. A folder that cannot be read counts as empty.
func Look(dir string) (held, begun bool) {
	names, _ := files(dir, whole)
	file, err := os.Open(filepath.Join(dir, lockName))
	if err != nil {
		return false, len(names) > 0
	}
	defer file.Close() // which drops the lock again
	return fsx.Held(file), len(names) > 0
}
