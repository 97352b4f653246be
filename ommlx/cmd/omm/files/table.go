package files

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/mat"
)

// Table is a table of numbers, one point or frame per row. Missing numbers are NaN.
type Table struct {
	path  string
	Names []string // of the columns; nil without a header
	*mat.Dense
	lines []int // of the rows in a text; nil for an array
}

// ReadTable reads an array in NumPy's format, or a text table with columns separated by commas, semicolons, tabs or
// blanks. The first row is a header if it has a word that is not a number, or if it is pandas' header of columns
// without names, as in ",0,1". columns selects columns by their names or, without a header, by their numbers from 0, or
// names all of them in order. nil takes all columns, except one without a name, such as the index in pandas' files.
func ReadTable(path string, columns []string) (Table, error) {
	t := Table{path: path}
	content, err := read(path)
	if err != nil {
		return t, err
	}
	if isMatrixMarket(content) {
		return t, fmt.Errorf("%s: a Matrix Market file is not a table of points; save them as .npy or CSV", path)
	}
	if isNPY(content) {
		if t.Dense, err = decode(path, content); err != nil || columns == nil {
			return t, err
		}
		n, width := t.Dims()
		take, err := t.choose(columns, width)
		if err != nil {
			return t, err
		}
		all := t.Dense
		t.Dense = mat.NewDense(n, len(take), nil)
		for to, from := range take {
			t.SetCol(to, mat.Col(nil, from, all))
		}
		return t, nil
	}
	var all []row
	if t.Names, all, err = readText(path, content, hasNames); err != nil {
		return t, err
	}
	take, err := t.choose(columns, len(all[0].fields))
	if err != nil {
		return t, err
	}
	var numbers []float64
	for _, r := range all {
		for _, j := range take {
			v, err := parse(r.fields[j])
			if err != nil {
				return t, fmt.Errorf("%s:%d: %s is %q, want a number; --columns selects columns", path, r.line,
					t.column(j), r.fields[j])
			}
			numbers = append(numbers, v)
		}
		t.lines = append(t.lines, r.line)
	}
	t.Dense = mat.NewDense(len(all), len(take), numbers)
	if t.Names != nil {
		t.Names = xslices.Map(take, func(j int) string { return t.Names[j] })
	}
	return t, nil
}

// hasNames reports whether the first row has a word, or is the header that pandas writes for an index and columns
// without names: nothing, 0, 1, and so on.
func hasNames(all []row) bool {
	fields := all[0].fields
	numbering := append([]string{""}, numbers(len(fields)-1)...)
	return slices.ContainsFunc(fields, isWord) || len(fields) > 1 && slices.Equal(fields, numbering)
}

// numbers returns the names 0 to n−1.
func numbers(n int) []string { return xslices.Map(xslices.Iota(0, n), strconv.Itoa) }

// choose returns the numbers of the selected columns.
func (t Table) choose(columns []string, width int) (take []int, err error) {
	for j := range width {
		if columns == nil && (t.Names == nil || t.Names[j] != "") {
			take = append(take, j)
		}
	}
	names, known := t.Names, strings.Join(t.Names, ", ")
	if names == nil {
		names, known = numbers(width), fmt.Sprintf("0 to %d, since the file has no header", width-1)
		if len(columns) == width && slices.ContainsFunc(columns, isWord) {
			names = columns
		}
	}
	for _, name := range columns {
		j := slices.Index(names, name)
		if j < 0 {
			return nil, fmt.Errorf("%s: no column %q: the columns are %s", t.path, name, known)
		}
		take = append(take, j)
	}
	return take, nil
}

// column describes a column for errors.
func (t Table) column(j int) string {
	if t.Names == nil {
		return fmt.Sprintf("column %d", j)
	}
	return fmt.Sprintf("column %q", t.Names[j])
}

// where returns the file and line of a row, or its number from 0 in an array.
func (t Table) where(row int) string {
	if t.lines == nil {
		return fmt.Sprintf("%s: row %d", t.path, row)
	}
	return fmt.Sprintf("%s:%d", t.path, t.lines[row])
}

// Finite returns an error with the first number that is infinite or, unless gaps are allowed, missing.
func (t Table) Finite(gaps bool) error {
	n, columns := t.Dims()
	for i := range n {
		for j := range columns {
			if v := t.At(i, j); math.IsInf(v, 0) || math.IsNaN(v) && !gaps {
				return fmt.Errorf("%s: %s is %v, want a finite number", t.where(i), t.column(j), v)
			}
		}
	}
	return nil
}

// missing lists spellings of a missing number, in lower case.
var missing = []string{"", "na", "n/a", "nan", "<na>", "null", "none"}

// parse returns the number in a field, or NaN if it is missing.
func parse(field string) (float64, error) {
	if slices.Contains(missing, strings.ToLower(field)) {
		return math.NaN(), nil
	}
	return strconv.ParseFloat(field, 64)
}

// isWord reports whether a field is neither a number nor missing.
func isWord(field string) bool {
	_, err := parse(field)
	return errors.Is(err, strconv.ErrSyntax)
}
