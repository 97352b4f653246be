package fsx

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// flock locks an open file, unless it is held.
func flock(file *os.File) (held bool, err error) {
	const exclusive, now = windows.LOCKFILE_EXCLUSIVE_LOCK, windows.LOCKFILE_FAIL_IMMEDIATELY
	err = windows.LockFileEx(windows.Handle(file.Fd()), exclusive|now, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return true, nil
	}
	return false, err
}
