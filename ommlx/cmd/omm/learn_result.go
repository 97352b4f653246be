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

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/cmd/omm/files"
	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/learn"
)

// measure is one number of every function, with errors or nil. Unknown numbers are NaN.
type measure struct {
	name           string
	values, errors []float64
}

// measures returns the value of each function and how good it is. lag is 0 if the functions have no timescales.
func measures(l *learn.Learned, lag int) []measure {
	list := []measure{{"value", l.Values, nil}, {"residual", l.Residuals, nil}, {"bound", l.Bounds, nil}}
	if l.HeldOut != nil {
		list = append(list, measure{"held_out", l.HeldOut.Values, l.HeldOut.Errors})
	}
	if lag > 0 {
		times, errors := timescales(l, lag)
		list = append(list, measure{"timescale", times, errors})
	}
	return slices.DeleteFunc(list, func(m measure) bool {
		return !slices.ContainsFunc(m.values, func(v float64) bool { return !math.IsNaN(v) })
	})
}

// timescales returns −lag/ln λ of the values on held-out pairs, if there are any, and its standard error. It is NaN for
// the first function, the constant, which does not decay, and unless 0 < λ < 1.
func timescales(l *learn.Learned, lag int) (times, errors []float64) {
	values, uncertain := l.Values, make([]float64, len(l.Values))
	if l.HeldOut != nil {
		values, uncertain = l.HeldOut.Values, l.HeldOut.Errors
	}
	for i, v := range values {
		time := -float64(lag) / math.Log(v)
		if !(v > 0 && v < 1) || i == 0 {
			time = math.NaN()
		}
		times, errors = append(times, time), append(errors, time*time/float64(lag)*uncertain[i]/v)
	}
	return times, errors
}

// table writes a table of measures with a first column.
func table(out io.Writer, head string, first []string, list []measure) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, m := range list {
		head += "\t" + strings.ReplaceAll(m.name, "_", " ")
	}
	fmt.Fprintln(w, head)
	for i, label := range first {
		for _, m := range list {
			text := "–"
			if v := m.values[i]; !math.IsNaN(v) {
				text = fmt.Sprintf("%.6g", v)
				if m.errors != nil {
					text = fmt.Sprintf("%.4g ± %.1g", v, m.errors[i])
				}
			}
			label += "\t" + text
		}
		fmt.Fprintln(w, label)
	}
	return w.Flush()
}

// csv returns the table as CSV, with errors in columns of their own and nothing for NaN.
func csv(head string, first []string, list []measure) []byte {
	var out bytes.Buffer
	for _, m := range list {
		if head += "," + m.name; m.errors != nil {
			head += "," + m.name + "_error"
		}
	}
	fmt.Fprintln(&out, head)
	for i, label := range first {
		for _, m := range list {
			for _, list := range [][]float64{m.values, m.errors} {
				if list == nil {
					continue
				}
				if label += ","; !math.IsNaN(list[i]) {
					label += strconv.FormatFloat(list[i], 'g', -1, 64)
				}
			}
		}
		fmt.Fprintln(&out, label)
	}
	return out.Bytes()
}

// writeResult prints the values with advice and fills the folder.
func writeResult(stdout io.Writer, folder string, s subject, l *learn.Learned, lag int) error {
	var numbers []string
	for i := range l.Values {
		numbers = append(numbers, strconv.Itoa(i+1))
	}
	list := measures(l, lag)
	if err := table(stdout, "#", numbers, list); err != nil {
		return err
	}
	for _, sentence := range l.Advice() {
		fmt.Fprintln(stdout, "advice:", sentence)
	}
	phi, err := evaluate(l, s.points)
	if err != nil {
		return err
	}
	picture, err := s.picture(l, phi)
	if err != nil {
		return err
	}
	array, err := files.NPY(phi)
	if err != nil {
		return err
	}
	model := "model.safetensors"
	if err := l.Save(filepath.Join(folder, model)); err != nil {
		return err
	}
	content := map[string][]byte{"values.csv": csv("number", numbers, list), "functions.npy": array,
		"functions.png": picture}
	python := fmt.Sprintf(read, s.rows)
	if s.nodes != nil {
		python = fmt.Sprintf(read, s.rows+", in the order of nodes.txt")
		content["nodes.txt"] = []byte(strings.Join(s.nodes, "\n") + "\n")
	}
	content["read.py"] = []byte(python)
	if err := fill(stdout, folder, content, model); err != nil {
		return err
	}
	fmt.Fprint(stdout, python)
	return nil
}

