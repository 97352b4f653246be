package files

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/learn"
)

// ReadMatrix reads a square matrix: an array in NumPy's format, a text table, a matrix of scipy.sparse.save_npz, or a
// file in the Matrix Market format. It is a [learn.Sparse] if the file lists entries, else a [learn.Matrix].
func ReadMatrix(path string) (learn.Operator, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	m := f.entries
	if m == nil {
		t, err := f.square()
		return learn.Matrix{A: t.Dense}, err
	}
	if !m.isDense {
		return learn.Sparse(m.Sparse), nil
	}
	a := mat.NewDense(m.N, m.N, nil)
	for e, v := range m.Values {
		a.Set(m.Rows[e], m.Columns[e], v)
	}
	return learn.Matrix{A: a}, nil
}

// square reads a table of finite numbers with as many columns as rows.
func (f file) square() (t Table, err error) {
	if t, err = f.table(nil, ""); err != nil {
		return t, err
	}
	if n, columns := t.Dims(); n != columns || f.array != nil && f.axes != 2 {
		return t, fmt.Errorf("%s: the matrix is %d×%d, want a square matrix", f.path, n, columns)
	}
	return t, t.Finite(false)
}

// parseSparse reads what scipy.sparse.save_npz writes, in the formats csr, csc and coo.
func parseSparse(path string, members map[string][]byte) (*entries, error) {
	parts := map[string][]float64{}
	for _, name := range []string{"shape", "data", "row", "col", "indptr", "indices"} {
		if members[name] == nil {
			continue
		}
		a, _, err := decode(path, members[name])
		if err != nil {
			return nil, err
		}
		parts[name] = a.RawMatrix().Data
	}
	values, shape, starts := parts["data"], parts["shape"], parts["indptr"]
	rows, columns := parts["row"], parts["col"]
	format := strings.TrimRight(string(members["format"]), "\x00")
	isCSC := strings.HasSuffix(format, "csc")
	if isCSC || strings.HasSuffix(format, "csr") {
		columns = parts["indices"]
		for i := 1; i < len(starts); i++ {
			for range int(math.Min(starts[i]-starts[i-1], float64(len(columns)))) {
				rows = append(rows, float64(i-1))
			}
		}
		if isCSC {
			rows, columns = columns, rows
		}
	} else if rows == nil {
		return nil, fmt.Errorf("%s: a sparse matrix, but not in the format csr, csc or coo: save A.tocsr()", path)
	}
	if len(shape) != 2 || shape[0] != shape[1] {
		return nil, fmt.Errorf("%s: the matrix has the shape %v, want a square matrix", path, shape)
	}
	m := &entries{Sparse: linalg.Sparse{N: int(shape[0])}}
	if len(rows) != len(values) || len(columns) != len(values) {
		return nil, fmt.Errorf("%s: %d entries in %d rows and %d columns; the file is damaged", path, len(values),
			len(rows), len(columns))
	}
	for e := range values {
		i, j := int(rows[e]), int(columns[e])
		if min(i, j) < 0 || max(i, j) >= m.N {
			return nil, fmt.Errorf("%s: entry (%d, %d) of a matrix with %d rows; the file is damaged", path, i, j, m.N)
		}
		m.Add(i, j, values[e])
	}
	return m, nil
}
