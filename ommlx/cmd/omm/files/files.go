// Package files reads tables, matrices and graphs from the files that NumPy, SciPy, pandas and NetworkX write, plain or
// compressed by gzip. Errors begin with the file and, for text, the line, as in "edges.csv:17: …". Other formats are
// refused with the line of Python that converts them.
package files

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"
)

// file is the content of a file: one of text, array and entries.
type file struct {
	path    string
	text    []byte     // UTF-8
	array   *mat.Dense // in NumPy's format
	axes    int        // of the array
	entries *entries   // a matrix in the Matrix Market format or of scipy.sparse
}

// open reads a file, or standard input if the path is "-".
func open(path string) (f file, err error) {
	f.path = path
	content, err := read(path)
	switch {
	case err != nil:
	case isNPY(content):
		f.array, f.axes, err = decode(path, content)
	case bytes.HasPrefix(content, []byte("PK\x03\x04")):
		err = f.unzip(content)
	case isMatrixMarket(content):
		f.entries, err = parseEntries(path, content)
	default:
		f.text, err = content, cmp.Or(foreign(path, content), checkText(path, content))
	}
	return f, err
}

// read returns the content of a file, without the compression of gzip.
func read(path string) (content []byte, err error) {
	if path == "-" {
		content, err = io.ReadAll(os.Stdin)
	} else {
		content, err = os.ReadFile(path)
	}
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
	return content, nil
}

func checkText(path string, content []byte) error {
	for number, line := range lines(content) {
		if strings.IndexByte(line, 0) >= 0 || !utf8.ValidString(line) {
			return fmt.Errorf("%s:%d: not UTF-8 text: save the data as CSV in UTF-8, as .npy or as .mtx", path, number)
		}
	}
	return nil
}
