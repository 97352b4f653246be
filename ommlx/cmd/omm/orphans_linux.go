package main

import (
	"bytes"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// adopt makes this process the parent of what its children leave behind, in the place of init.
func adopt() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// endAdopted kills every child of this process, and then the children that these leave.
func endAdopted() {
	for children := childrenOf(os.Getpid()); len(children) > 0; children = childrenOf(os.Getpid()) {
		for _, pid := range children {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			_, _ = syscall.Wait4(pid, nil, 0, nil)
		}
	}
}

// childrenOf lists the processes whose parent is the given one, also those that ended and were not waited for.
func childrenOf(parent int) (children []int) {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		// It has pid (name) state parent …, and the name may hold anything.
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue
		}
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) > 1 && string(fields[1]) == strconv.Itoa(parent) {
			children = append(children, pid)
		}
	}
	return children
}
