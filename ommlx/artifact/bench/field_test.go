package bench

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

func writeProblem(t *testing.T, k int, tables map[string][][]float64) (dir string) {
	dir = t.TempDir()
	columns := map[string]int{}
	for name, rows := range tables {
		var out bytes.Buffer
		for _, row := range rows {
			columns[name] = len(row)
			require.NoError(t, binary.Write(&out, binary.LittleEndian, row))
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".f64"), out.Bytes(), 0o644))
	}
	about := testkit.Must(json.Marshal(map[string]any{"k": k, "columns": columns}))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "problem.json"), about, 0o644))
	return dir
}

func readAnswer(t *testing.T, dir string) (values, functions []float64) {
	var answer struct {
		Values        []float64
		Fit, Training float64
	}
	require.NoError(t, json.Unmarshal(testkit.Must(os.ReadFile(filepath.Join(dir, "answer.json"))), &answer))
	assert.Positive(t, answer.Training)
	assert.GreaterOrEqual(t, answer.Fit, answer.Training)
	text := testkit.Must(os.ReadFile(filepath.Join(dir, "functions.f64")))
	functions = make([]float64, len(text)/8)
	require.NoError(t, binary.Read(bytes.NewReader(text), binary.LittleEndian, functions))
	return answer.Values, functions
}

func TestFieldOnAGraph(t *testing.T) {
	var edges, points [][]float64
	for i := range 6 {
		edges = append(edges, []float64{float64(i), float64((i + 1) % 6)})
		points = append(points, []float64{float64(i)})
	}
	dir := writeProblem(t, 3, map[string][][]float64{"edges": edges, "points": points})
	Field("graph", dir)
	values, functions := readAnswer(t, dir)
	assert.InDeltaSlice(t, []float64{1, 0.5, 0.5}, values, 1e-5)
	require.Len(t, functions, 6*3)
	for node := range 6 { // rows are nodes; the first function is constant
		assert.InDelta(t, functions[0], functions[3*node], 1e-4)
	}
	assert.Panics(t, func() { Field("other", dir) })
}

func TestFieldOnATrajectory(t *testing.T) {
	var x [][]float64
	noise := rand.New(rand.NewPCG(1, 1))
	for i := range 2_000 { // x' = 0.9x + noise; y' is independent
		x = append(x, []float64{noise.NormFloat64(), noise.NormFloat64()})
		if i > 0 {
			x[i][0] = 0.9*x[i-1][0] + math.Sqrt(0.19)*x[i][0]
		}
	}
	dir := writeProblem(t, 2, map[string][][]float64{"x": x, "points": x[:4]})
	Field("edmd", dir)
	values, functions := readAnswer(t, dir)
	assert.InDelta(t, 1, values[0], 1e-9)
	assert.InDelta(t, 0.9, values[1], 0.05)
	require.Len(t, functions, 4*2)
	for point := range 4 {
		assert.InDelta(t, 1, math.Abs(functions[2*point]), 1e-6)
	}
}
