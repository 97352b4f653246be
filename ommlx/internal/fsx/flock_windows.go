package fsx

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// flock locks an open file, exclusively or shared, unless another lock excludes this.
func flock(file *os.File, shared bool) (held bool, err error) {
	var kind uint32 = windows.LOCKFILE_FAIL_IMMEDIATELY
	if !shared {
		kind |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err = windows.LockFileEx(windows.Handle(file.Fd()), kind, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return true, nil
	}
	return false, err
}
