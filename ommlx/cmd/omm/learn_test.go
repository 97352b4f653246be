package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/cmd/omm/files"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/learn"
)

// ring writes the edges of a ring of n nodes, named a0, a1, …
func ring(t *testing.T, name string, n int) {
	t.Helper()
	var text strings.Builder
	text.WriteString("from,to\n")
	for i := range n {
		fmt.Fprintf(&text, "a%d,a%d\n", i, (i+1)%n)
	}
	write(t, name, text.String())
}

// autoregressive returns frames of x' = 0.8 x + noise, and writes them as CSV without the numbers of some rows.
func autoregressive(t *testing.T, name string, frames int, gaps ...int) *mat.Dense {
	t.Helper()
	x := testkit.Autoregressive(testkit.NewRand(1), frames, 0.8)
	for _, gap := range gaps {
		x.Set(gap, 0, math.NaN())
	}
	text := []byte("label,x\n")
	for _, v := range x.RawMatrix().Data {
		text = fmt.Appendf(text, "frame,%g\n", v)
	}
	write(t, name, string(text))
	return x
}

// save writes an array in NumPy's format.
func save(t *testing.T, name string, m *mat.Dense) {
	t.Helper()
	write(t, name, string(testkit.Must(files.NPY(m))))
}

// learnt runs `omm learn` and returns its output and the functions.
func learnt(t *testing.T, args ...string) (stdout string, functions files.Table) {
	t.Helper()
	code, stdout, stderr := omm(t, append([]string{"learn", "--out", "out"}, args...)...)
	require.Equal(t, exitOK, code, stderr)
	assert.NoDirExists(t, "out/checkpoint")
	return stdout, testkit.Must(files.ReadTable("out/functions.npy", nil, ""))
}

// TestLearnAGraph: the walk on a ring of n nodes has the eigenvalues cos 2πj/n. Rows are in the order of nodes.txt, and
// the same command gives the same bits.
func TestLearnAGraph(t *testing.T) {
	t.Chdir(t.TempDir())
	ring(t, "edges.csv", 12)
	args := []string{"--graph", "edges.csv", "--k", "3", "--steps", "600"}
	stdout, functions := learnt(t, args...)
	assert.Contains(t, stdout, "12 nodes, 12 edges")
	values := testkit.Must(files.ReadTable("out/values.csv", []string{"number", "value", "residual"}, ""))
	for i, want := range []float64{1, math.Cos(math.Pi / 6), math.Cos(math.Pi / 6)} {
		assert.Equal(t, float64(i+1), values.At(i, 0))
		assert.InDelta(t, want, values.At(i, 1), 1e-4)
		assert.LessOrEqual(t, math.Abs(want-values.At(i, 1)), values.At(i, 2)+1e-6)
		for node := range 12 { // (f(node − 1) + f(node + 1))/2 = λ f(node)
			neighbours := functions.At((node+1)%12, i) + functions.At((node+11)%12, i)
			assert.InDelta(t, want*functions.At(node, i), neighbours/2, 0.02)
		}
	}
	names := strings.Fields(string(testkit.Must(os.ReadFile("out/nodes.txt"))))
	require.Len(t, names, 12)
	assert.Equal(t, []string{"a0", "a11"}, []string{names[0], names[11]})
	_, err := png.Decode(bytes.NewReader(testkit.Must(os.ReadFile("out/functions.png"))))
	require.NoError(t, err)

	before := map[string][]byte{}
	for _, path := range testkit.Must(filepath.Glob("out/*")) {
		before[path] = testkit.Must(os.ReadFile(path))
	}
	require.Len(t, before, 6)
	require.NoError(t, os.RemoveAll("out"))
	learnt(t, args...)
	for path, content := range before {
		assert.Equal(t, content, testkit.Must(os.ReadFile(path)), path)
	}
}

// TestLearnAMatrixAndAKernel: both tables have residuals, and functions in the order of the rows.
func TestLearnAMatrixAndAKernel(t *testing.T) {
	t.Chdir(t.TempDir())
	save(t, "m.npy", mat.NewDense(3, 3, []float64{3, 0, 0, 0, 2, 0, 0, 0, 1}))
	stdout, functions := learnt(t, "--matrix", "m.npy", "--k", "2", "--steps", "500")
	assert.Contains(t, stdout, "residual")
	assert.InDelta(t, 1, math.Abs(functions.At(0, 0)), 1e-3)
	assert.InDelta(t, 1, math.Abs(functions.At(1, 1)), 1e-3)
	for _, name := range []string{"nodes.txt", "evaluate.py"} {
		assert.NoFileExists(t, "out/"+name)
	}
	save(t, "x.npy", mat.NewDense(4, 2, []float64{0, 0, 0, 1, 9, 9, 9, 8}))
	for _, kernel := range []string{"rbf:1", "laplace:2", "poly:2"} {
		_, functions = learnt(t, "--kernel", kernel, "--samples", "x.npy", "--k", "1", "--steps", "20")
		n, k := functions.Dims()
		assert.Equal(t, []int{4, 1}, []int{n, k})
		assert.FileExists(t, "out/evaluate.py")
	}
}

