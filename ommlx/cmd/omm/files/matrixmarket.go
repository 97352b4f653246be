package files

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/learn"
)

// entries is a matrix in the Matrix Market format, NISTIR 5935 (Boisvert, Pozo and Remington 1996).
type entries struct {
	learn.Sparse       // without the entries that the symmetry implies
	lines        []int // of the entries
	symmetric    bool
	dense        bool
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
	if !m.dense {
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
	var kind, sizes []string
	last, want := 1, 0
	for line, content := range lines(text) {
		fail := func(format string, args ...any) (entries, error) {
			return m, fmt.Errorf("%s:%d: %s", path, line, fmt.Sprintf(format, args...))
		}
		index := func(field string, most int) (int, error) { // from 0
			n, err := strconv.Atoi(field)
			if err != nil || n < 1 || n > most {
				_, err = fail("%q is no whole number from 1 to %d", field, most)
			}
			return n - 1, err
		}
		fields := strings.Fields(content)
		if line == 1 {
			if kind = banner.FindStringSubmatch(content); kind == nil {
				return fail("the format is %q, want coordinate or array; real, integer or pattern; general or "+
					"symmetric", content)
			}
			m.dense, m.symmetric = kind[1] == "", kind[3] != ""
			continue
		}
		if isComment(content) {
			continue
		}
		if last = line; sizes == nil { // rows, columns and, in coordinate format, entries
			if sizes = fields; len(sizes) != 3 && !m.dense || len(sizes) != 2 && m.dense || sizes[0] != sizes[1] {
				return fail("the sizes are %q, want a square matrix", content)
			}
			if m.N, err = index(sizes[0], 1<<31-1); err != nil {
				return m, err
			}
			switch m.N++; {
			case m.dense && m.symmetric:
				want = m.N * (m.N + 1) / 2
			case m.dense:
				want = m.N * m.N
			default:
				if want, err = index(sizes[2], 1<<40); err != nil {
					return m, err
				}
				want++
			}
			continue
		}
		e, i, j := len(m.Values), 0, 0
		switch {
		case e == want:
			return fail("more than the %d entries of line 1", want)
		case m.dense: // by column
			if i, j = e%m.N, e/m.N; m.symmetric && e > 0 {
				if i, j = m.Rows[e-1]+1, m.Columns[e-1]; i == m.N {
					i, j = j+1, j+1
				}
			}
		case len(fields) < 2:
			return fail("%q is no entry", content)
		default:
			if i, err = index(fields[0], m.N); err != nil {
				return m, err
			}
			if j, err = index(fields[1], m.N); err != nil {
				return m, err
			}
			if m.symmetric && i < j {
				return fail("entry (%d, %d) is above the diagonal of a symmetric matrix", i+1, j+1)
			}
			fields = fields[2:]
		}
		if kind[2] != "" {
			fields = append(fields, "1")
		}
		v, err := parse(strings.Join(fields, " "))
		if err != nil || v-v != 0 {
			return fail("%q has no finite number", content)
		}
		m.Rows, m.Columns, m.Values = append(m.Rows, i), append(m.Columns, j), append(m.Values, v)
		m.lines = append(m.lines, line)
	}
	if len(m.Values) < want || sizes == nil {
		return m, fmt.Errorf("%s:%d: the file ends after %d of %d entries", path, last, len(m.Values), want)
	}
	return m, nil
}
