package train

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// Look tells of a folder of checkpoints whether a process trains in it now, and whether there is a checkpoint to go on
// from. It changes nothing. A folder that cannot be read counts as empty.
func Look(dir string) (held, begun bool) {
	names, _ := files(dir, whole)
	file, err := os.Open(filepath.Join(dir, lockName))
	if err != nil {
		return false, len(names) > 0
	}
	defer file.Close() // which drops the lock again
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_SH|syscall.LOCK_NB)
	return errors.Is(err, syscall.EWOULDBLOCK), len(names) > 0
}
