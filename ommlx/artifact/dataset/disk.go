package dataset

import (
	"errors"
	"fmt"
	"syscall"
)

// CheckSpace returns an error if so many bytes, for what is named, do not fit on the disk of a folder that exists.
func CheckSpace(dir, name string, bytes int64) error {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(dir, &disk); err != nil {
		return Unwritable(dir, fmt.Errorf("its free space is not known: %w", err))
	}
	if left := uint64(disk.Bavail) * uint64(disk.Bsize); bytes > 0 && uint64(bytes) > left {
		return fmt.Errorf("%s needs %s, and the disk of %s has %s left; make room, or set %s to a folder on another "+
			"disk", name, Amount(bytes), dir, Amount(int64(left)), DataVariable)
	}
	return nil
}

// Unwritable explains err, of a folder in which something cannot be written, and says what to do; it wraps err.
func Unwritable(dir string, err error) error {
	// A disk without space, or a user who has used theirs up.
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf("the disk of %s is full (%w); make room, or set %s to a folder on another disk",
			dir, err, DataVariable)
	}
	return fmt.Errorf("cannot write data to %s: %w; make the folder writable or set %s to another one",
		dir, err, DataVariable)
}

// Amount writes a number of bytes for people.
func Amount(bytes int64) string {
	if bytes < 1000 {
		return fmt.Sprintf("%d bytes", bytes)
	}
	x, unit := float64(bytes)/1000, 0
	for units := "kMGTPE"; x >= 999.95 && unit < len(units)-1; unit++ {
		x /= 1000
	}
	return fmt.Sprintf("%.1f %cB", x, "kMGTPE"[unit])
}
