package train

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const lockName = "lock"

// lock is an advisory lock on a folder. The system drops it when its process ends, however it ends.
type lock struct{ file *os.File }

// acquire locks dir, which it makes if need be, or says who holds it.
func acquire(dir string) (*lock, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("making the folder for checkpoints: %w", err)
	}
	path := filepath.Join(dir, lockName)
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("opening the lock of the result: %w", err)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		defer file.Close()
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("locking %s: %w", path, err)
		}
		holder, _ := os.ReadFile(path)
		return nil, fmt.Errorf("this result is being computed by %s (lock %s); wait for it to end, or stop it and run the command again",
			strings.TrimSpace(string(holder)), path)
	}
	host, err := os.Hostname()
	if err != nil {
		host = "an unnamed host"
	}
	line := fmt.Sprintf("process %d on %s since %s\n", os.Getpid(), host, time.Now().Format(time.DateTime))
	err = errors.Join(file.Truncate(0), func() error { _, err := file.WriteAt([]byte(line), 0); return err }())
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("writing the lock %s: %w", path, err)
	}
	return &lock{file}, nil
}

func (l *lock) release() { l.file.Close() }
