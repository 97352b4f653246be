// Package files reads tables, matrices and graphs from the files that NumPy, SciPy, pandas and NetworkX write, plain or
// compressed by gzip. Errors begin with the file and, for text, the line, as in "edges.csv:17: …".
package files

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gomlx/gomlx/support/xslices"
)

// read returns the content of a file, without the compression of gzip: an array in NumPy's format or UTF-8 text.
func read(path string) ([]byte, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(content, []byte("\x1f\x8b")) {
		r, err := gzip.NewReader(bytes.NewReader(content))
		if err == nil {
			content, err = io.ReadAll(r)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: the compressed file is damaged: %w", path, err)
		}
	}
	content = bytes.TrimPrefix(content, []byte("\ufeff")) // which Excel writes
	if len(bytes.TrimSpace(content)) == 0 {
		return nil, fmt.Errorf("%s: the file is empty", path)
	}
	if isNPY(content) {
		return content, nil
	}
	for number, line := range lines(content) {
		if strings.IndexByte(line, 0) >= 0 || !utf8.ValidString(line) {
			return nil, fmt.Errorf("%s:%d: not UTF-8 text: save the data as CSV in UTF-8, as .npy or as .mtx", path,
				number)
		}
	}
	return content, nil
}

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

// row is one line of a text table.
type row struct {
	line   int // from 1
	fields []string
}

// readText returns the rows of a text table, all with the same number of fields, and the names of its columns if
// isHeader holds for the rows. R writes names of rows without one for their column, which is "" then.
func readText(path string, text []byte, isHeader func(all []row) bool) (names []string, all []row, err error) {
	for r, err := range rows(path, text) {
		if err != nil {
			return nil, nil, err
		}
		all = append(all, r)
	}
	if len(all) > 0 && isHeader(all) {
		names, all = all[0].fields, all[1:]
	}
	if len(all) == 0 {
		return nil, nil, fmt.Errorf("%s: no rows, only a header or comments", path)
	}
	width := len(all[0].fields)
	if names != nil && len(names) == width-1 {
		names = slices.Insert(names, 0, "")
	}
	width = max(width, len(names))
	for _, r := range all {
		if len(r.fields) != width {
			return nil, nil, fmt.Errorf("%s:%d: the row has %d fields, want %d", path, r.line, len(r.fields), width)
		}
	}
	return names, all, nil
}

// Parts of lines that package csv does not support: the start of a comment after blanks or in MATLAB's style, and, if
// blanks separate fields, the end of a line, with NetworkX's attributes.
var (
	comment = regexp.MustCompile(`(?m)^[ \t]*[#%]`)
	end     = regexp.MustCompile(`(?m)[ \t]*(?:\{\})?[ \t\r]*$`)
)

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
			if errors.Is(err, io.EOF) {
				return
			}
			if wrong, is := errors.AsType[*csv.ParseError](err); is {
				yield(row{}, fmt.Errorf("%s:%d: %w", path, wrong.Line, wrong.Err))
				return
			}
			number, _ := r.FieldPos(0)
			if !yield(row{number, xslices.Map(fields, strings.TrimSpace)}, nil) {
				return
			}
		}
	}
}

// separatorOf returns the separator in the first row.
func separatorOf(text []byte) rune {
	for _, line := range lines(text) {
		if line == "" || line[0] == '#' || line[0] == '%' {
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
