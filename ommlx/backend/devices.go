package backend

import (
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/gomlx/compute"
)

// CoresVariable names the environment variable that tells the XLA CPU plugin on how many cores it computes. Unset, or
// not a positive number, it takes all of them.
//
// A program that shares the machine with others like it should have as many threads as its share of the cores: threads
// that wait for work spin.
const CoresVariable = "NPROC"

// Cores is the number of cores on which graphs are computed by the CPU plugin and by Go.
func Cores() int {
	if n, err := strconv.Atoi(os.Getenv(CoresVariable)); err == nil && n > 0 {
		return min(n, runtime.GOMAXPROCS(0))
	}
	return runtime.GOMAXPROCS(0)
}

// openAsked opens what the user asked for. A CPU plugin of any name is opened with one device: a training is divided
// over devices, which on one processor only costs. Its name is looked at no sooner than it is open, since "xla" alone
// names none.
func openAsked(config string) (compute.Backend, error) {
	b, err := compute.NewWithConfig(config)
	if err != nil || b.NumDevices() == 1 || !strings.Contains(strings.ToLower(b.DeviceDescription(0)), "cpu") {
		return b, err
	}
	b.Finalize()
	return openCPU(config, 1)
}
