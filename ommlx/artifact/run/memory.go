package run

import (
	"fmt"
	"os"
	"strings"
)

// FreeMemory returns the bytes of memory that Linux can give to programs; 0 if it is unknown.
func FreeMemory() int64 { return Kilobytes("/proc/meminfo", "MemAvailable") << 10 }

// Kilobytes returns the number in a line of one of Linux's files about memory; 0 if there is none.
func Kilobytes(file, name string) (number int64) {
	text, _ := os.ReadFile(file)
	_, after, _ := strings.Cut(string(text), "\n"+name+":")
	_, _ = fmt.Sscan(after, &number)
	return number
}
