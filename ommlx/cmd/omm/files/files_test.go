package files

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codeberg.org/sbinet/npyio/npy"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/learn"
)

func write(t *testing.T, name, content string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
	return path
}

func zipped(content string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(content))
	_ = w.Close()
	return b.String()
}

// array is a file in NumPy's format.
func array(v any) string {
	var b bytes.Buffer
	if err := npy.Write(&b, v); err != nil {
		panic(err)
	}
	return b.String()
}

var (
	square3 = array(mat.NewDense(3, 3, nil))
	huge    = strings.Replace(square3, "(3, 3), }        ", "(999999999, 3), }", 1)
	mtx     = "%%MatrixMarket matrix coordinate real general\n% a comment\n"
)

// TestBrokenFiles: an error names the file, the line if there is one, and what is wrong there.
func TestBrokenFiles(t *testing.T) {
	table := func(path string) error { _, err := ReadTable(path, nil); return err }
	column := func(path string) error { _, err := ReadTable(path, []string{"z"}); return err }
	finite := func(path string) error { return testkit.Must(ReadTable(path, nil)).Finite(true) }
	matrix := func(path string) error { _, err := ReadMatrix(path); return err }
	chosen := func(path string) error { _, _, err := ReadGraph(path, []string{"0", "1"}); return err }
	edges := func(path string) error { _, _, err := ReadGraph(path, nil); return err }
	for name, c := range map[string]struct {
		read    func(path string) error
		content string
		line    int // 0: none
		word    string
	}{
		"empty.csv":        {table, "\n\n", 0, "empty"},
		"missing-field":    {table, "x,y\n1,2\n\n3\n", 4, "1 fields"},
		"long-header":      {table, "x,y,z\n1,2\n3,4", 0, "3"},
		"words.csv":        {table, "x,y\n1,2\n# note\n3,high\n", 4, `"high"`},
		"decimal-comma":    {table, "x;y\n1,5;2\n", 2, `"1,5"`},
		"only-header.csv":  {table, "x,y\n", 0, "header"},
		"no-such-column":   {column, "x,y\n1,2\n", 0, "x, y"},
		"no-such-number":   {column, "1,2\n", 0, "0 to 1"},
		"quote.csv":        {table, "x,y\n1,\"2\n", 2, `"`},
		"huge.csv":         {table, "x\n1e999\n", 2, "1e999"},
		"infinite.csv":     {finite, "x\n# a\n\n1\ninf\n", 5, "Inf"},
		"utf16.csv":        {table, "x,y\n\xff\xfe1\x00,\x002\n", 2, "UTF-8"},
		"cut.csv.gz":       {table, zipped("x,y\n1,2\n")[:20], 0, "damaged"},
		"cut.npy":          {table, square3[:len(square3)-8], 0, "3×3"},
		"cut-header.npy":   {table, square3[:30], 0, "header"},
		"longer.npy":       {table, square3 + "12345678", 0, "3×3"},
		"complex.npy":      {table, array([]complex128{1}), 0, "real"},
		"cube.npy":         {table, array([2][2][2]float64{}), 0, "[2 2 2]"},
		"no-rows.npy":      {table, strings.Replace(square3, "(3, 3)", "(0, 3)", 1), 0, "0×3"},
		"huge.npy":         {table, huge, 0, "999999999×3"},
		"rectangle.npy":    {matrix, array(mat.NewDense(3, 2, nil)), 0, "3×2"},
		"nan.npy":          {matrix, array(mat.NewDense(2, 2, []float64{2: math.NaN(), 3: 0})), 0, "row 1"},
		"complex.mtx":      {matrix, "%%MatrixMarket matrix coordinate complex general\n1 1 0\n", 1, "complex"},
		"rectangle.mtx":    {matrix, mtx + "3 2 1\n1 1 1\n", 3, "3 2 1"},
		"index.mtx":        {matrix, mtx + "3 3 2\n1 1 1\n1 4 1\n", 5, "1 4 1"},
		"from-zero.mtx":    {matrix, mtx + "3 3 1\n0 1 1\n", 4, "0 1 1"},
		"short.mtx":        {matrix, mtx + "3 3 2\n1 1 1\n", 4, "1 of 2"},
		"long.mtx":         {matrix, mtx + "3 3 1\n1 1 1\n2 2 2\n", 5, "2 2 2"},
		"value.mtx":        {matrix, mtx + "3 3 1\n1 1 one\n", 4, "one"},
		"nan.mtx":          {matrix, mtx + "3 3 1\n1 1 nan\n", 4, "nan"},
		"no-value.mtx":     {matrix, mtx + "3 3 1\n1 1\n", 4, "1 1"},
		"no-sizes.mtx":     {matrix, mtx, 1, "ends"},
		"above.mtx":        {matrix, strings.Replace(mtx, "general", "symmetric", 1) + "3 3 1\n1 2 1\n", 4, "diagonal"},
		"cut.mtx":          {edges, mtx + "3 3 2\n1 2 1\n", 4, "1 of 2"},
		"directed.mtx":     {edges, mtx + "3 3 3\n1 2 1\n2 1 1\n3 1 1\n", 6, "directed"},
		"negative.mtx":     {edges, mtx + "2 2 1\n1 1 -1\n", 4, "-1"},
		"points.mtx":       {table, mtx + "3 3 1\n1 1 1\n", 0, "Matrix Market"},
		"columns.mtx":      {chosen, mtx + "3 3 1\n1 1 1\n", 0, "columns"},
		"one-column.csv":   {edges, "# nodes\na\nb\n", 0, "1 columns"},
		"four-columns.csv": {edges, "a,b,c,d\n", 0, "4 columns"},
		"negative.csv":     {edges, "source,target,weight\na,b,1\nb,c,-2\n", 3, `"-2"`},
		"no-weight.csv":    {edges, "source,target,weight\na,b,1\nb,c,\n", 3, `""`},
		"no-node.csv":      {edges, "a,b\n,c\n", 0, "node"},
		"attributes.txt":   {edges, "a b {'weight': 2}\n", 0, "4 columns"},
		"comments.txt":     {edges, "# nothing\n", 0, "no rows"},
		"long-names.csv":   {edges, "source,target,weight\na,b\n", 2, "2 fields"},
	} {
		t.Run(name, func(t *testing.T) {
			path := write(t, name, c.content)
			err := c.read(path)
			require.Error(t, err)
			where := path + ":"
			if c.line > 0 {
				where = fmt.Sprintf("%s:%d: ", path, c.line)
			}
			assert.True(t, strings.HasPrefix(err.Error(), where), err)
			assert.Contains(t, strings.TrimPrefix(err.Error(), where), c.word)
			assert.NotContains(t, err.Error(), "\n")
		})
	}
	for _, read := range []func(string) error{table, matrix, edges} {
		assert.ErrorContains(t, read("nowhere.csv"), "nowhere.csv")
		assert.Error(t, read(t.TempDir()))
	}
}

