package main

import (
	_ "embed"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/cmd/omm/files"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/learn"
)

//go:embed testdata/files.py
var filesProgram string

// TestParityOfFiles reads the files that NumPy, SciPy and pandas write, learns from some of them, and reads the results
// in Python.
func TestParityOfFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	var wrote struct {
		Table    [][]float64          // the content of every table, with 99 for a missing number
		Tables   []string             // their files
		Matrix   [][]float64          // the content of every matrix
		Matrices []string             // their files
		Graphs   map[string][]float64 // the leading eigenvalues of each graph's random walk, by file
	}
	testkit.AskPython(t, "numpy, scipy, pandas, safetensors", filesProgram, nil, &wrote)
	for _, path := range wrote.Tables {
		table := testkit.Must(files.ReadTable(path, []string{"a", "b"}, ""))
		n, _ := table.Dims()
		require.Equal(t, len(wrote.Table), n, path)
		for i, row := range wrote.Table {
			for j, want := range row {
				if got := table.At(i, j); want != 99 || !math.IsNaN(got) {
					assert.InEpsilon(t, want, got, 1e-6, path)
				}
			}
		}
	}
	for _, path := range wrote.Matrices {
		got := mat.NewDense(len(wrote.Matrix), len(wrote.Matrix), nil)
		switch m := testkit.Must(files.ReadMatrix(path)).(type) {
		case learn.Matrix:
			got.Copy(m.A)
		case learn.Sparse:
			for e, v := range m.Values {
				got.Set(m.Rows[e], m.Columns[e], got.At(m.Rows[e], m.Columns[e])+v)
			}
		}
		for i, row := range wrote.Matrix {
			assert.InDeltaSlice(t, row, got.RawRowView(i), 1e-6, path)
		}
	}
	for path, want := range wrote.Graphs {
		s := testkit.Must((&request{kind: "graph", graph: path}).subject())
		walk := testkit.Must(s.op.Define(nil, 3))
		assert.InDeltaSlice(t, want, testkit.SparseValues(walk.Data)[:3], 1e-6, path)
	}
	learnt(t, "--graph", "edges.csv", "--k", "3", "--steps", "1500")
	var reply struct {
		Values, Residuals []float64
		Printed           string
	}
	testkit.AskPython(t, "numpy, pandas, safetensors", `
import contextlib, io, json, os
os.chdir("out")
printed = io.StringIO()
with contextlib.redirect_stdout(printed):
    exec(open("read.py").read())
assert functions.shape[1] == len(values) == model["rotation"].shape[2]
print(json.dumps({"values": values["value"].tolist(), "residuals": values["residual"].tolist(),
                  "printed": printed.getvalue()}))
`, nil, &reply)
	assert.InDeltaSlice(t, wrote.Graphs["edges.csv"], reply.Values, 1e-4)
	assert.Contains(t, reply.Printed, "params.0")
}
