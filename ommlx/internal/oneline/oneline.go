// Package oneline makes one line for a terminal of what other programs and libraries say.
package oneline

import (
	"strings"
	"unicode"
)

// Of shortens an error to its first line, printable.
func Of(err error) string {
	line, _, _ := strings.Cut(strings.TrimSpace(err.Error()), "\n")
	return Printable(line)
}

// Printable leaves out of a line what a terminal would obey instead of showing it.
func Printable(line string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsPrint(r):
			return r
		}
		return -1
	}, line))
}
