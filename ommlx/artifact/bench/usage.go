package bench

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"syscall"
)

// resetPeak returns the resident memory of this process in GiB and lets Linux measure its peak from here.
func resetPeak() float64 {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // otherwise the peak is that of the process
	return resident("VmRSS")
}

// resident reads a line of /proc/self/status, in GiB; 0 if there is none.
func resident(name string) (gib float64) {
	status, _ := os.ReadFile("/proc/self/status")
	if _, after, found := strings.Cut(string(status), name+":"); found {
		_, _ = fmt.Sscan(after, &gib)
	}
	return gib / (1 << 20)
}

// processorTime returns the seconds that this process has used on all cores. Unlike the time on the clock they hardly
// depend on other processes.
func processorTime() float64 {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used) // cannot fail with a valid pointer
	return float64(used.Utime.Nano()+used.Stime.Nano()) / 1e9
}
