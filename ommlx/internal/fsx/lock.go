package fsx

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// Lock opens the file at path for reading and writing, makes it where there is none, and locks it. Where another
// process holds it, Lock calls waiting and then waits until that process lets go or ctx ends, whose cause is then the
// error. A link at path is refused, for the file behind it may be somebody else's. Close of the file gives the lock
// back, and so does the system when the process ends, however it ends.
//
// The holder may rename or remove the file (see [DropLock]): who waited for it then takes one that is at path.
func Lock(ctx context.Context, path string, waiting func()) (*os.File, error) {
	for {
		file, locked, err := TryLock(path)
		if err != nil || locked {
			return file, err
		}
		file.Close()
		waiting()
		waiting = func() {}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(time.Second / 2):
		}
	}
}

// TryLock is [Lock] without waiting: where another process, or this one, holds the file, locked is false and the file
// is open all the same, so that what the holder wrote into it can be read.
func TryLock(path string) (file *os.File, locked bool, err error) {
	for {
		file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|noLink, 0o644)
		if errors.Is(err, syscall.ELOOP) {
			err = fmt.Errorf("%s is a link to another file; remove it", path)
		}
		if err != nil {
			return nil, false, err
		}
		held, err := flock(file, false)
		switch {
		case held:
			return file, false, nil
		case err == nil && isAt(file, path):
			return file, true, nil
		}
		file.Close()
		if err != nil {
			return nil, false, refused(path, err)
		}
		// It was replaced or removed before it was locked, so it keeps nobody out.
	}
}

// Held reports whether another process, or this one, holds a file that is open; if not, Close gives back the lock that
// shows it.
func Held(file *os.File) bool {
	held, _ := flock(file, true)
	return held
}

func isAt(file *os.File, path string) bool {
	ours, err := file.Stat()
	there, pathErr := os.Stat(path)
	return err == nil && pathErr == nil && os.SameFile(ours, there)
}

// DropLock removes a file that [Lock] locked, and gives the lock back.
func DropLock(file *os.File) {
	_ = os.Remove(file.Name()) // an empty file that stays does no harm
	file.Close()
}
