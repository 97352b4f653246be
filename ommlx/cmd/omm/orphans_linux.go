package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// adopt makes this process the parent of what its children leave behind, in the place of init.
func adopt() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// endAdopted kills every child of this process, and then the children that these leave.
func endAdopted() {
	for children := childrenHere(); len(children) > 0; children = childrenHere() {
		for _, child := range children {
			if pid, err := strconv.Atoi(child); err == nil {
				_ = syscall.Kill(pid, syscall.SIGKILL)
				_, _ = syscall.Wait4(pid, nil, 0, nil)
			}
		}
	}
}

// childrenHere lists the children of this process, also those that ended and were not waited for.
func childrenHere() (children []string) {
	threads, _ := filepath.Glob("/proc/self/task/*/children")
	for _, thread := range threads {
		text, _ := os.ReadFile(thread) // a thread that has ended left its children to another one
		children = append(children, strings.Fields(string(text))...)
	}
	return children
}
