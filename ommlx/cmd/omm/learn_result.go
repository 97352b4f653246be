package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/cmd/omm/files"
	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/learn"
)

// table is a table of results as lines. The first line has the names of the columns.
type table struct {
	shown []string // with five digits and tabs
	exact []string // as CSV
}

// newTable returns a table with one column, which has a name in each form.
func newTable(shown, exact string, rows []string) table {
	return table{append([]string{shown}, rows...), append([]string{exact}, rows...)}
}

// add appends a column of numbers with their errors. Unknown numbers are NaN, and empty in CSV. A column of unknown
// numbers, or of unknown errors, is left out.
func (t *table) add(name string, values, errors []float64) {
	known := func(v float64) bool { return !math.IsNaN(v) }
	if !slices.ContainsFunc(values, known) {
		return
	}
	t.shown[0] += "\t" + strings.ReplaceAll(name, "_", " ")
	t.exact[0] += "," + name
	haveErrors := slices.ContainsFunc(errors, known)
	if haveErrors {
		t.shown[0] += " ± error"
		t.exact[0] += "," + name + "_error"
	}
	for i, v := range values {
		t.shown[i+1] += "\t" + cmp.Or(number(v, 5), "–")
		t.exact[i+1] += "," + number(v, -1)
		if !haveErrors {
			continue
		}
		t.exact[i+1] += "," + number(errors[i], -1)
		if known(errors[i]) {
			digit, _ := strconv.ParseFloat(fmt.Sprintf("%.1g", errors[i]), 64)
			t.shown[i+1] += fmt.Sprintf(" ± %v", digit) // 3000 instead of 3e+03
		}
	}
}

// print writes the table at once, since a notebook shows each write as an output.
func (t table) print(out io.Writer) error {
	var text bytes.Buffer
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join(t.shown, "\n"))
	_ = w.Flush() // a buffer takes everything
	_, err := out.Write(text.Bytes())
	return err
}

func (t table) csv() []byte { return []byte(strings.Join(t.exact, "\n") + "\n") }

// number formats a number with some digits, or exactly if they are −1. The text of NaN is empty; Python reads inf.
func number(v float64, digits int) string {
	if math.IsNaN(v) {
		return ""
	}
	return strings.Replace(strconv.FormatFloat(v, 'g', digits, 64), "+Inf", "inf", 1)
}

// read is a Python program that reads the results.
const read = `import numpy, pandas, safetensors.numpy  # run this in the folder of the results
values = pandas.read_csv("values.csv", index_col="number")
functions = numpy.load("functions.npy")  # one column per function, one row per %s
model = safetensors.numpy.load_file("model.safetensors")
print(values, functions.shape, list(model))
`

// writeResult prints the values with advice and fills the folder.
func writeResult(stdout io.Writer, folder string, s subject, l *learn.Learned, lag int) error {
	t := newTable("#", "number", xslices.Map(xslices.Iota(1, len(l.Values)), strconv.Itoa))
	t.add("value", l.Values, nil)
	t.add("residual", l.Residuals, nil)
	t.add("bound", l.Bounds, nil)
	if l.HeldOut != nil {
		t.add("held_out", l.HeldOut.Values, l.HeldOut.Errors)
	}
	if lag > 0 {
		times, errors := l.Timescales(float64(lag))
		t.add("timescale", times, errors)
	}
	if err := t.print(stdout); err != nil {
		return err
	}
	if l.Ended != "" {
		fmt.Fprintln(stdout, "ended:", l.Ended)
	}
	for _, sentence := range l.Advice() {
		fmt.Fprintln(stdout, "advice:", s.inWords(sentence))
	}
	phi, err := evaluate(l, s.points)
	if err != nil {
		return err
	}
	array, err := files.NPY(phi)
	if err != nil {
		return err
	}
	content := map[string][]byte{"values.csv": t.csv(), "functions.npy": array}
	python := fmt.Sprintf(read, s.rows)
	if s.names != nil {
		name := s.rows + "s.txt"
		python = fmt.Sprintf(read, s.rows+", in the order of "+name)
		content[name] = []byte(strings.Join(s.names, "\n") + "\n")
	}
	content["read.py"] = []byte(python)
	if s.points != nil {
		content["evaluate.py"] = []byte(learn.Python)
	}
	const model = "model.safetensors"
	if err := l.Save(filepath.Join(folder, model)); err != nil {
		return err
	}
	if err := fill(stdout, folder, "functions.png", s.picture(l, phi), content, model); err != nil {
		return err
	}
	_, err = fmt.Fprint(stdout, python)
	return err
}

