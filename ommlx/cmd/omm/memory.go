package main

import (
	"os"
	"runtime"
	"strings"
	"syscall"
)

// tunables makes glibc's malloc keep freed memory, in one arena for all threads. The XLA CPU plugin allocates scratch
// memory for each convolution and product. By default malloc returns blocks above 32 MiB to the operating system at
// once, and the next block comes back page by page. With these settings a step of ResNet-18 takes 20% less time and
// less memory, a step of hydrogen 9% less time, and a step shorter than half a millisecond up to 0.1 ms more.
const tunables = "GLIBC_TUNABLES=glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=9223372036854775807:" +
	"glibc.malloc.arena_max=1"

// keepMemory restarts the program with [tunables] on Linux, unless the environment already configures malloc.
func keepMemory() {
	if runtime.GOOS != "linux" {
		return
	}
	for _, set := range os.Environ() {
		if strings.HasPrefix(set, "GLIBC_TUNABLES=") || strings.HasPrefix(set, "MALLOC_") {
			return
		}
	}
	if self, err := os.Executable(); err == nil {
		_ = syscall.Exec(self, os.Args, append(os.Environ(), tunables)) // if this fails, omm is only slower
	}
}
