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

	"github.com/gofrs/flock"

	"omm-go/ommlx/internal/say"
)

const lockName = "lock"

// ErrHeld is wrapped by the errors of [Lock] and [Run] if the folder is already locked, by this process or another.
var ErrHeld = errors.New("this result is being computed")

// lockTimeout is how long Lock tries, since [FolderStatus] holds the lock for a moment.
const lockTimeout = 200 * time.Millisecond

// Lock locks a folder of checkpoints by flock(2), creating it if needed, so that no other process trains there. The
// lock ends when it is closed or the process ends. The folder may be removed before that. On a shared file system,
// flock must work between machines, as on NFS 4.
//
// [Run] locks its folder itself, unless Options.Locked is set. A caller that stores the result elsewhere holds the lock
// until it has stored it.
func Lock(dir string) (io.Closer, error) {
	path := filepath.Join(dir, lockName)
	for last := time.Now().Add(lockTimeout); ; {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, fmt.Errorf("training: checkpoint folder: %w", err)
		}
		lock := flock.New(path, flock.SetFlag(os.O_RDWR|os.O_CREATE), flock.SetPermissions(0o644))
		locked, err := lock.TryLock()
		switch {
		case errors.Is(err, fs.ErrNotExist): // another process removed the folder a moment ago
		case err != nil:
			return nil, fmt.Errorf("training: checkpoint lock %s: %w", path, err)
		case locked && isAt(lock, path):
			host, _ := os.Hostname()
			line := fmt.Sprintf("process %d on %s since %s\n", os.Getpid(), host, time.Now().Format(time.DateTime))
			_ = os.WriteFile(path, []byte(line), 0o644) // only for the message of ErrHeld
			return lock, nil
		case locked: // a file that another process has removed or replaced since
			_ = lock.Close()
		case time.Now().After(last):
			return nil, fmt.Errorf("%w by %s (lock %s); wait for it to end, or stop it and run the command again",
				ErrHeld, holder(path), path)
		default:
			time.Sleep(lockTimeout / 10)
		}
	}
}

// isAt reports whether a lock is on the file that is now at path.
func isAt(lock *flock.Flock, path string) bool {
	ours, err := lock.Stat()
	there, pathErr := os.Stat(path)
	return err == nil && pathErr == nil && os.SameFile(ours, there)
}

// holder returns the line in a lock that names its holder.
func holder(path string) string {
	text, _ := os.ReadFile(path)
	line, _, _ := strings.Cut(string(text), "\n")
	return cmp.Or(say.Printable(line), "another process")
}

// FolderStatus reports whether a folder of checkpoints is locked and whether it has a checkpoint. It changes nothing. A
// folder that cannot be read counts as empty.
func FolderStatus(dir string) (held, begun bool) {
	names, _ := checkpoints(dir)
	lock := flock.New(filepath.Join(dir, lockName), flock.SetFlag(os.O_RDONLY))
	free, err := lock.TryRLock()
	_ = lock.Close()
	return err == nil && !free, len(names) > 0
}
