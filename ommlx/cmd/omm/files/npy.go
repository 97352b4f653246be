package files

import (
	"bytes"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"codeberg.org/sbinet/npyio/npy"
	"gonum.org/v1/gonum/mat"
)

// numeric matches the types of NumPy that [decode] converts to float64.
var numeric = regexp.MustCompile(`^'[<>|=]?(?:[fiu]([48])|[iu]([12])|b(1))'$`)

func isNPY(content []byte) bool { return bytes.HasPrefix(content, npy.Magic[:]) }

// decode reads an array of one or two dimensions in NumPy's format. A vector becomes one column.
func decode(path string, content []byte) (m *mat.Dense, err error) {
	defer func() { // npyio v0.14.0 panics on a header that is cut short
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%s: damaged header: %v", path, cause)
		}
	}()
	data := bytes.NewReader(content)
	r, err := npy.NewReader(data)
	if err != nil {
		return nil, fmt.Errorf("%s: damaged header: %w", path, err)
	}
	d := r.Header.Descr
	kind := numeric.FindStringSubmatch(d.Type)
	if kind == nil {
		return nil, fmt.Errorf("%s: the type is %s, want real numbers: save array.astype(float)", path, d.Type)
	}
	size, _ := strconv.Atoi(kind[1] + kind[2] + kind[3])
	shape := append(d.Shape, 1) // of a vector
	if len(d.Shape) < 1 || len(d.Shape) > 2 {
		return nil, fmt.Errorf("%s: the array has the shape %v, want one or two dimensions", path, d.Shape)
	}
	n, columns, left := shape[0], shape[1], data.Len()
	if n < 1 || columns < 1 {
		return nil, fmt.Errorf("%s: the array is %d×%d, want at least one row and column", path, n, columns)
	}
	if n > left || columns > left || n*columns*size != left { // npyio fills up with zeros
		return nil, fmt.Errorf("%s: %d bytes follow the header, want %d×%d numbers of %d bytes; the file is damaged",
			path, left, n, columns, size)
	}
	var a npy.Array
	r.Header.Descr.Type = strings.Replace(d.Type, "b", "u", 1) // booleans are 0 or 1
	if err := r.Read(&a); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	m = mat.NewDense(n, columns, nil)
	values := reflect.ValueOf(a.Data())
	for e := range values.Len() {
		i, j := e/columns, e%columns
		if d.Fortran {
			i, j = e%n, e/n
		}
		m.Set(i, j, values.Index(e).Convert(reflect.TypeFor[float64]()).Float())
	}
	return m, nil
}

// NPY returns a matrix as an array that numpy.load reads.
func NPY(m *mat.Dense) ([]byte, error) {
	var out bytes.Buffer
	err := npy.Write(&out, m)
	return out.Bytes(), err
}