// TestTables: the same table in several notations.
func TestTables(t *testing.T) {
	want := mat.NewDense(3, 2, []float64{1, 2, math.NaN(), 4, 5e-1, -6})
	for name, content := range map[string]string{
		"pandas":     ",x,y,when\n0,1,2,monday\n1,,4,tuesday\n2,0.5,-6,\n",
		"comments":   "# made by hand\nx, y\n1, 2\n\nNA, 4\n% \"and\", written\n0.5, -6",
		"semicolons": "\ufeff\"x\";\"y\"\r\n1;2\r\nnan;4\r\n.5;-6\r\n",
		"tabs":       "x\ty\n1\t2\n\t4\n5e-1\t-6\n",
		"R":          "\"x\" \"y\"\n\"1\" 1 2\n\"2\" NA 4\n\"3\" 0.5 -6\n",
		"gzip":       zipped("y,x\n2,1\n4,nan\n-6,0.5\n"),
	} {
		table, err := ReadTable(write(t, name, content), []string{"x", "y"})
		require.NoError(t, err, name)
		assert.Equal(t, []string{"x", "y"}, table.Names, name)
		assert.Equal(t, fmt.Sprint(want.RawMatrix()), fmt.Sprint(table.RawMatrix()), name) // NaN ≠ NaN
		require.NoError(t, table.Finite(true), name)
		assert.ErrorContains(t, table.Finite(false), `"x"`, name)
	}
	for name, content := range map[string]string{"savetxt": "1e+00 2e+00\nnan 4\n5e-1 -6\n", "npy": array(want)} {
		table, err := ReadTable(write(t, name, content), []string{"1"})
		require.NoError(t, err, name)
		assert.Equal(t, []float64{2, 4, -6}, table.RawMatrix().Data, name)
		assert.Nil(t, table.Names)
	}
	numbered := testkit.Must(ReadTable(write(t, "numbered", ",0,1\n0,1,2\n1,3,4\n"), nil))
	assert.Equal(t, []string{"0", "1"}, numbered.Names)
	assert.Equal(t, []float64{1, 2, 3, 4}, numbered.RawMatrix().Data)
	vector := testkit.Must(ReadTable(write(t, "v", array([]float32{1, 2, 3})), nil))
	assert.Equal(t, []float64{1, 2, 3}, vector.RawMatrix().Data)
}