// fill writes a picture and other files into a folder, and lists them with files that are already there.
func fill(stdout io.Writer, folder, name string, d draw.Drawing, content map[string][]byte, there ...string) error {
	fig, err := d.Figure()
	if err != nil {
		return err
	}
	if content[name], err = draw.PNG(fig); err != nil {
		return err
	}
	names := slices.Sorted(maps.Keys(content))
	for _, name := range names {
		if err := fsx.Write(filepath.Join(folder, name), content[name]); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(stdout, "wrote %s to %s\n", strings.Join(append(names, there...), ", "), folder)
	return err
}

// complete returns the rows of a matrix without NaN.
func complete(m *mat.Dense) (rows []int) {
	n, _ := m.Dims()
	for i := range n {
		if !floats.HasNaN(m.RawRowView(i)) {
			rows = append(rows, i)
		}
	}
	return rows
}

// evaluate returns the functions at all points, NaN where a coordinate is missing.
func evaluate(l *learn.Learned, points *mat.Dense) (*mat.Dense, error) {
	if points == nil {
		return l.At(nil)
	}
	const together = 1 << 17 // limits the memory
	n, k := points.RawMatrix().Rows, len(l.Values)
	phi := mat.NewDense(n, k, slices.Repeat([]float64{math.NaN()}, n*k))
	for rows := range slices.Chunk(complete(points), together) {
		f, err := l.At(linalg.Rows(points, rows))
		if err != nil {
			return nil, err
		}
		for from, to := range rows {
			phi.SetRow(to, f.RawRowView(from))
		}
	}
	return phi, nil
}

// picture draws the values, and the functions over the first two coordinates, over the plane of functions 2 and 3 of a
// graph or states, which have no coordinates, or in the order of the rows.
func (s subject) picture(l *learn.Learned, phi *mat.Dense) draw.Eigenfunctions {
	const most = 3_000 // points
	n, found := phi.RawMatrix().Rows, len(l.Values)
	if i := slices.IndexFunc(l.Values, math.IsNaN); i > 0 { // the others vanished
		found = i
	}
	phi = phi.Slice(0, n, 0, found).(*mat.Dense)
	f := draw.Eigenfunctions{Note: s.title, Values: l.Values[:found], Errors: l.Bounds[:found],
		Functions: make([][]float64, found)}
	if l.HeldOut != nil {
		f.Values, f.Errors = l.HeldOut.Values, l.HeldOut.Errors
	}
	at, axes := s.points, append(slices.Clone(s.axes), "coordinate 0", "coordinate 1")
	switch {
	case at != nil:
	case found > 2 && s.rows != "row":
		at, axes, f.Equal = phi.Slice(0, n, 1, 3).(*mat.Dense), []string{"function 2", "function 3"}, true
	default:
		at, axes = mat.NewDense(n, 1, xslices.Iota(0.0, n)), []string{s.rows}
	}
	rows := complete(phi)
	f.XLabel = axes[0]
	_, d := at.Dims()
	if d > 1 {
		f.YLabel = axes[1]
	} else {
		slices.SortFunc(rows, func(a, b int) int { return cmp.Compare(at.At(a, 0), at.At(b, 0)) })
	}
	for some := range slices.Chunk(rows, (len(rows)+most-1)/most) {
		i := some[0]
		if f.X = append(f.X, at.At(i, 0)); d > 1 {
			f.Y = append(f.Y, at.At(i, 1))
		}
		for j := range f.Functions {
			f.Functions[j] = append(f.Functions[j], phi.At(i, j))
		}
	}
	if first := f.Functions[0]; first[0] < 0 { // a constant function is 1, not −1
		floats.Scale(-1, first)
	}
	return f
}
