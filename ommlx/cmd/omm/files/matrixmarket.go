package files

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/learn"
)

// entries is a matrix in the Matrix Market format, NISTIR 5935 (Boisvert, Pozo and Remington 1996).
type entries struct {
	learn.Sparse             // without the entries that the symmetry implies
	lines              []int // of the entries
	symmetric, isDense bool
}

func isMatrixMarket(content []byte) bool { return bytes.HasPrefix(content, []byte("%%MatrixMarket")) }

// ReadMatrix reads a square matrix: an array in NumPy's format, a text table, or a file in the Matrix Market format. It
// is a [learn.Sparse] if it is in coordinate format, else a [learn.Matrix].
func ReadMatrix(path string) (learn.Operator, error) {
	content, err := read(path)
	if err != nil {
		return nil, err
	}
	if !isMatrixMarket(content) {
		t, err := ReadTable(path, nil)
		if err != nil {
			return nil, err
		}
		if n, columns := t.Dims(); n != columns {
			return nil, fmt.Errorf("%s: the matrix is %d×%d, want a square matrix", path, n, columns)
		}
		return learn.Matrix{A: t.Dense}, t.Finite(false)
	}
	m, err := parseEntries(path, content)
	if err != nil {
		return nil, err
	}
	for e, i := range m.Rows {
		if j := m.Columns[e]; m.symmetric && i != j {
			m.Rows, m.Columns, m.Values = append(m.Rows, j), append(m.Columns, i), append(m.Values, m.Values[e])
		}
	}
	if !m.isDense {
		return m.Sparse, nil
	}
	a := mat.NewDense(m.N, m.N, nil)
	for e, v := range m.Values {
		a.Set(m.Rows[e], m.Columns[e], v)
	}
	return learn.Matrix{A: a}, nil
}

// banner is the first line of a supported file.
var banner = regexp.MustCompile(`(?i)^%%MatrixMarket\s+matrix\s+(?:(coordinate)|array)\s+` +
	`(?:real|integer|(pattern))\s+(?:general|(symmetric))\s*$`)

// parseEntries reads a square matrix. The entries of a pattern are 1.
func parseEntries(path string, text []byte) (m entries, err error) {
	last, i, j, want := row{line: 1}, 0, 0, 0
	fail := func(wish string) (entries, error) {
		return m, fmt.Errorf("%s:%d: %q, want %s", path, last.line, strings.Join(last.fields, " "), wish)
	}
	first, _, _ := strings.Cut(string(text[:min(len(text), 200)]), "\n")
	kind := banner.FindStringSubmatch(first)
	if kind == nil {
		last.fields = strings.Fields(first)
		return fail("coordinate or array; real, integer or pattern; general or symmetric")
	}
	m.isDense, m.symmetric = kind[1] == "", kind[3] != ""
	for last, err = range rows(path, text) {
		if err != nil {
			return m, err
		}
		var n []float64
		for _, field := range last.fields {
			v, err := strconv.ParseFloat(field, 64)
			if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
				return fail("finite numbers")
			}
			n = append(n, v)
		}
		if want == 0 {
			if want = m.sizes(n); want == 0 {
				return fail("the sizes of a square matrix with at least one entry")
			}
			continue
		}
		if kind[2] != "" {
			n = append(n, 1)
		}
		if !m.isDense && len(n) == 3 {
			i, j = int(n[0])-1, int(n[1])-1
			n = n[2:]
		}
		switch {
		case len(m.Values) == want:
			return fail(fmt.Sprintf("the end of the file after %d entries", want))
		case len(n) != 1 || min(i, j) < 0 || max(i, j) >= m.N:
			return fail(fmt.Sprintf("a row and a column from 1 to %d and a number", m.N))
		case m.symmetric && i < j:
			return fail("no entry above the diagonal of a symmetric matrix")
		}
		m.Rows, m.Columns, m.Values = append(m.Rows, i), append(m.Columns, j), append(m.Values, n[0])
		m.lines = append(m.lines, last.line)
		if i++; m.isDense && i == m.N { // the next column
			if j, i = j+1, 0; m.symmetric {
				i = j
			}
		}
	}
	if len(m.Values) < want || want == 0 {
		return m, fmt.Errorf("%s:%d: the file ends after %d of %d entries", path, last.line, len(m.Values), want)
	}
	return m, nil
}

// sizes sets N from the line of sizes (rows, columns and, in coordinate format, entries), and returns the number of
// entries in the file, or 0 if the line is wrong.
func (m *entries) sizes(n []float64) int {
	switch rows := n[0]; {
	case m.isDense && m.symmetric:
		n = append(n, rows*(rows+1)/2)
	case m.isDense:
		n = append(n, rows*rows)
	}
	if len(n) != 3 || n[0] != n[1] || n[0] < 1 || n[0] > 1<<31 {
		return 0
	}
	m.N = int(n[0])
	return max(0, int(n[2]))
}
