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
	"strings"
	"unicode/utf8"
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

// rows returns the rows of a text table without empty lines and comments. Fields are separated by tabs, semicolons or
// commas, whichever the first row has, and otherwise by blanks.
func rows(path string, text []byte) iter.Seq2[row, error] {
	separator := separatorOf(text)
	if separator == 0 {
		return func(yield func(row, error) bool) {
			for number, line := range lines(text) {
				line = strings.ReplaceAll(strings.TrimSuffix(line, "{}"), `"`, "") // of NetworkX and R
				if !isComment(line) && !yield(row{number, strings.Fields(line)}, nil) {
					return
				}
			}
		}
	}
	r := csv.NewReader(bytes.NewReader(text))
	r.Comma, r.Comment, r.FieldsPerRecord, r.TrimLeadingSpace = separator, '#', -1, separator != '\t'
	return func(yield func(row, error) bool) {
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
			for j, f := range fields {
				fields[j] = strings.TrimSpace(f)
			}
			if !yield(row{number, fields}, nil) {
				return
			}
		}
	}
}

// isComment reports whether a line has no fields.
func isComment(line string) bool { return line == "" || line[0] == '#' || line[0] == '%' }

// separatorOf returns the separator in the first row, or 0 for blanks.
func separatorOf(text []byte) rune {
	for _, line := range lines(text) {
		if isComment(line) {
			continue
		}
		for _, separator := range "\t;," {
			if strings.ContainsRune(line, separator) {
				return separator
			}
		}
		break
	}
	return 0
}
