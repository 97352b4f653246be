package run

import (
	"fmt"
	"slices"
	"strings"
)

// Label joins the non-empty words with k and the number of runs into a name for people. The words must distinguish the
// experiment from the others in its figure or table.
func Label(k int, seeds []int64, words ...string) string {
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	return fmt.Sprintf("%s k=%d ×%d", strings.Join(words, " "), k, len(seeds))
}

// Differs returns the word of a label for an unusual setting: "name=value", or the name of a switch that is on. It
// returns "" for the usual value.
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
