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

// ErrHeld is wrapped by the errors of [Lock] and [Run] if the folder is already locked, by this process or another.
var ErrHeld = errors.New("this result is being computed")

// lockTimeout is how long Lock tries, since [Look] holds the lock for a moment.
const lockTimeout = 200 * time.Millisecond

// Lock locks a folder of checkpoints, creating it if needed, so that no other process trains there. The lock ends when
// the file is closed or the process ends. The folder may be removed before that.
//
// [Run] locks its folder itself, unless Options.Locked is set. A caller that stores the result elsewhere holds the lock
// until it has stored it.
func Lock(dir string) (*os.File, error) {
	path := filepath.Join(dir, lockName)
	for last := time.Now().Add(lockTimeout); ; {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, fmt.Errorf("training: checkpoint folder: %w", err)
		}
		file, locked, err := fsx.TryLock(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue // another process removed the folder a moment ago
		case err != nil:
			return nil, fmt.Errorf("training: checkpoint lock: %w", err)
		case !locked && time.Now().Before(last):
			file.Close()
			time.Sleep(lockTimeout / 10)
			continue
		case !locked:
			defer file.Close()
			return nil, fmt.Errorf("%w by %s (lock %s); wait for it to end, or stop it and run the command again",
				ErrHeld, holder(file), path)
		}
		host, _ := os.Hostname()
		line := fmt.Sprintf("process %d on %s since %s\n", os.Getpid(), host, time.Now().Format(time.DateTime))
		_, err = file.WriteAt([]byte(line), 0)
		if err = cmp.Or(err, file.Truncate(int64(len(line)))); err != nil {
			file.Close()
			return nil, fmt.Errorf("training: checkpoint lock: %w", err)
		}
		return file, nil
	}
}

// holder returns the line in a lock that names its holder.
func holder(file io.Reader) string {
	text, _ := io.ReadAll(io.LimitReader(file, 400))
	line, _, _ := strings.Cut(string(text), "\n")
	return cmp.Or(say.Printable(line), "another process")
}

// Look reports whether a folder of checkpoints is locked and whether it has a checkpoint. It changes nothing. A folder
// that cannot be read counts as empty.
func Look(dir string) (held, begun bool) {
	names, _ := checkpoints(dir)
	file, err := os.Open(filepath.Join(dir, lockName))
	if err != nil {
		return false, len(names) > 0
	}
	defer file.Close() // releases the lock that Held may take
	return fsx.Held(file), len(names) > 0
}
