package main

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/cmd/omm/files"
	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/learn"
)

// column is one number of every row of a table. Unknown numbers are NaN.
type column struct {
	name   string
	values []float64
}

const errorsOf = "_error" // ends the name of a column of errors, which follows the column of their numbers

// columns is a table of results.
type columns []column

// add appends numbers and their errors, which may be nil, unless all are unknown.
func (c *columns) add(name string, values, errors []float64) {
	for i, list := range [][]float64{values, errors} {
		if slices.ContainsFunc(list, func(v float64) bool { return !math.IsNaN(v) }) {
			*c = append(*c, column{name + []string{"", errorsOf}[i], list})
		}
	}
}

// rows returns the cells with a header and a first column. A digit count of −1 writes numbers exactly.
func (c columns) rows(head string, first []string, digits int) [][]string {
	rows := [][]string{{head}}
	for _, label := range first {
		rows = append(rows, []string{label})
	}
	for _, column := range c {
		rows[0] = append(rows[0], column.name)
		for i, v := range column.values {
			cell := strconv.FormatFloat(v, 'g', digits, 64)
			switch {
			case math.IsNaN(v):
				cell = ""
			case math.IsInf(v, 1):
				cell = "inf" // as Python reads it
			}
			rows[i+1] = append(rows[i+1], cell)
		}
	}
	return rows
}

// print writes the table at once, with errors next to their numbers. A notebook shows each write as an output.
func (c columns) print(out io.Writer, head string, first []string) error {
	var text bytes.Buffer
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	rows := c.rows(head, first, 5)
	for r, row := range rows {
		line := row[0]
		for i, cell := range row[1:] {
			switch _, isError := strings.CutSuffix(c[i].name, errorsOf); {
			case !isError:
				line += "\t" + cmp.Or(strings.ReplaceAll(cell, "_", " "), "–")
			case r == 0:
				line += " ± error"
			case cell != "":
				digit, _ := strconv.ParseFloat(fmt.Sprintf("%.1g", c[i].values[r-1]), 64)
				line += fmt.Sprintf(" ± %v", digit) // 3000 instead of 3e+03
			}
		}
		fmt.Fprintln(w, line)
	}
	_ = w.Flush() // a buffer takes everything
	_, err := out.Write(text.Bytes())
	return err
}

// csv returns the table as CSV, in which unknown numbers are empty.
func (c columns) csv(head string, first []string) []byte {
	var out bytes.Buffer
	_ = csv.NewWriter(&out).WriteAll(c.rows(head, first, -1)) // a buffer takes everything
	return out.Bytes()
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
	var table columns
	table.add("value", l.Values, nil)
	table.add("residual", l.Residuals, nil)
	table.add("bound", l.Bounds, nil)
	if l.HeldOut != nil {
		table.add("held_out", l.HeldOut.Values, l.HeldOut.Errors)
	}
	if lag > 0 {
		times, errors := l.Timescales(float64(lag))
		table.add("timescale", times, errors)
	}
	var numbers []string
	for i := range l.Values {
		numbers = append(numbers, strconv.Itoa(i+1))
	}
	if err := table.print(stdout, "#", numbers); err != nil {
		return err
	}
	if l.Ended != "" {
		fmt.Fprintln(stdout, "ended:", l.Ended)
	}
	for _, sentence := range l.Advice() {
		fmt.Fprintln(stdout, "advice:", sentence)
	}
	phi, err := evaluate(l, s.points)
	if err != nil {
		return err
	}
	array, err := files.NPY(phi)
	if err != nil {
		return err
	}
	content := map[string][]byte{"values.csv": table.csv("number", numbers), "functions.npy": array}
	python := fmt.Sprintf(read, s.rows)
	if s.nodes != nil {
		python = fmt.Sprintf(read, s.rows+", in the order of nodes.txt")
		content["nodes.txt"] = []byte(strings.Join(s.nodes, "\n") + "\n")
	}
	content["read.py"] = []byte(python)
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
	n, d := points.Dims()
	k := len(l.Values)
	phi := mat.NewDense(n, k, slices.Repeat([]float64{math.NaN()}, n*k))
	for rows := range slices.Chunk(complete(points), together) {
		some := mat.NewDense(len(rows), d, nil)
		for to, from := range rows {
			some.SetRow(to, points.RawRowView(from))
		}
		f, err := l.At(some)
		if err != nil {
			return nil, err
		}
		for from, to := range rows {
			phi.SetRow(to, f.RawRowView(from))
		}
	}
	return phi, nil
}

// picture draws the values, and the functions over the first two coordinates or in the order of the states.
func (s subject) picture(l *learn.Learned, phi *mat.Dense) draw.Eigenfunctions {
	const most = 3_000 // points
	n, found := phi.RawMatrix().Rows, len(l.Values)
	if i := slices.IndexFunc(l.Values, math.IsNaN); i > 0 { // the others vanished
		found = i
	}
	phi = phi.Slice(0, n, 0, found).(*mat.Dense)
	f := draw.Eigenfunctions{Note: s.title, Values: l.Values[:found], Errors: l.Bounds[:found], XLabel: s.rows,
		Functions: make([][]float64, found)}
	if l.HeldOut != nil {
		f.Values, f.Errors = l.HeldOut.Values, l.HeldOut.Errors
	}
	rows, d := complete(phi), 0
	if s.points != nil {
		_, d = s.points.Dims()
		axes := append(slices.Clone(s.axes), "coordinate 0", "coordinate 1")[:2]
		f.XLabel, f.YLabel = axes[0], axes[1]
	}
	if d == 1 {
		f.YLabel = ""
		slices.SortFunc(rows, func(a, b int) int { return cmp.Compare(s.points.At(a, 0), s.points.At(b, 0)) })
	}
	for some := range slices.Chunk(rows, (len(rows)+most-1)/most) {
		i := some[0]
		x := float64(i)
		if d > 0 {
			x = s.points.At(i, 0)
		}
		if f.X = append(f.X, x); d > 1 {
			f.Y = append(f.Y, s.points.At(i, 1))
		}
		for j := range f.Functions {
			f.Functions[j] = append(f.Functions[j], phi.At(i, j))
		}
	}
	return f
}

// writeTimescales prints and draws the timescales at several lags.
func writeTimescales(stdout io.Writer, folder string, lags []int, learned map[int]*learn.Learned) error {
	var first []string
	var table columns
	f := draw.Curves{XLabel: "lag in frames", YLabel: "timescale in frames",
		Note: "Implied timescales and their standard errors. They should not depend on the lag."}
	for i := range learned[lags[0]].Values {
		var column, uncertain []float64
		curve := draw.Series{Name: fmt.Sprintf("function %d", i+1)}
		for _, lag := range lags {
			times, errors := learned[lag].Timescales(float64(lag))
			column, uncertain = append(column, times[i]), append(uncertain, errors[i])
			if i == 0 {
				first = append(first, strconv.Itoa(lag))
			} else if !math.IsNaN(times[i] + errors[i]) {
				curve.Add(float64(lag), times[i])
				curve.Band = append(curve.Band, errors[i])
			}
		}
		table.add(fmt.Sprintf("timescale_%d", i+1), column, uncertain)
		if curve.X != nil {
			f.Series = append(f.Series, curve)
		}
	}
	if err := table.print(stdout, "lag", first); err != nil {
		return err
	}
	return fill(stdout, folder, "timescales.png", f, map[string][]byte{"timescales.csv": table.csv("lag", first)})
}
