package dataset

import (
	"errors"
	"fmt"
	"syscall"
)

// checkSpace makes sure that the rest of total bytes fits; a total that is not known is not checked.
func (d *download) checkSpace(total int64) error {
	return d.free.check(d.dir, d.file.Name, total-d.part.size)
}

// CheckSpace returns an error if so many bytes, for what is named, do not fit on the disk of a folder that exists.
func CheckSpace(dir, name string, bytes int64) error { return space(freeSpace).check(dir, name, bytes) }

func (free space) check(dir, name string, bytes int64) error {
	left, err := free(dir)
	if err != nil {
		return Unwritable(dir, err)
	}
	if bytes > 0 && uint64(bytes) > left {
		return fmt.Errorf("%s needs %s, and the disk of %s has %s left; make room, or set %s to a folder on another "+
			"disk", name, Amount(bytes), dir, Amount(int64(left)), DataVariable)
	}
	return nil
}

// diskError explains why the partial file cannot be written.
func (d *download) diskError(err error) error {
	if full(err) {
		return fmt.Errorf("%w; %s", Unwritable(d.dir, err), d.kept())
	}
	return Unwritable(d.dir, err)
}

// freeSpace asks the system.
func freeSpace(dir string) (uint64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, fmt.Errorf("its free space is not known: %w", err)
	}
	return uint64(s.Bavail) * uint64(s.Bsize), nil
}

// full tells a disk without space, or a user who has used theirs up.
func full(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }

// Unwritable explains err, of a folder in which something cannot be written, and says what to do; it wraps err.
func Unwritable(dir string, err error) error {
	if full(err) {
		return fmt.Errorf("the disk of %s is full (%w); make room, or set %s to a folder on another disk",
			dir, err, DataVariable)
	}
	return fmt.Errorf("cannot write data to %s: %w; make the folder writable or set %s to another one",
		dir, err, DataVariable)
}
