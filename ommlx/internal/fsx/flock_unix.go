//go:build unix

package fsx

import (
	"errors"
	"os"
	"syscall"
)

// flock locks an open file, exclusively or shared, unless another lock excludes this.
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
