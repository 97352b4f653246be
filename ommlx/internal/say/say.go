// Package say formats messages and the progress of a job.
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

// Printable removes control characters and line breaks.
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

// Thousands formats 80000 as 80,000.
func Thousands(n int) string { return message.NewPrinter(language.English).Sprint(n) }

// Count formats "1 run" and "2,000 runs", for nouns whose plural ends in s.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Thousands(n) + " " + thing + "s"
}
