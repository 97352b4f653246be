package backend

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

// identity names a file as it is now, since this boot: any write changes the time of its last change (ctime), which no
// call can set back. It is empty where that cannot be told.
func identity(file string) string {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	var s syscall.Stat_t
	if err := syscall.Stat(file, &s); err != nil {
		return ""
	}
	return fmt.Sprintf("%s %d %d %d %d.%09d", strings.TrimSpace(string(boot)), s.Dev, s.Ino, s.Size, s.Ctim.Sec,
		s.Ctim.Nsec)
}
