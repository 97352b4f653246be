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

// saved is a file in NumPy's format.
func saved(v any) string {
	var b bytes.Buffer
	if err := npy.Write(&b, v); err != nil {
		panic(err)
	}
	return b.String()
}

var (
	square3 = saved(mat.NewDense(3, 3, nil))
	huge    = strings.Replace(square3, "(3, 3), }        ", "(999999999, 3), }", 1)
	turned  = sparse("csc", map[string]any{"indptr": []int32{0, 1, 3, 5, 7}, "indices": []int32{2, 0, 2, 1, 3, 2, 3}})
	mtx     = "%%MatrixMarket matrix coordinate real general\n% a comment\n"
)

// TestBrokenFiles: an error names the file, the line if there is one, and what is wrong there.
func TestBrokenFiles(t *testing.T) {
	table := func(path string) error { _, err := ReadTable(path, nil, ""); return err }
	column := func(path string) error { _, err := ReadTable(path, []string{"z"}, ""); return err }
	finite := func(path string) error { return testkit.Must(ReadTable(path, nil, "")).Finite(true) }
	matrix := func(path string) error { _, err := ReadMatrix(path); return err }
	chosen := func(path string) error { _, err := ReadGraph(path, []string{"0", "1"}); return err }
	edges := func(path string) error { _, err := ReadGraph(path, nil); return err }
	for name, c := range map[string]struct {
		read    func(path string) error
		content string
		line    int // 0: none
		word    string
	}{
		"empty.csv":        {table, "\n\n", 0, "empty"},
		"missing-field":    {table, "x,y\n1,2\n\n3\n", 4, "1 field,"},
		"long-header":      {table, "x,y,z\n1,2\n3,4", 0, "3"},
		"short-header":     {table, "x,y\n1,2,3,4\n", 0, "2 fields, want 4"},
		"words.csv":        {table, "x,y\n1,2\n# note\n3,high\n", 4, `"high"`},
		"decimal-comma":    {table, "x\ty\n1,5\t2\n", 2, `"1,5"`},
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
		"complex.npy":      {table, saved([]complex128{1}), 0, "real"},
		"cube.npy":         {matrix, saved([4][2][2]float64{}), 0, "4×4"},
		"scalar.npy":       {table, strings.Replace(saved([]float64{1}), "(1,), ", "(), ", 1), 0, "one number"},
		"empty-column.csv": {finite, "x,y\n1,\n2,\n", 0, `"y" has no number`},
		"no-rows.npy":      {table, strings.Replace(square3, "(3, 3)", "(0, 3)", 1), 0, "0×3"},
		"huge.npy":         {table, huge, 0, "999999999×3"},
		"rectangle.npy":    {matrix, saved(mat.NewDense(3, 2, nil)), 0, "3×2"},
		"nan.npy":          {matrix, saved(mat.NewDense(2, 2, []float64{2: math.NaN(), 3: 0})), 0, "row 1"},
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
		"directed.npz":     {edges, turned, 0, "(2, 0) is 1, but entry (0, 2) is 0"},
		"negative.mtx":     {edges, mtx + "2 2 1\n1 1 -1\n", 4, "-1"},
		"points.mtx":       {table, mtx + "3 3 1\n1 1 1\n", 0, "not a table"},
		"columns.mtx":      {chosen, mtx + "3 3 1\n1 1 1\n", 0, "columns"},
		"one-column.csv":   {edges, "# nodes\na\nb\n", 0, "1 column,"},
		"four-columns.csv": {edges, "a,b,c,d\n", 0, "4 columns"},
		"negative.csv":     {edges, "source,target,weight\na,b,1\nb,c,-2\n", 3, `"-2"`},
		"no-weight.csv":    {edges, "source,target,weight\na,b,1\nb,c,\n", 3, `""`},
		"no-node.csv":      {edges, "a,b\n,c\n", 0, "node"},
		"attributes.txt":   {edges, "a b {'weight': 2}\nb c {}\n", 2, "2 fields"},
		"no-weight.txt":    {edges, "a b {'weight': None}\n", 1, "None"},
		"no-first.csv":     {edges, ",b\na,c\n", 1, "empty"},
		"na.csv":           {edges, "source,target\n0,1\nNaN,2.0\n", 3, "missing"},
		"adjacency-list":   {edges, "a b c\nb c\n", 2, "networkx.read_adjlist"},
		"directed.csv":     {edges, "0 1 0 0\n1 0 2 0\n0 1 0 1\n0 0 1 0\n", 2, "(1, 2) is 2, but entry (2, 1) is 1"},
		"adjacency-word":   {edges, "0 1 0 0\n1 0 2 0\n0 2 x 3\n0 0 3 4\n", 3, `"x"`},
		"large.npy":        {edges, saved(mat.NewDense(3, 2, []float64{5: 1 << 60})), 0, "node 1152921504606846976"},
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
		"Excel":      "x;y;\n1,0;2;\n;4,00;\n,5;-6,0;\n",
		"Fortran":    "x y\n 1.0D+00 0.2D1\nNaN 4.\n5.0d-1 -6.0D+00\n",
		"GROMACS":    "@ title \"t\"\n@    xaxis  label \"x\"\n@TYPE xy\n@ s0 legend \"y\"\n1 2\nnan 4\n.5 -6\n",
		"PLUMED":     "#! FIELDS x y\n#! SET pi\n 1 2\nnan 4\n0.5 -6\n",
		"savetxt":    "# made by hand\n# x,y\n1e+00,2e+00\nnan,4\n5e-01,-6\n",
		"// x":       "// x y\n1 2\nnan 4\n5e-01 -6\n",
	} {
		table, err := ReadTable(write(t, name, content), []string{"x", "y"}, "")
		require.NoError(t, err, name)
		assert.Equal(t, []string{"x", "y"}, table.Names, name)
		assert.Equal(t, fmt.Sprint(want.RawMatrix()), fmt.Sprint(table.RawMatrix()), name) // NaN ≠ NaN
		require.NoError(t, table.Finite(true), name)
		assert.ErrorContains(t, table.Finite(false), `"x"`, name)
	}
	for name, content := range map[string]string{"savetxt": "1e+00 2e+00\nnan 4\n5e-1 -6\n", "npy": saved(want)} {
		table, err := ReadTable(write(t, name, content), []string{"1"}, "")
		require.NoError(t, err, name)
		assert.Equal(t, []float64{2, 4, -6}, table.RawMatrix().Data, name)
		assert.Nil(t, table.Names)
	}
	prose, err := ReadTable(write(t, "prose", "# by hand\n1,2\n3,4\n"), []string{"1"}, "0")
	require.NoError(t, err)
	assert.Equal(t, []float64{2, 1, 4, 3}, prose.RawMatrix().Data, "numbers select columns that a comment names")
	axes := [2][2][2]float64{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}
	cube := testkit.Must(ReadTable(write(t, "cube", saved(axes)), nil, ""))
	assert.Equal(t, mat.NewDense(2, 4, []float64{1, 2, 3, 4, 5, 6, 7, 8}), cube.Dense)
	numbered := testkit.Must(ReadTable(write(t, "numbered", ",0,1\n0,1,2\n1,3,4\n"), nil, ""))
	assert.Equal(t, []string{"0", "1"}, numbered.Names)
	assert.Equal(t, []float64{1, 2, 3, 4}, numbered.RawMatrix().Data)
	short := testkit.Must(ReadTable(write(t, "short", "x,y\n1,2,3,4\n"), []string{"y"}, ""))
	assert.Equal(t, []float64{2}, short.RawMatrix().Data, "a header without the last names")
	vector := testkit.Must(ReadTable(write(t, "v", saved([]float32{1, 2, 3})), nil, ""))
	assert.Equal(t, []float64{1, 2, 3}, vector.RawMatrix().Data)
}
