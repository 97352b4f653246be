//go:build unix

package fsx

import (
	"errors"
	"os"
	"syscall"
)

// noLink makes open(2) fail on a link at the end of a path.
const noLink = syscall.O_NOFOLLOW

// flock locks an open file, exclusively or shared, unless another lock excludes it.
func flock(file *os.File, shared bool) (held bool, err error) {
	kind := syscall.LOCK_EX
	if shared {
		kind = syscall.LOCK_SH
	}
	err = syscall.Flock(int(file.Fd()), kind|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return true, nil
	}
	return false, err
}
