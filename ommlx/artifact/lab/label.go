package lab

import (
	"fmt"
	"slices"
	"strings"
)

// Label is an experiment's name for people: the words that are not empty, k and the number of runs. The words must tell
// it from the other experiments of its figure or table.
func Label(k int, seeds []int64, words ...string) string {
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	return fmt.Sprintf("%s k=%d ×%d", strings.Join(words, " "), k, len(seeds))
}

// If is the text, formatted as by [fmt.Sprintf], if it is to be told, and otherwise empty.
func If(told bool, format string, args ...any) string {
	if !told {
		return ""
	}
	return fmt.Sprintf(format, args...)
}