// TestLearnATrajectory: no pair spans a gap, the functions have one row per frame, and the process decays
// in −1/ln 0.8 = 4.5 frames.
func TestLearnATrajectory(t *testing.T) {
	t.Chdir(t.TempDir())
	autoregressive(t, "x.csv", 6_000, 2_000, 2_003)
	stdout, functions := learnt(t, "--trajectory", "x.csv", "--columns", "x", "--lag", "3", "--lags", "2,3", "--k", "2",
		"--steps", "200")
	assert.Contains(t, stdout, "6,000 frames of 1 coordinate")
	assert.Contains(t, stdout, "advice: 2 frames with NaN split the trajectories; 1 part")
	r := request{trajectory: []string{"x.csv"}, columns: []string{"x"}}
	pairs := testkit.Must(testkit.Must(r.trajectories()).at(3)).(learn.Pairs)
	n, _ := pairs.From.Dims()
	assert.Equal(t, (2_000-3)+(3_996-3), n, "in the parts of 2,000 and 3,996 frames")
	n, _ = functions.Dims()
	assert.Equal(t, 6_000, n)
	for _, frame := range []int{1_999, 2_000, 2_003, 2_004} {
		assert.Equal(t, frame == 2_000 || frame == 2_003, math.IsNaN(functions.At(frame, 1)), frame)
	}
	for _, name := range []string{"values.csv", "timescales.csv"} {
		column := map[string]string{"values.csv": "timescale", "timescales.csv": "timescale_2"}[name]
		times := testkit.Must(files.ReadTable(filepath.Join("out", name), []string{column, column + "_error"}, ""))
		assert.InDelta(t, -1/math.Log(0.8), times.At(1, 0), 1.3, name)
		assert.Positive(t, times.At(1, 1), name)
	}
	assert.FileExists(t, "out/timescales.png")

	require.NoError(t, os.RemoveAll("out"))
	code, _, stderr := omm(t, "learn", "--trajectory", "x.csv", "--columns", "x", "--lags", "5000", "--out", "out")
	assert.Equal(t, exitFailure, code)
	assert.Contains(t, stderr, "3996")
}

// TestLearnSeveralFiles: an array and a table, from which a column is selected by its name.
func TestLearnSeveralFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	save(t, "a.npy", autoregressive(t, "x.csv", 300))
	for _, args := range []string{"a.npy,x.csv", "a.npy x.csv"} { // the shell expands *
		args = "--trajectory " + args + " --columns x --lag 1 --k 1 --steps 10"
		stdout, functions := learnt(t, strings.Fields(args)...)
		assert.Contains(t, stdout, "a.npy, x.csv: 600 frames of 1 coordinate: x; 2 trajectories\n")
		n, _ := functions.Dims()
		assert.Equal(t, 600, n)
		assert.Equal(t, functions.At(7, 0), functions.At(307, 0))
	}
}

// TestLearnPairs gives both files and the lag.
func TestLearnPairs(t *testing.T) {
	t.Chdir(t.TempDir())
	x := autoregressive(t, "x.csv", 2_000)
	save(t, "from.npy", mat.DenseCopyOf(x.Slice(0, 1_998, 0, 1)))
	save(t, "to.npy", mat.DenseCopyOf(x.Slice(2, 2_000, 0, 1)))
	stdout, _ := learnt(t, "--pairs", "from.npy,to.npy", "--lag", "2", "--k", "2", "--steps", "100")
	assert.Contains(t, stdout, "1,998 pairs")
	assert.Contains(t, stdout, "timescale")
}

// TestLearnResumes: an interrupted command keeps a checkpoint, with which other settings are refused, and the same
// command gives the bits of an uninterrupted one.
func TestLearnResumes(t *testing.T) {
	t.Chdir(t.TempDir())
	ring(t, "edges.csv", 30)
	args := []string{"--graph", "edges.csv", "--k", "2", "--steps", "20000"}
	learnt(t, args...)
	want := testkit.Must(os.ReadFile("out/functions.npy"))
	require.NoError(t, os.RemoveAll("out"))
	ctx, stop := context.WithCancelCause(t.Context())
	var out bytes.Buffer
	go func() {
		for ; ctx.Err() == nil; time.Sleep(time.Millisecond) {
			if locked, _ := filepath.Glob("out/checkpoint/0/*"); locked != nil { // the training has begun
				stop(errors.New("terminated signal received"))
			}
		}
	}()
	line := append([]string{"learn", "--out", "out"}, args...)
	require.Equal(t, exitStopped, execute(ctx, line, &out, &out), out.String())
	assert.DirExists(t, "out/checkpoint")
	code, _, stderr := omm(t, append(line, "--seed", "2")...)
	assert.Equal(t, exitFailure, code)
	assert.Contains(t, stderr, "checkpoint")
	learnt(t, args...)
	assert.Equal(t, want, testkit.Must(os.ReadFile("out/functions.npy")))
}

func TestErrorsOfATableHaveOneDigit(t *testing.T) {
	c := newTable("#", "number", []string{"1", "2"})
	c.add("timescale", []float64{841.89, 0.5}, []float64{3_210, 0.0123})
	var out bytes.Buffer
	require.NoError(t, c.print(&out))
	require.Equal(t, "#  timescale ± error\n1  841.89 ± 3000\n2  0.5 ± 0.01\n", out.String())
	require.Equal(t, "number,timescale,timescale_error\n1,841.89,3210\n2,0.5,0.0123\n", string(c.csv()))
}
