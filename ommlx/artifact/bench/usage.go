package bench

import (
	"os"
	"runtime/debug"
	"syscall"

	"omm-go/ommlx/artifact/run"
)

// resetPeak returns the resident memory of this process in GiB and lets Linux measure its peak from here.
func resetPeak() float64 {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // otherwise the peak is that of the process
	return resident("VmRSS")
}

// resident returns a number of /proc/self/status, in GiB.
func resident(name string) float64 {
	return float64(run.Kilobytes("/proc/self/status", name)) / (1 << 20)
}

// processorTime returns the seconds that this process has used on all cores. Unlike the time on the clock they hardly
// depend on other processes.
func processorTime() float64 {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used) // cannot fail with a valid pointer
	return float64(used.Utime.Nano()+used.Stime.Nano()) / 1e9
}
