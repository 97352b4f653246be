package fsx

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// LocksHold returns an error where a lock in a folder, which must exist, would keep off only processes of this machine
// although other machines may use the folder too.
//
// What is needed is that flock(2) on a file excludes every other process that has the file, on whatever machine, until
// the holder closes it or ends. A file system of one machine gives that. Between machines it is given by NFS 4, by NFS
// 3 with its lock service, CephFS, GPFS, SMB, and Lustre with -o flock; by BeeGFS only with tuneUseGlobalFileLocks,
// which is not looked at here. LocksHold finds those that do not by what Linux says of mounts, and knows nothing on
// other systems and in a chroot whose root is no mount.
func LocksHold(dir string) error {
	text, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil // not Linux
	}
	real, err := filepath.EvalSymlinks(dir)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil {
		return fmt.Errorf("looking at the folder of a lock: %w", err)
	}
	if why := find(string(text), real).lacks(); why != "" {
		return fmt.Errorf("%s is on %s, whose locks keep off processes of this machine alone, so two machines could "+
			"train the same; mount it otherwise, or make .omm a link to a folder on another file system", dir, why)
	}
	return nil
}

// refused makes a sentence of the error of flock(2) on a file system that has no locks, and returns others as they are.
func refused(path string, err error) error {
	for _, none := range []error{syscall.ENOSYS, syscall.EOPNOTSUPP, syscall.ENOLCK} {
		if errors.Is(err, none) {
			return fmt.Errorf("the file system of %s has no locks (%w); mount it with them, or make .omm a link to a "+
				"folder on another file system", path, err)
		}
	}
	return fmt.Errorf("locking %s: %w", path, err)
}

// mount is a file system where it is mounted.
type mount struct {
	kind    string
	options []string
}

// find returns the mount that a path, absolute and without links, is on. text is that of /proc/self/mountinfo, see
// proc_pid_mountinfo(5).
func find(text, path string) (found mount) {
	longest := -1
	for line := range strings.Lines(text) {
		before, after, separated := strings.Cut(line, " - ")
		at, kind := strings.Fields(before), strings.Fields(after)
		if !separated || len(at) < 6 || len(kind) < 3 {
			continue
		}
		point := unescape.Replace(at[4])
		inside := point == "/" || path == point || strings.HasPrefix(path, point+"/")
		if inside && len(point) >= longest { // of two at the same point the later one is on top
			longest = len(point)
			found = mount{kind[0], append(strings.Split(at[5], ","), strings.Split(kind[2], ",")...)}
		}
	}
	return found
}

// unescape undoes the octal numbers that the list of mounts has in the place of white space and backslashes.
var unescape = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)

// local are the options of network file systems that keep locks on one machine.
var local = map[string][]string{
	"nfs":    {"nolock", "local_lock=all", "local_lock=flock"},
	"nfs4":   {"nolock", "local_lock=all", "local_lock=flock"},
	"lustre": {"localflock"},
	"cifs":   {"nobrl"},
	"smb3":   {"nobrl"},
}

// remote are file systems of another machine or of a store of objects for which Linux keeps locks itself.
var remote = []string{"fuse.sshfs", "fuse.rclone", "fuse.s3fs", "fuse.gcsfuse", "fuse.goofys", "fuse.mountpoint-s3",
	"fuse.blobfuse2"}

// lacks names what keeps locks from holding between machines, or "".
func (m mount) lacks() string {
	for _, option := range local[m.kind] {
		if slices.Contains(m.options, option) {
			return fmt.Sprintf("%s mounted with %s", m.kind, option)
		}
	}
	if slices.Contains(remote, m.kind) {
		return m.kind
	}
	return ""
}
