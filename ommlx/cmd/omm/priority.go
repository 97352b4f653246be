package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"syscall"
)

// lowestPriority is the greatest value of setpriority(2).
const lowestPriority = 19

// lowerPriority gives this process the lowest priority. Linux keeps one for each thread, and a new thread has that of
// the thread that starts it, so it must come before the backend is opened.
func lowerPriority() error {
	// The second time finds threads that were started during the first.
	return errors.Join(lowerThreads(), lowerThreads())
}

func lowerThreads() error {
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil { // not Linux: one call is for all threads
		return lowered(0)
	}
	for _, t := range threads {
		id, err := strconv.Atoi(t.Name())
		if err != nil {
			return fmt.Errorf("lowering the priority: a thread is called %q", t.Name())
		}
		// A thread that ended since the list was read has no priority.
		if err := lowered(id); err != nil && !errors.Is(err, syscall.ESRCH) {
			return err
		}
	}
	return nil
}

func lowered(id int) error {
	if err := syscall.Setpriority(syscall.PRIO_PROCESS, id, lowestPriority); err != nil {
		return fmt.Errorf("lowering the priority: %w", err)
	}
	return nil
}