// TestMatrices: the same matrix in several formats.
func TestMatrices(t *testing.T) {
	want := mat.NewDense(3, 3, []float64{2, -1, 0, -1, 2, 0, 0, 0, 7})
	for name, content := range map[string]string{
		"npy":         array(want),
		"text":        "2 -1 0\n-1 2 0\n0 0 7\n",
		"general":     "%%MatrixMarket matrix coordinate integer general\n3 3 5\n1 1 2\n1 2 -1\n2 1 -1\n2 2 2\n3 3 7\n",
		"symmetric":   "%%MatrixMarket Matrix Coordinate Real Symmetric\n%\n3 3 4\n1 1 2\n2 1 -1\n\n2 2 2\n3 3 7\n",
		"array":       "%%MatrixMarket matrix array real general\n3 3\n2\n-1\n0\n-1\n2\n0\n0\n0\n7\n",
		"lower array": "%%MatrixMarket matrix array real symmetric\n3 3\n2\n-1\n0\n2\n0\n7\n",
		"gzip":        zipped("2,-1,0\n-1,2,0\n0,0,7\n"),
	} {
		op, err := ReadMatrix(write(t, name, content))
		require.NoError(t, err, name)
		got := mat.NewDense(3, 3, nil)
		switch op := op.(type) {
		case learn.Matrix:
			got.Copy(op.A)
		case learn.Sparse:
			for e, v := range op.Values {
				got.Set(op.Rows[e], op.Columns[e], got.At(op.Rows[e], op.Columns[e])+v)
			}
		}
		assert.True(t, mat.Equal(want, got), "%s: %v", name, mat.Formatted(got))
	}
}

// TestGraphs: the path a–b–c with a loop at c in several notations.
func TestGraphs(t *testing.T) {
	for name, content := range map[string]string{
		"plain":          "a,b,1\nb,c,2\nc,c,3\n",
		"header":         "source,target,weight\na,b,1\nb,c,2\nc,c,3\n",
		"other columns":  "Weight;note;Target;Source\n1;new;b;a\n2;;c;b\n3;old;c;c\n",
		"unknown header": "left\tright\tstrength\na\tb\t1\nb\tc\t2\nc\tc\t3\n",
		"pandas index":   ",source,target,weight\n0,a,b,1\n1,b,c,2\n2,c,c,3\n",
		"R":              "\"source\" \"target\" \"weight\"\n\"1\" \"a\" \"b\" 1\n\"2\" \"b\" \"c\" 2\n3 c c 3\n",
		"networkx":       "a b 1 {}\nb c 2 {}\nc c 3 {}\n",
		"blanks, gzip":   zipped("# networkx\na b 1.0\nb c 2.0\nc c 3.0\n"),
	} {
		g, names, err := ReadGraph(write(t, name, content), nil)
		require.NoError(t, err, name)
		assert.Equal(t, []string{"a", "b", "c"}, names, name)
		want := learn.Graph{Nodes: 3, Edges: [][2]int{{0, 1}, {1, 2}, {2, 2}}, Weights: []float64{1, 2, 3}}
		assert.Equal(t, want, g, name)
	}
	chosen, _, err := ReadGraph(write(t, "g", "a,b,c,d\n1,2,3,4\n"), []string{"d", "b"})
	require.NoError(t, err)
	assert.Equal(t, learn.Graph{Nodes: 2, Edges: [][2]int{{1, 0}}}, chosen)
	numbered, names, err := ReadGraph(write(t, "g", "from,to\n10,9\n9,-1\n"), nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"-1", "9", "10"}, names, "whole numbers ascend")
	assert.Equal(t, [][2]int{{2, 1}, {1, 0}}, numbered.Edges)
	for _, content := range []string{"\"a b\" c\n  # note\nc\td {}\n", "a b,c\n\t% note\nc,d\n"} {
		g, names, err := ReadGraph(write(t, "g", content), nil)
		require.NoError(t, err, content)
		assert.Equal(t, []string{"a b", "c", "d"}, names, "a name with a blank, and a comment after blanks")
		assert.Equal(t, [][2]int{{0, 1}, {1, 2}}, g.Edges)
	}
	want := learn.Graph{Nodes: 3, Edges: [][2]int{{1, 0}, {2, 1}, {2, 2}}, Weights: []float64{1, 1, 1}}
	for name, content := range map[string]string{
		"general":   "%%MatrixMarket matrix coordinate pattern general\n3 3 5\n1 2\n2 1\n2 3\n3 2\n3 3\n",
		"symmetric": "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n2 1\n3 2\n3 3\n",
		"array":     "%%MatrixMarket matrix array real symmetric\n3 3\n0\n1\n0\n0\n1\n1\n",
	} {
		g, names, err := ReadGraph(write(t, name, content), nil)
		require.NoError(t, err, name)
		assert.Empty(t, names)
		assert.ElementsMatch(t, want.Edges, g.Edges, name)
		assert.Equal(t, want.Weights, g.Weights, name)
	}
}
