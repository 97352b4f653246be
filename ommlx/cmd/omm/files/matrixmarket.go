package files

import (
	"fmt"
	"math"
	"regexp"
	"strings"

	"omm-go/ommlx/internal/linalg"
)

// entries is a sparse matrix: of the Matrix Market format, NISTIR 5935 (Boisvert, Pozo and Remington 1996), or of
// scipy.sparse.
type entries struct {
	linalg.Sparse
	lines   []int // of the entries in a text; nil for an array
	isDense bool
	first   int // the number of the first row
}

func isMatrixMarket(content []byte) bool {
	const start = "%%MatrixMarket"
	return len(content) > len(start) && strings.EqualFold(string(content[:len(start)]), start)
}

// banner is the first line of a supported file.
var banner = regexp.MustCompile(`(?i)^%%MatrixMarket\s+matrix\s+(?:(coordinate)|array)\s+` +
	`(?:real|integer|(pattern))\s+(?:general|(symmetric))\s*$`)

// parseEntries reads a square matrix. The entries of a pattern are 1.
func parseEntries(path string, text []byte) (m *entries, err error) {
	m = &entries{first: 1}
	last, i, j, want := row{line: 1}, 0, 0, 0
	fail := func(wish string) (*entries, error) {
		return m, fmt.Errorf("%s:%d: %q, want %s", path, last.line, strings.Join(last.fields, " "), wish)
	}
	first, _, _ := strings.Cut(string(text[:min(len(text), 200)]), "\n")
	kind := banner.FindStringSubmatch(first)
	if kind == nil {
		last.fields = strings.Fields(first)
		return fail("coordinate or array; real, integer or pattern; general or symmetric")
	}
	isPattern, isSymmetric := kind[2] != "", kind[3] != ""
	m.isDense = kind[1] == ""
	for last, err = range rows(path, text) {
		if err != nil {
			return m, err
		}
		n, areFinite := finite(last.fields)
		if !areFinite {
			return fail("finite numbers")
		}
		if want == 0 {
			if want = m.sizes(n, isSymmetric); want == 0 {
				return fail("the sizes of a square matrix with at least one entry")
			}
			continue
		}
		if isPattern {
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
		case isSymmetric && i < j:
			return fail("no entry above the diagonal of a symmetric matrix")
		}
		m.Add(i, j, n[0])
		m.lines = append(m.lines, last.line)
		if i++; m.isDense && i == m.N { // the next column
			if j, i = j+1, 0; isSymmetric {
				i = j
			}
		}
	}
	if len(m.Values) < want || want == 0 {
		return m, fmt.Errorf("%s:%d: the file ends after %d of %d entries", path, last.line, len(m.Values), want)
	}
	if isSymmetric {
		m.mirror()
	}
	return m, nil
}

// finite parses fields. It reports whether all are finite numbers.
func finite(fields []string) (n []float64, areFinite bool) {
	for _, field := range fields {
		v, err := parse(field)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, false
		}
		n = append(n, v)
	}
	return n, true
}

// mirror adds the entries above the diagonal of a symmetric matrix.
func (m *entries) mirror() {
	for e := range m.Values {
		if i, j := m.Rows[e], m.Columns[e]; i != j {
			m.Add(j, i, m.Values[e])
			m.lines = append(m.lines, m.lines[e])
		}
	}
}

// sizes sets N from the line of sizes (rows, columns and, in coordinate format, entries), and returns the number of
// entries in the file, or 0 if the line is wrong.
func (m *entries) sizes(n []float64, isSymmetric bool) int {
	switch rows := n[0]; {
	case m.isDense && isSymmetric:
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
