package files

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
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

// decode reads an array in NumPy's format, with one row for each index of the first axis, and its number of axes. A
// vector becomes one column; more than two axes are flattened to two.
func decode(path string, content []byte) (a *mat.Dense, axes int, err error) {
	defer func() { // npyio v0.14.0 panics on a header that is cut short
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%s: damaged header: %v", path, cause)
		}
	}()
	data := bytes.NewReader(content)
	r, err := npy.NewReader(data)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: damaged header: %w", path, err)
	}
	d := r.Header.Descr
	kind := numeric.FindStringSubmatch(d.Type)
	switch {
	case strings.Contains(d.Type, "O"):
		return nil, 0, fmt.Errorf("%s: an array of objects is not read: save each in Python, "+
			`for i, x in enumerate(numpy.load(%q, allow_pickle=True)): numpy.save(f"{i}.npy", x)`, path, path)
	case strings.Contains(d.Type, "("):
		return nil, 0, fmt.Errorf("%s: the array has named fields: save in Python "+
			"numpy.lib.recfunctions.structured_to_unstructured(array)", path)
	case kind == nil:
		return nil, 0, fmt.Errorf("%s: the type is %s, want real numbers: save array.astype(float)", path, d.Type)
	case len(d.Shape) == 0:
		return nil, 0, fmt.Errorf("%s: one number, want an array", path)
	case len(d.Shape) > 2 && d.Fortran:
		return nil, 0, fmt.Errorf("%s: the axes are in Fortran's order: save numpy.ascontiguousarray(array)", path)
	}
	size, _ := strconv.Atoi(kind[1] + kind[2] + kind[3])
	n, columns, left := d.Shape[0], 1, data.Len()
	for _, length := range d.Shape[1:] {
		columns = min(columns, 1<<30) * min(length, 1<<30)
	}
	if n < 1 || columns < 1 {
		return nil, 0, fmt.Errorf("%s: the array is %d×%d, want at least one row and column", path, n, columns)
	}
	if n > left || columns > left || n*columns*size != left { // npyio fills up with zeros
		return nil, 0, fmt.Errorf("%s: %d bytes follow the header, want %d×%d numbers of %d bytes; the file is damaged",
			path, left, n, columns, size)
	}
	var numbers npy.Array
	r.Header.Descr.Type = strings.Replace(d.Type, "b", "u", 1) // booleans are 0 or 1
	if err := r.Read(&numbers); err != nil {
		return nil, 0, fmt.Errorf("%s: %w", path, err)
	}
	a = mat.NewDense(n, columns, nil)
	values := reflect.ValueOf(numbers.Data())
	for e := range values.Len() {
		i, j := e/columns, e%columns
		if d.Fortran {
			i, j = e%n, e/n
		}
		a.Set(i, j, values.Index(e).Convert(reflect.TypeFor[float64]()).Float())
	}
	return a, len(d.Shape), nil
}

// unzip reads a file of scipy.sparse.save_npz or, if it holds one array, of numpy.savez.
func (f *file) unzip(content []byte) error {
	members := map[string][]byte{}
	var names []string
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return fmt.Errorf("%s: the compressed file is damaged: %w", f.path, err)
	}
	if _, err := z.Open("xl/workbook.xml"); err == nil {
		return fmt.Errorf("%s: Excel's format is not read: %s", f.path, convert(f.path, "pandas.read_excel(%q)"))
	}
	for _, member := range z.File {
		name, is := strings.CutSuffix(member.Name, ".npy")
		if !is {
			return fmt.Errorf("%s: an archive is not read: unzip it", f.path)
		}
		names = append(names, name)
		if members[name], err = fs.ReadFile(z, member.Name); err != nil {
			return fmt.Errorf("%s: the compressed file is damaged: %w", f.path, err)
		}
	}
	switch {
	case members["shape"] != nil && members["format"] != nil:
		f.entries, err = parseSparse(f.path, members)
	case len(names) == 1:
		f.array, f.axes, err = decode(f.path, members[names[0]])
	default:
		err = fmt.Errorf("%s: has the arrays %s: save one in Python, numpy.save(%q, numpy.load(%q)[%q])", f.path,
			strings.Join(names, ", "), renamed(f.path, ".npy"), f.path, names[0])
	}
	return err
}

// NPY returns a matrix as an array that numpy.load reads.
func NPY(m *mat.Dense) ([]byte, error) {
	var out bytes.Buffer
	err := npy.Write(&out, m)
	return out.Bytes(), err
}
