package fsx

import (
	"fmt"
	"os"
)

// TryLock opens the file at path for reading and writing, creating it if needed, and locks it by flock(2). If the lock
// is held, locked is false and the file contains what the holder wrote.
//
// The lock ends when the file is closed or the process ends. The holder may remove the file. On a shared file system,
// flock must work between machines, as on NFS 4.
func TryLock(path string) (file *os.File, locked bool, err error) {
	for {
		file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
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
			return nil, false, fmt.Errorf("locking %s: %w", path, err)
		}
		// The file was replaced or removed before it was locked, so the lock is useless.
	}
}

// Held reports whether [TryLock] holds an open file. It takes a shared lock, which ends when the file is closed.
func Held(file *os.File) bool {
	held, _ := flock(file, true)
	return held
}

func isAt(file *os.File, path string) bool {
	ours, err := file.Stat()
	there, pathErr := os.Stat(path)
	return err == nil && pathErr == nil && os.SameFile(ours, there)
}
