package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

// given writes a problem as field.py does.
func given(t *testing.T, k int, tables map[string][][]float64) (dir string) {
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

// answered reads what was written for field.py.
func answered(t *testing.T, dir string) (values, functions []float64) {
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

func TestAGraphIsReadAndAnswered(t *testing.T) {
	var edges, points [][]float64
	for i := range 6 {
		edges = append(edges, []float64{float64(i), float64((i + 1) % 6)})
		points = append(points, []float64{float64(i)})
	}
	dir := given(t, 3, map[string][][]float64{"edges": edges, "points": points})
	run("graph", dir)
	values, functions := answered(t, dir)
	assert.InDeltaSlice(t, []float64{1, 0.5, 0.5}, values, 1e-5)
	require.Len(t, functions, 6*3)
	for node := range 6 { // the rows are nodes: the first function is constant
		assert.InDelta(t, functions[0], functions[3*node], 1e-4)
	}
	assert.PanicsWithValue(t, `there is no method "other"`, func() { run("other", dir) })
}

func TestATrajectoryIsReadAndAnswered(t *testing.T) {
	var x [][]float64
	noise := rand.New(rand.NewPCG(1, 1))
	for i := range 500 { // x' = −x, and y' is drawn anew
		x = append(x, []float64{1 - 2*float64(i%2) + 0.3*noise.NormFloat64(), noise.NormFloat64()})
	}
	dir := given(t, 2, map[string][][]float64{"x": x, "points": x[:4]})
	run("edmd", dir)
	values, functions := answered(t, dir)
	assert.InDelta(t, 1, values[0], 1e-9)
	assert.Len(t, functions, 4*2)
}

// TestTheCommittedTable is of a whole run of a committed program, and of the methods that are here.
func TestTheCommittedTable(t *testing.T) {
	root := testkit.Committed(t, "tables/field.json", "ommlx/artifact/bench/field")
	var table struct {
		Small    bool
		Rounds   int
		Commit   string
		Problems []struct {
			Name  string
			Truth []float64
			Rows  []struct {
				By, How              string
				Values               []float64
				Sin2, Error          float64
				Training, Fit, Whole float64
				Lines                int
			}
		}
	}
	require.NoError(t, json.Unmarshal(testkit.Must(os.ReadFile(filepath.Join(root, "tables", "field.json"))), &table))
	assert.False(t, table.Small)
	assert.GreaterOrEqual(t, table.Rounds, 3)
	assert.Regexp(t, `^[0-9a-f]{12}$`, table.Commit)
	script := string(testkit.Must(os.ReadFile(filepath.Join(root, "ommlx", "artifact", "bench", "field", "field.py"))))
	method := regexp.MustCompile(`\("(ours|deeptime|kooplearn|scipy)", "([^"]+)", "\w+"\)`)
	methods := method.FindAllStringSubmatch(script, -1)
	require.Len(t, table.Problems, 4)
	for _, p := range table.Problems {
		others := 0
		for _, r := range p.Rows {
			require.NotEmpty(t, methods, "%s", r.How)
			assert.Equal(t, methods[0][1:], []string{r.By, r.How})
			methods = methods[1:]
			assert.Len(t, r.Values, len(p.Truth), r.How)
			assert.True(t, 0 <= r.Sin2 && r.Sin2 <= 1 && r.Error >= 0 && r.Lines > 0, "%+v", r)
			assert.True(t, r.Whole > r.Fit && r.Fit >= r.Training, "%+v", r)
			if r.By != "ours" {
				others++
			}
		}
		assert.True(t, 0 < others && others < len(p.Rows), p.Name)
	}
	assert.Empty(t, methods)
}
