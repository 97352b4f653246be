// Package say formats messages and the progress of a job.
package say

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/gomlx/gomlx/support/xslices"
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

// Runs formats the smallest and the largest number of runs: "4 to 10 runs"; "" without counts.
func Runs(counts []int) string {
	if len(counts) == 0 {
		return ""
	}
	least, most := slices.Min(counts), slices.Max(counts)
	if least == most {
		return Count(most, "run")
	}
	return fmt.Sprintf("%d to %d runs", least, most)
}

// Numbered formats "value 2" and "values 2, 3" for indices from 0, in order.
func Numbered(thing string, indices []int) string {
	numbers := xslices.Map(indices, func(i int) string { return strconv.Itoa(i + 1) })
	if len(numbers) > 1 {
		thing += "s"
	}
	return thing + " " + strings.Join(numbers, ", ")
}

// Are is [Numbered] with its verb: "values 2, 3 are".
func Are(thing string, indices []int) string {
	if len(indices) > 1 {
		return Numbered(thing, indices) + " are"
	}
	return Numbered(thing, indices) + " is"
}