// fill writes files into a folder and lists them with others that are already there.
func fill(stdout io.Writer, folder string, content map[string][]byte, others ...string) error {
	names := slices.Sorted(maps.Keys(content))
	for _, name := range names {
		if err := fsx.Write(filepath.Join(folder, name), content[name]); err != nil {
			return err
		}
	}
	fmt.Fprintf(stdout, "wrote %s to %s\n", strings.Join(append(names, others...), ", "), folder)
	return nil
}

// read is a Python program that reads the results.
const read = `import numpy, pandas, safetensors.numpy  # run this in the folder of the results
values = pandas.read_csv("values.csv", index_col="number")
functions = numpy.load("functions.npy")  # one column per function, one row per %s
model = safetensors.numpy.load_file("model.safetensors")
print(values, functions.shape, list(model))
`

// evaluate returns the functions at all points, NaN where a coordinate is missing.
func evaluate(l *learn.Learned, points *mat.Dense) (*mat.Dense, error) {
	if points == nil {
		return l.At(nil)
	}
	const together = 1 << 17 // limits the memory
	n, d := points.Dims()
	k := len(l.Values)
	phi := mat.NewDense(n, k, slices.Repeat([]float64{math.NaN()}, n*k))
	var complete []int
	for i := range n {
		if !floats.HasNaN(points.RawRowView(i)) {
			complete = append(complete, i)
		}
	}
	for rows := range slices.Chunk(complete, together) {
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

// picture draws the values and the functions.
func (s subject) picture(l *learn.Learned, phi *mat.Dense) ([]byte, error) {
	const most = 3_000 // points
	f := draw.Eigenfunctions{Note: s.title, Values: l.Values, Errors: l.Bounds, XLabel: s.rows,
		Functions: make([][]float64, len(l.Values))}
	if l.HeldOut != nil {
		f.Values, f.Errors = l.HeldOut.Values, l.HeldOut.Errors
	}
	n, _ := phi.Dims()
	var rows []int
	for i := range n {
		if !floats.HasNaN(phi.RawRowView(i)) {
			rows = append(rows, i)
		}
	}
	axis := func(j int) string {
		if j < len(s.axes) {
			return s.axes[j]
		}
		return fmt.Sprintf("coordinate %d", j+1)
	}
	d := 0
	if s.points != nil {
		_, d = s.points.Dims()
		f.XLabel = axis(0)
	}
	if d == 1 {
		slices.SortFunc(rows, func(a, b int) int { return cmp.Compare(s.points.At(a, 0), s.points.At(b, 0)) })
	}
	for some := range slices.Chunk(rows, (len(rows)+most-1)/most) {
		i := some[0]
		x := float64(i)
		if d > 0 {
			x = s.points.At(i, 0)
		}
		if f.X = append(f.X, x); d > 1 {
			f.YLabel, f.Y = axis(1), append(f.Y, s.points.At(i, 1))
		}
		for j := range f.Functions {
			f.Functions[j] = append(f.Functions[j], phi.At(i, j))
		}
	}
	fig, err := f.Figure()
	if err != nil {
		return nil, err
	}
	return draw.PNG(fig)
}

// writeTimescales prints and draws the timescales at several lags.
func writeTimescales(stdout io.Writer, folder string, lags []int, learned map[int]*learn.Learned) error {
	var first []string
	list := make([]measure, len(learned[lags[0]].Values))
	f := draw.Curves{XLabel: "lag in frames", YLabel: "timescale in frames", Series: make([]draw.Series, len(list)),
		Note: "Implied timescales and their standard errors. They should not depend on the lag."}
	for _, lag := range lags {
		first = append(first, strconv.Itoa(lag))
		times, errors := timescales(learned[lag], lag)
		for i := range list {
			list[i].name = fmt.Sprintf("timescale_%d", i+1)
			list[i].values, list[i].errors = append(list[i].values, times[i]), append(list[i].errors, errors[i])
			if s := &f.Series[i]; !math.IsNaN(times[i]) && !math.IsNaN(errors[i]) {
				s.Name, s.Band = fmt.Sprintf("function %d", i+1), append(s.Band, errors[i])
				s.Add(float64(lag), times[i])
			}
		}
	}
	list = list[1:] // without the constant
	if err := table(stdout, "lag", first, list); err != nil {
		return err
	}
	f.Series = slices.DeleteFunc(f.Series, func(s draw.Series) bool { return s.Name == "" })
	fig, err := f.Figure()
	if err != nil {
		return err
	}
	picture, err := draw.PNG(fig)
	if err != nil {
		return err
	}
	return fill(stdout, folder, map[string][]byte{"timescales.csv": csv("lag", first, list), "timescales.png": picture})
}
