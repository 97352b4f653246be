package run

import (
	"os"
	"regexp"
	"strconv"
)

var available = regexp.MustCompile(`(?m)^MemAvailable: +(\d+) kB$`)

// FreeMemory returns the bytes of memory that Linux can give to programs; 0 if it is unknown.
func FreeMemory() int64 {
	text, _ := os.ReadFile("/proc/meminfo")
	match := available.FindSubmatch(text)
	if match == nil {
		return 0
	}
	kilobytes, _ := strconv.ParseInt(string(match[1]), 10, 64) // digits only
	return kilobytes << 10
}
