package files

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"iter"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gomlx/gomlx/support/xslices"

	"omm-go/ommlx/internal/say"
)

// lines returns the lines of a text with their numbers, from 1.
func lines(text []byte) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		number := 0
		for line := range bytes.Lines(text) {
			if number++; !yield(number, strings.TrimSpace(string(line))) {
				return
			}
		}
	}
}

// header is what is known of a table besides its content.
type header struct {
	path     string
	Names    []string // of the columns; nil without a header
	comments bool     // Names are from comments, which may be prose: columns may also be selected by number
	lines    []int    // of the rows in a text; nil for an array
}

// readText returns the rows of a text table, all with the same number of fields, and the names of its columns: the
// first row if isHeader holds for the rows, else a comment with a word for each column. R writes names of rows without
// one for their column, which is "" then.
func readText(path string, text []byte, isHeader func(all [][]string) bool) (h header, all [][]string, err error) {
	h.path = path
	for r, err := range rows(path, text) {
		if err != nil {
			return h, nil, err
		}
		all, h.lines = append(all, r.fields), append(h.lines, r.line)
	}
	dropEmpty(all)
	if len(all) > 0 && isHeader(all) {
		h.Names, all, h.lines = all[0], all[1:], h.lines[1:]
	}
	if len(all) == 0 {
		return h, nil, fmt.Errorf("%s: no rows, only a header or comments", path)
	}
	width := len(all[0])
	if h.Names != nil && len(h.Names) == width-1 {
		h.Names = slices.Insert(h.Names, 0, "")
	}
	width = max(width, len(h.Names))
	for i, fields := range all {
		if len(fields) != width {
			return h, nil, fmt.Errorf("%s: the row has %s, want %d", h.where(i), say.Count(len(fields), "field"), width)
		}
	}
	if h.Names == nil {
		h.Names = commented(text, width)
		h.comments = h.Names != nil
	}
	return h, all, nil
}

// dropEmpty removes the last column if it is empty, as after a comma at the end of each line. The header may lack it.
func dropEmpty(all [][]string) {
	for i, fields := range all {
		width := len(all[len(all)-1])
		missing := i == 0 && len(fields) == width-1
		if width < 2 || !missing && (len(fields) != width || fields[width-1] != "") {
			return
		}
	}
	for i, fields := range all {
		all[i] = fields[:len(all[len(all)-1])-1]
	}
}

// Parts of lines that package csv does not support: the start of a comment after blanks or in other styles, such as
// GROMACS's @, and, if blanks separate fields, the end of a line.
var (
	comment = regexp.MustCompile(`(?m)^[ \t]*(?:[#%]|//[ \t]|@[ \t]|@TYPE)`)
	end     = regexp.MustCompile(`(?m)[ \t\r]+$`)
	label   = regexp.MustCompile(`^@\s+(?:xaxis\s+label|s\d+\s+legend)\s+"(.*)"`) // of a column, of GROMACS
)

// commented returns the names of that many columns in the comments before the first row, such as PLUMED's
// "#! FIELDS time phi", the last of the comments with a word for each, or nil.
func commented(text []byte, width int) (names []string) {
	var labels []string
	separator := separatorOf(text)
	for _, line := range lines(text) {
		switch found := label.FindStringSubmatch(line); {
		case found != nil:
			if labels = append(labels, found[1]); len(labels) == width {
				names = labels
			}
		case comment.MatchString(line):
			line, isPlumed := strings.CutPrefix(strings.TrimLeft(line, "#!%/ \t"), "FIELDS ")
			words := strings.Fields(line)
			if separator != ' ' {
				words = xslices.Map(strings.Split(line, string(separator)), strings.TrimSpace)
			}
			if len(words) == width && !slices.ContainsFunc(words, func(word string) bool { return !isWord(word) }) {
				names = words
			}
			if isPlumed { // what follows has values
				return names
			}
		case line != "":
			return names
		}
	}
	return names
}

// row is one line of a text table.
type row struct {
	line   int // from 1
	fields []string
}

// decimal is a number with a comma, as Excel and R's write.csv2 write it between semicolons.
var decimal = regexp.MustCompile(`^([+-]?\d*),(\d+(?:[eE][+-]?\d+)?)$`)

// rows returns the rows of a text table without empty lines and comments. Fields are separated by tabs, semicolons or
// commas, whichever the first row has, and otherwise by blanks.
func rows(path string, text []byte) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		separator := separatorOf(text)
		text = comment.ReplaceAll(text, []byte("#"))
		if separator == ' ' {
			text = bytes.ReplaceAll(end.ReplaceAll(text, nil), []byte("\t"), []byte(" "))
		}
		r := csv.NewReader(bytes.NewReader(text))
		r.Comma, r.Comment, r.FieldsPerRecord, r.TrimLeadingSpace = separator, '#', -1, separator != '\t'
		for {
			fields, err := r.Read()
			if wrong, is := errors.AsType[*csv.ParseError](err); is {
				yield(row{}, fmt.Errorf("%s:%d: %w", path, wrong.Line, wrong.Err))
				return
			} else if err != nil { // the end
				return
			}
			number, _ := r.FieldPos(0)
			for i, field := range fields {
				if fields[i] = strings.TrimSpace(field); separator == ';' {
					fields[i] = decimal.ReplaceAllString(fields[i], "$1.$2")
				}
			}
			if !yield(row{number, fields}, nil) {
				return
			}
		}
	}
}

// separatorOf returns the separator in the first row.
func separatorOf(text []byte) rune {
	for _, line := range lines(text) {
		if line == "" || comment.MatchString(line) {
			continue
		}
		for _, separator := range "\t;," {
			if strings.ContainsRune(line, separator) {
				return separator
			}
		}
		break
	}
	return ' '
}

// missing lists spellings of a missing number, in lower case.
var missing = []string{"", "na", "n/a", "nan", "<na>", "null", "none"}

// exponent is a number with Fortran's D.
var exponent = regexp.MustCompile(`^([+-]?[\d.]+)[dD]([+-]?\d+)$`)

// parse returns the number in a field, or NaN if it is missing.
func parse(field string) (float64, error) {
	if slices.Contains(missing, strings.ToLower(field)) {
		return math.NaN(), nil
	}
	v, err := strconv.ParseFloat(field, 64)
	if errors.Is(err, strconv.ErrSyntax) {
		v, err = strconv.ParseFloat(exponent.ReplaceAllString(field, "${1}e$2"), 64)
	}
	return v, err
}

// isWord reports whether a field is neither a number nor missing.
func isWord(field string) bool {
	_, err := parse(field)
	return errors.Is(err, strconv.ErrSyntax)
}
