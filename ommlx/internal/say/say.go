// Package say makes what a command says while it works: one printable line of what other programs and libraries said,
// and how far a job is.
package say

import (
	"strings"
	"unicode"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// FirstLine shortens an error to its first line, printable.
func FirstLine(err error) string {
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

// Thousands writes 80000 as 80,000.
func Thousands(n int) string { return message.NewPrinter(language.English).Sprint(n) }

// Count writes "1 run" and "2,000 runs", of things whose plural ends with s.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Thousands(n) + " " + thing + "s"
}
