package fsx

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

const mounts = `21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,errors=remount-ro
30 21 0:40 / /home rw,relatime shared:2 - nfs4 filer:/home rw,vers=4.2,hard,local_lock=none,addr=10.0.0.1
31 21 0:41 / /old rw,relatime - nfs filer:/old rw,vers=3,nolock,local_lock=all
32 21 0:42 / /half rw - nfs4 filer:/half rw,local_lock=flock
33 21 0:43 / /posix rw - nfs filer:/posix rw,local_lock=posix
34 21 0:44 / /scratch rw - lustre mgs@o2ib:/scratch rw,flock,lazystatfs
35 21 0:45 / /scratch/fast rw - lustre mgs@o2ib:/fast rw,localflock
36 21 0:46 / /with\040space rw shared:9 master:2 - fuse.sshfs me@there: rw,user_id=0
37 21 0:47 / /smb rw - cifs //filer/smb rw,vers=3.1.1,nobrl
38 21 0:48 / /smb rw - cifs //filer/smb rw,vers=3.1.1
39 21 0:49 / /ceph rw - ceph 10.0.0.2:/ rw,acl
a line that is none
`

func TestMountsWhoseLocksAreOfOneMachine(t *testing.T) {
	for path, why := range map[string]string{
		"/":                  "",
		"/home/me/omm/.omm":  "",
		"/homeless":          "",
		"/old/omm":           "nfs mounted with nolock",
		"/half":              "nfs4 mounted with local_lock=flock",
		"/posix/omm":         "",
		"/scratch/omm":       "",
		"/scratch/fast/omm":  "lustre mounted with localflock",
		"/scratch/faster":    "",
		"/with space/omm":    "fuse.sshfs",
		"/smb/is/mounted/on": "",
		"/ceph":              "",
	} {
		require.Equal(t, why, find(mounts, path).lacks(), path)
	}
	require.Equal(t, "cifs mounted with nobrl", find(strings.Replace(mounts, "38 21", "", 1), "/smb").lacks())
}

// The list of this machine is read: a folder of the test is on a mount that it names.
func TestTheMountsOfThisMachine(t *testing.T) {
	text, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		t.Skip("this system does not list its mounts")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	if find(string(text), "/").kind == "" {
		t.Skip("the root here is no mount, as in a chroot, so nothing is said of what is on it")
	}
	require.NotEmpty(t, find(string(text), dir).kind)
	require.NoError(t, LocksHold(dir))
	require.ErrorIs(t, LocksHold(filepath.Join(dir, "nowhere")), os.ErrNotExist)
}

func TestAFileSystemWithoutLocks(t *testing.T) {
	require.EqualError(t, refused("/s/lock", syscall.ENOSYS), "the file system of /s/lock has no locks (function not "+
		"implemented); mount it with them, or make .omm a link to a folder on another file system")
	require.EqualError(t, refused("/s/lock", syscall.EBADF), "locking /s/lock: bad file descriptor")
}
