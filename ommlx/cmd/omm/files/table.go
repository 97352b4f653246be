package files

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/say"
)

// Table is a table of numbers, one point or frame per row. Missing numbers are NaN.
type Table struct {
	header
	*mat.Dense
}

// ReadTable reads an array of NumPy, whose axes after the first are flattened, or a text table with columns separated
// by commas, semicolons, tabs or blanks. The first row is a header if it has a word that is not a number, or if it is
// pandas' header of columns without names, as in ",0,1"; without a header, a comment may name the columns.
//
// columns selects columns by their names or, without a header, by their numbers from 0, or names all of them in order.
// nil takes all columns, except one without a name, such as the index in pandas' files. last, if not empty, is a column
// that follows the others.
func ReadTable(path string, columns []string, last string) (Table, error) {
	f, err := open(path)
	if err != nil {
		return Table{}, err
	}
	return f.table(columns, last)
}

func (f file) table(columns []string, last string) (t Table, err error) {
	t.path = f.path
	var all [][]string
	width := 0
	switch {
	case f.entries != nil:
		return t, fmt.Errorf("%s: a sparse matrix is not a table of points: save them as .npy or CSV", f.path)
	case f.array != nil:
		_, width = f.array.Dims()
	default:
		if t.header, all, err = readText(f.path, f.text, hasNames); err != nil {
			return t, err
		}
		width = len(all[0])
	}
	take, err := t.choose(columns, width)
	if err == nil && last != "" {
		also, wrong := t.choose([]string{last}, width)
		take = append(slices.DeleteFunc(take, func(j int) bool { return slices.Contains(also, j) }), also...)
		err = wrong
	}
	switch {
	case err != nil:
	case f.array == nil:
		return t.numbers(all, take)
	case columns == nil && last == "":
		t.Dense = f.array
	default:
		n, _ := f.array.Dims()
		t.Dense = mat.NewDense(n, len(take), nil)
		for to, from := range take {
			t.SetCol(to, mat.Col(nil, from, f.array))
		}
	}
	return t, err
}

// numbers returns a table of some columns.
func (h header) numbers(all [][]string, take []int) (t Table, err error) {
	var entries []float64
	for i, fields := range all {
		for _, j := range take {
			v, err := parse(fields[j])
			if err != nil {
				return t, fmt.Errorf("%s: %s is %q, want a number; --columns selects columns", h.where(i), h.column(j),
					fields[j])
			}
			entries = append(entries, v)
		}
	}
	if h.Names != nil {
		h.Names = xslices.Map(take, func(j int) string { return h.Names[j] })
	}
	return Table{h, mat.NewDense(len(all), len(take), entries)}, nil
}

// hasNames reports whether the first row has a word, or is the header that pandas writes for an index and columns
// without names: nothing, 0, 1, and so on.
func hasNames(all [][]string) bool {
	fields := all[0]
	numbering := append([]string{""}, numbers(len(fields)-1)...)
	return slices.ContainsFunc(fields, isWord) || len(fields) > 1 && slices.Equal(fields, numbering)
}

// numbers returns the names 0 to n−1.
func numbers(n int) []string { return xslices.Map(xslices.Iota(0, n), strconv.Itoa) }

// choose returns the numbers of the selected columns.
func (h header) choose(columns []string, width int) (take []int, err error) {
	if columns == nil && h.Names != nil && len(h.Names) < width {
		return nil, fmt.Errorf("%s: the header has %s, want %d", h.path, say.Count(len(h.Names), "field"), width)
	}
	for j := range width {
		if columns == nil && (h.Names == nil || h.Names[j] != "") {
			take = append(take, j)
		}
	}
	names, known := h.Names, strings.Join(h.Names, ", ")
	if names == nil {
		names, known = numbers(width), fmt.Sprintf("0 to %d, since the file has no header", width-1)
		if len(columns) == width && slices.ContainsFunc(columns, isWord) {
			names = columns
		}
	}
	for _, name := range columns {
		j := slices.Index(names, name)
		if j < 0 && h.comments {
			j = slices.Index(numbers(width), name)
		}
		if j < 0 {
			return nil, fmt.Errorf("%s: no column %q: the columns are %s", h.path, name, known)
		}
		take = append(take, j)
	}
	return take, nil
}

// column describes a column for errors.
func (h header) column(j int) string {
	if h.Names == nil {
		return fmt.Sprintf("column %d", j)
	}
	return fmt.Sprintf("column %q", h.Names[j])
}

// where returns the file and line of a row, or its number from 0 in an array.
func (h header) where(row int) string {
	if h.lines == nil {
		return fmt.Sprintf("%s: row %d", h.path, row)
	}
	return fmt.Sprintf("%s:%d", h.path, h.lines[row])
}

// Finite returns an error with the first number that is infinite or missing. If gaps are allowed, a number may be
// missing, but not all numbers of a column.
func (t Table) Finite(gaps bool) error {
	n, columns := t.Dims()
	for j := range columns {
		if gaps && floats.Count(math.IsNaN, mat.Col(nil, j, t)) == n {
			return fmt.Errorf("%s: %s has no number; --columns selects columns", t.path, t.column(j))
		}
	}
	for i := range n {
		for j := range columns {
			if v := t.At(i, j); math.IsInf(v, 0) || math.IsNaN(v) && !gaps {
				return fmt.Errorf("%s: %s is %v, want a finite number", t.where(i), t.column(j), v)
			}
		}
	}
	return nil
}
