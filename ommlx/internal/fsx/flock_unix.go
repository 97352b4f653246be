//go:build unix

package fsx

import (
	"errors"
	"os"
	"syscall"
)

// flock locks an open file, unless it is held.
func flock(file *os.File) (held bool, err error) {
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return true, nil
	}
	return false, err
}
