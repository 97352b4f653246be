package run

import (
	"fmt"
	"slices"
	"strings"
)

// Label is an experiment's name for people: the words that are not empty, k and the number of runs. The words must
// distinguish it from the other experiments of its figure or table.
func Label(k int, seeds []int64, words ...string) string {
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	return fmt.Sprintf("%s k=%d ×%d", strings.Join(words, " "), k, len(seeds))
}

// Differs is the word of a label for a setting that differs from the usual one: "name=value", or the name of a switch
// that is on; "" for the usual value.
func Differs(name string, value, usual any) string {
	switch v := value.(type) {
	case bool:
		if v && usual == false {
			return name
		}
		return ""
	case float64:
		value = fmt.Sprintf("%.3g", v)
		usual = fmt.Sprintf("%.3g", usual)
	}
	if value == usual {
		return ""
	}
	return fmt.Sprintf("%s=%v", name, value)
}
